'use client';
import { toDuration, toTriggerName } from '#components/bots/facts.ts';
import { RunBadge } from '#components/bots/runs/run-badge.tsx';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { ProjectRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { RunRowsProps } from './table.tsx';

/** The same list where a table has no room. */
export function RunsCards({ runs, stale, selection, onOpen, ofOne }: RunRowsProps) {
  if (!runs) return <Waiting />;
  return (
    <ul
      aria-label="Runs"
      aria-busy={stale}
      className={cn('flex flex-col gap-2 transition-opacity duration-150 md:hidden', stale && 'opacity-55')}
    >
      {runs.map((run) => (
        <li key={run.id}>
          <RunCard run={run} selection={selection} onOpen={onOpen} ofOne={ofOne} />
        </li>
      ))}
    </ul>
  );
}

type RunCardProps = Pick<RunRowsProps, 'selection' | 'onOpen' | 'ofOne'> & { run: ProjectRun };

function RunCard({ run, selection, onOpen, ofOne }: RunCardProps) {
  const facts = [toTriggerName(run.trigger), run.version !== null && `v${run.version}`, toDuration(run.durationMs)];
  return (
    <Card data-row={run.id} className="relative p-4">
      <div className="flex items-start justify-between gap-3">
        <button
          type="button"
          data-row-link=""
          onClick={() => onOpen(run.id)}
          className="min-h-6 min-w-0 truncate text-left font-medium after:absolute after:inset-0"
        >
          {ofOne ? <Time at={run.at} /> : run.bot.name || 'Unnamed bot'}
        </button>
        <span className="flex shrink-0 items-center gap-2">
          <RunBadge status={run.status} />
          <Checkbox
            aria-label={`Choose the run of ${run.bot.name || 'an unnamed bot'} at ${run.at}`}
            checked={selection.has(run.id)}
            onCheckedChange={(on, { shift }) => selection.toggle(run.id, on, shift)}
            className="z-1"
          />
        </span>
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-muted tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
      <p className="mt-1 flex gap-1.5 text-[0.8125rem] text-muted">
        {ofOne ? null : (
          <>
            <Time at={run.at} className="shrink-0" />
            <span aria-hidden="true">·</span>
          </>
        )}
        <span className="min-w-0 truncate">{run.requester?.display ?? run.requester?.reference ?? 'Unknown'}</span>
      </p>
      {ofOne && run.message ? (
        <p className="mt-1 truncate text-[0.8125rem] text-muted">{run.message.split('\n')[0]}</p>
      ) : null}
    </Card>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading runs" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2, 3, 4].map((card) => (
        <Card key={card} className="flex h-25 flex-col gap-2.5 p-4">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-3 w-3/5" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
