import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

/** What narrows a list: `f` leads to its first choice. `onClear` is there while anything is narrowed. */
export function FilterBar({ children, onClear }: { children: ReactNode; onClear?: () => void }) {
  return (
    <search data-filters="" className="mb-4 flex flex-wrap items-center gap-2">
      {children}
      {onClear ? (
        <Button variant="ghost" size="sm" onClick={onClear}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}
