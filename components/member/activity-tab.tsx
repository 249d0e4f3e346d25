'use client';
import { History } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/skeleton.tsx';
import { Time } from '#components/ui/time.tsx';
import { type AuditNames, type AuditRow, useActivity } from '#lib/client/activity.ts';
import { toActionWords, toChanges } from './audit-words.ts';

/** What was done to this member, newest first, with before and after. */
export function ActivityTab({ projectId, membershipId }: { projectId: string; membershipId: string }) {
  const target = `ProjectMembership/${membershipId}`;
  const activity = useActivity(projectId, { area: 'any', outcome: 'any', actor: '', target, from: '', to: '' });
  if (activity.error && !activity.data) {
    return (
      <Card>
        <ErrorState error={activity.error} what="the activity" onRetry={() => void activity.refetch()} />
      </Card>
    );
  }
  if (!activity.data) {
    return (
      <SkeletonRegion label="Loading the activity" className="flex flex-col gap-5">
        {['w-3/5', 'w-2/5', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </SkeletonRegion>
    );
  }
  const rows = activity.data.pages.flatMap((page) => page.rows);
  const names = Object.assign({}, ...activity.data.pages.map((page) => page.names ?? {})) as AuditNames;
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState icon={<History />} title="Nothing happened yet">
          Every change of this member’s role, access and status appears here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <ol className="ml-1.5 border-line border-l">
        {rows.map((row) => (
          <Entry key={row.id} row={row} names={names} />
        ))}
      </ol>
      {activity.hasNextPage ? (
        <Button className="mt-4" busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
    </>
  );
}

function Entry({ row, names }: { row: AuditRow; names: AuditNames }) {
  const changes = toChanges(row.before, row.after, names);
  return (
    <li className="relative pb-5 pl-6 last:pb-0">
      <span
        aria-hidden="true"
        className="-left-[0.3125rem] absolute top-1.5 size-2.5 rounded-full border-2 border-canvas bg-muted"
      />
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{toActionWords(row.action)}</span>
        {row.outcome === 'failure' ? <Badge tone="danger">Refused</Badge> : null}
        <span className="text-muted">
          by {row.actor.display ?? row.actor.reference ?? 'the system'}, <Time at={row.at} />
        </span>
      </p>
      {changes.length > 0 ? (
        <ul className="mt-1 text-[0.8125rem] text-muted">
          {changes.map(({ field, before, after }) => (
            <li key={field} className="break-words">
              {field}: {before} → <span className="text-ink">{after}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
