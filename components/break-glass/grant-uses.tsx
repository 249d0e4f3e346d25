'use client';
import Link from 'next/link';
import { Card } from '#components/ui/display/card.tsx';
import type { GrantDetail } from '#lib/protocol/break-glass/answers.ts';
import { toType, toUse } from './facts.ts';

/** What was done under it, by type, and the way to the lines of the log. */
export function GrantUses({ projectId, grant }: { projectId: string; grant: GrantDetail }) {
  const { use, more, member, openedAt, endedAt, endsAt } = grant;
  const [from, to] = [openedAt, endedAt ?? endsAt].map(toDay);
  const search = new URLSearchParams({ actor: member.reference, from: from!, to: to! });
  return (
    <Card className="mt-4 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-[0.9375rem]">What was done under it</h2>
        <Link
          href={`/p/${projectId}/activity?${search}`}
          className="text-[0.8125rem] text-accent-text underline underline-offset-3"
        >
          All that they did these days, in the log
        </Link>
      </div>
      {use.length === 0 ? (
        <p className="mt-2 text-muted">Nothing yet that the log has. It is a moment behind.</p>
      ) : (
        <dl className="mt-2 divide-y divide-line">
          {use.map((row) => (
            <div key={row.type} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <dt className="w-40 min-w-0 break-words font-medium">
                {row.type === 'Project' ? (
                  toType(row.type)
                ) : (
                  <Link
                    href={`/p/${projectId}/activity?${new URLSearchParams([...search, ['target', row.type]])}`}
                    className="text-accent-text underline underline-offset-3"
                  >
                    {toType(row.type)}
                  </Link>
                )}
              </dt>
              <dd className="min-w-0 flex-1 text-muted">{toUse(row)}</dd>
            </div>
          ))}
        </dl>
      )}
      {more ? <p className="mt-2 text-[0.8125rem] text-muted">There is more than was counted: see the log.</p> : null}
    </Card>
  );
}

/** A day here, as the log is searched by. */
function toDay(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
