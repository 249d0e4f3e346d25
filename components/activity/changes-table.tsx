import { toChanges } from '#lib/client/activity/changes.ts';
import type { AuditNames } from '#lib/protocol/answers/audit.ts';

export type ChangesTableProps = { before: unknown; after: unknown; names: AuditNames };

/** Only what differs. Of clinical records the log holds version numbers and nothing more. */
export function ChangesTable({ before, after, names }: ChangesTableProps) {
  const changes = toChanges(before, after, names);
  return (
    <section aria-labelledby="changes" className="border-line border-t px-6 py-5">
      <h3 id="changes" className="mb-3 font-medium">
        Before and after
      </h3>
      {changes.length === 0 ? (
        <p className="text-muted">This action changed no stored value.</p>
      ) : (
        <dl className="flex flex-col gap-4">
          {changes.map((change) => (
            <div key={change.path}>
              <dt className="mb-1 break-all font-mono text-muted text-xs">{change.path}</dt>
              {change.before === undefined ? null : (
                <dd className="break-words rounded-t-md bg-danger-soft px-2.5 py-1 text-danger-text text-[0.8125rem] last:rounded-b-md">
                  <span className="mr-2 select-none" aria-hidden="true">
                    −
                  </span>
                  <span className="sr-only">Before: </span>
                  {change.before}
                </dd>
              )}
              {change.after === undefined ? null : (
                <dd className="break-words rounded-b-md bg-good-soft px-2.5 py-1 text-[0.8125rem] text-good-text first-of-type:rounded-t-md">
                  <span className="mr-2 select-none" aria-hidden="true">
                    +
                  </span>
                  <span className="sr-only">After: </span>
                  {change.after}
                </dd>
              )}
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
