import type { ReactNode } from 'react';
import { cn } from '../cn.ts';
import { ListRow } from './list-row.tsx';

/** What happened, newest first, along a line. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="ml-1.5 border-line border-l">
      {children}
    </ol>
  );
}

export type TimelineItemProps = { about?: string; children: ReactNode; className?: string };

/** `about`: see ListRow. */
export function TimelineItem({ about, children, className }: TimelineItemProps) {
  return (
    <ListRow about={about} className={cn('relative pb-5 pl-6 last:pb-0', className)}>
      <span
        aria-hidden="true"
        className="-left-[0.3125rem] absolute top-1.5 size-2.5 rounded-full border-2 border-canvas bg-muted"
      />
      {children}
    </ListRow>
  );
}

export type TimelineChange = { path: string; before?: string; after?: string };

/** What differs from before, a line each. `first`: there was no before. */
export function TimelineChanges({ changes, first = false }: { changes: readonly TimelineChange[]; first?: boolean }) {
  if (changes.length === 0) return null;
  return (
    <ul className="mt-1 text-[0.8125rem] text-muted">
      {changes.map(({ path, before = 'none', after = 'none' }) => (
        <li key={path} className="break-words">
          {path}: {first ? '' : `${before} → `}
          <span className="text-ink">{after}</span>
        </li>
      ))}
    </ul>
  );
}
