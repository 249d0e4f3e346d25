/** The look of a text control, also for those that are no Input. */
export const controlClass =
  'w-full rounded-lg border border-line-strong bg-surface px-3 text-ink shadow-card transition-[border-color,box-shadow] duration-100 placeholder:text-faint hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent data-invalid:border-danger aria-invalid:border-danger data-invalid:focus-visible:outline-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted';
