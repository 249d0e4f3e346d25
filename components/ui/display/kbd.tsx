import type { ReactNode } from 'react';

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-md border border-line bg-sunken px-1 font-sans text-[0.6875rem] text-muted">
      {children}
    </kbd>
  );
}
