import type { ReactNode } from 'react';
import type { TypeCounts } from '#lib/protocol/record-erasure/answers.ts';

type Props = { title: string; counts: TypeCounts; children: ReactNode };

/** How many of each type, the most first. Nothing where there are none. */
export function TypeCountList({ title, counts, children }: Props) {
  const rows = Object.entries(counts).sort(([a, n], [b, m]) => m - n || a.localeCompare(b));
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-medium text-sm">
        {title}: <span className="tabular-nums">{sumOf(counts).toLocaleString('en')}</span>
      </h3>
      <p className="text-[0.8125rem] text-muted">{children}</p>
      <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {rows.map(([type, n]) => (
          <li key={type} className="min-w-0 break-words tabular-nums">
            {n.toLocaleString('en')} <span className="text-muted">{type}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function sumOf(counts: TypeCounts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}
