import type { ReactNode } from 'react';

/**
 * What concerns the whole of a list and comes and goes: its jobs, what is selected. It stands below the list, in sight at the foot of
 * the window, so that nothing above it moves when something comes.
 */
export function Dock({ children }: { children: ReactNode }) {
  return (
    <div data-dock="" className="sticky bottom-3 z-20 mt-3 flex flex-col gap-2 empty:hidden print:hidden">
      {children}
    </div>
  );
}
