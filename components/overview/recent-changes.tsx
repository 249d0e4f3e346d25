'use client';
import { ScrollText } from 'lucide-react';
import Link from 'next/link';
import { Sentence, toActorName } from '#components/activity/sentence.tsx';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { foldActivity } from '#lib/client/activity/fold.ts';
import { useRecentChanges } from '#lib/client/overview/overview.ts';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';
import { Panel } from './panel.tsx';

export type RecentChangesProps = {
  projectId: string;
  /** From the overview; without them they are asked for here. */
  rows: readonly AuditRow[] | undefined;
};

const SHOWN = 10;

/** What administrators did last; sign-ins and records are left to Activity. */
export function RecentChanges({ projectId, rows: known }: RecentChangesProps) {
  const home = `/p/${projectId}/activity`;
  const recent = useRecentChanges(projectId, known === undefined);
  const rows = known ?? recent.data;
  return (
    <Panel id="recent" title="Recent changes" more={{ label: 'All activity', href: home }}>
      {!rows ? (
        recent.error ? (
          <ErrorState error={recent.error} what="the last changes" onRetry={() => void recent.refetch()} />
        ) : (
          <SkeletonRegion label="Loading the last changes" className="flex flex-col gap-5 p-4">
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </SkeletonRegion>
        )
      ) : rows.length === 0 ? (
        <EmptyState icon={<ScrollText />} title="Nothing has changed yet" className="py-10" />
      ) : (
        <ul className="divide-y divide-line">
          {foldActivity(rows)
            .slice(0, SHOWN)
            .map((happening) => {
              const { row } = happening;
              return (
                <li key={row.id} className="relative flex min-h-13 items-center gap-3 px-4 py-2 hover:bg-hover/60">
                  <Avatar name={toActorName(row)} className="size-7 text-[0.6875rem]" />
                  <Link
                    href={`${home}?target=${row.target.reference}&row=${row.id}`}
                    className="min-w-0 flex-1 after:absolute after:inset-0"
                  >
                    <Sentence happening={happening} />
                  </Link>
                  <Time at={row.at} className="shrink-0 text-muted text-xs" />
                </li>
              );
            })}
        </ul>
      )}
    </Panel>
  );
}
