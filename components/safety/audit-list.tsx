import { Sentence } from '#components/activity/sentence.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { foldActivity } from '#lib/client/activity/fold.ts';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';

export type AuditListProps = { title: string; rows: readonly AuditRow[]; none: string };

export function AuditList({ title, rows, none }: AuditListProps) {
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      {rows.length === 0 ? (
        <p className="mt-1 text-muted">{none}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {foldActivity([...rows]).map((happening) => (
            <li key={happening.row.id} className="py-1.5">
              <Sentence happening={happening} />
              <span className="block text-[0.8125rem] text-muted">
                <Time at={happening.row.at} />
                {happening.row.remoteAddress ? ` from ${happening.row.remoteAddress}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
