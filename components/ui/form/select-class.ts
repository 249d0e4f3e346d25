export const selectClass =
  'h-9 rounded-lg border border-line-strong bg-surface pr-2.5 pl-3 text-ink text-sm shadow-card hover:border-muted disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted data-invalid:border-danger aria-invalid:border-danger max-sm:text-base';
