'use client';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { RunBadge } from '#components/bots/runs/run-badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import type { RunSearch } from '#lib/client/bots/run-search.ts';
import { useRunErrors } from '#lib/client/bots/run-sight.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import type { ErrorGroup } from '#lib/protocol/bots/runs/run-sight.ts';

export type RunErrorsProps = {
  projectId: string;
  search: Pick<RunSearch, 'bot' | 'window'>;
};

/** Failures by what is one fault, the newest first; each leads to its runs. */
export function RunErrors({ projectId, search }: RunErrorsProps) {
  const errors = useRunErrors(projectId, search);
  if (errors.error && !errors.data)
    return (
      <Card>
        <ErrorState error={errors.error} what="the errors" onRetry={() => void errors.refetch()} />
      </Card>
    );
  if (!errors.data)
    return (
      <SkeletonRegion label="Loading errors" className="flex flex-col gap-2">
        {[0, 1, 2].map((card) => (
          <Card key={card} className="flex h-24 flex-col gap-2.5 p-4">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-2/3" />
          </Card>
        ))}
      </SkeletonRegion>
    );
  const { groups, lookedTo } = errors.data;
  if (groups.length === 0)
    return (
      <Card>
        <EmptyState icon={<CircleCheck />} title="Nothing failed">
          Runs that fail for one reason stand here together.
        </EmptyState>
      </Card>
    );
  return (
    <>
      <ul aria-label="Errors" className="flex flex-col gap-2">
        {groups.map((group) => (
          <li key={group.fingerprint}>
            <Group projectId={projectId} group={group} bot={search.bot} />
          </li>
        ))}
      </ul>
      {lookedTo ? (
        <p className="mt-3 text-[0.8125rem] text-muted">
          The newest failures, back to <Time at={lookedTo} />: there are more of them.
        </p>
      ) : null}
    </>
  );
}

function Group({ projectId, group, bot }: { projectId: string; group: ErrorGroup; bot: string }) {
  const query = new URLSearchParams({ fingerprint: group.fingerprint, ...(bot && { bot }) });
  const bots = group.bots.map(({ name }) => name || 'Unnamed bot').join(', ');
  const versions = group.versions.map((version) => `v${version}`).join(', ');
  return (
    <Card className="relative p-4 hover:bg-hover/60">
      <div className="flex items-start justify-between gap-3">
        <Link
          href={`/p/${projectId}/runs?${query}`}
          className="line-clamp-2 min-h-6 min-w-0 break-words font-medium font-mono text-[0.8125rem] leading-6 after:absolute after:inset-0"
        >
          {group.message?.split('\n')[0] ?? 'What it said is not kept any more'}
        </Link>
        <span className="shrink-0">
          <RunBadge status={group.status as RunState} />
        </span>
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-muted tabular-nums">
        {group.count === 1 ? 'Once' : `${group.count.toLocaleString('en')} times`} · {bots}
        {versions ? ` · ${versions}` : ''}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-1.5 text-[0.8125rem] text-muted">
        <span>
          Last <Time at={group.lastAt} />
        </span>
        {group.count > 1 ? (
          <span>
            · first <Time at={group.firstAt} />
          </span>
        ) : null}
      </p>
    </Card>
  );
}
