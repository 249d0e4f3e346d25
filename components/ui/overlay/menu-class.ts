/** The looks that every menu shares. */
export const popupClass =
  'max-h-(--available-height) min-w-48 origin-(--transform-origin) overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-pop outline-none transition-[opacity,scale] duration-100 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0';

export const itemClass =
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 py-1 text-sm outline-none data-highlighted:bg-hover data-disabled:text-faint [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted';
