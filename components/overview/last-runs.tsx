'use client';
import { Bot } from 'lucide-react';
import Link from 'next/link';
import { RunBadge } from '#components/bots/runs/run-badge.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useBots } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { Panel } from './panel.tsx';

const SHOWN = 5;

/** The bots that ran last, and how that ended. */
export function LastRuns({ projectId }: { projectId: string }) {
  const bots = useBots(projectId);
  const home = `/p/${projectId}/bots`;
  return (
    <Panel id="last-runs" title="Bots" more={bots.data?.rows.length ? { label: 'All bots', href: home } : undefined}>
      {bots.data?.rows.length === 0 ? (
        <EmptyState
          icon={<Bot />}
          title="No bots yet"
          className="py-10"
          action={
            <Link href={home} className={buttonClass({})}>
              Start from a template
            </Link>
          }
        >
          Bots run your code on this side of the gate, under a membership of their own.
        </EmptyState>
      ) : bots.data ? (
        <ul className="divide-y divide-line">
          {byLastRun(bots.data.rows).map((bot) => (
            <li key={bot.id} className="relative flex min-h-13 items-center gap-3 px-4 py-2 hover:bg-hover/60">
              <Link
                href={`${home}/${bot.id}`}
                className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
              >
                {bot.name ?? 'Unnamed bot'}
              </Link>
              {bot.lastRun ? (
                <>
                  <RunBadge status={bot.lastRun.status} />
                  <Time at={bot.lastRun.at} className="text-muted text-xs" />
                </>
              ) : (
                <span className="text-muted text-xs">Has not run</span>
              )}
            </li>
          ))}
        </ul>
      ) : bots.error ? (
        <ErrorState error={bots.error} what="the bots" onRetry={() => void bots.refetch()} />
      ) : (
        <SkeletonRegion label="Loading bots" className="flex flex-col gap-5 p-4">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      )}
    </Panel>
  );
}

function byLastRun(rows: readonly BotRow[]): BotRow[] {
  const timeOf = ({ lastRun }: BotRow) => (lastRun ? Date.parse(lastRun.at) : 0);
  return rows.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, SHOWN);
}
