'use client';
import Link from 'next/link';
import { RunBadge } from '#components/bots/runs/run-badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useResolveFault } from '#lib/client/bots/run-sight.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import type { ErrorGroup } from '#lib/protocol/bots/runs/run-sight.ts';

export type FaultCardProps = {
  projectId: string;
  group: ErrorGroup;
  bot: string;
  /** It leaves the list that it stands in. */
  onGone: () => void;
  /** Its runs are to be run again. */
  onReplay: () => void;
};

/** One fault: how often and where, who has resolved it, and what is done about that. */
export function FaultCard({ projectId, group, bot, onGone, onReplay }: FaultCardProps) {
  const resolve = useResolveFault(projectId);
  const query = new URLSearchParams({ fingerprint: group.fingerprint, ...(bot && { bot }) });
  const bots = group.bots.map(({ name }) => name || 'Unnamed bot').join(', ');
  const versions = group.versions.map((version) => `v${version}`).join(', ');
  const message = group.message?.split('\n')[0] ?? 'What it said is not kept any more';
  const isResolved = group.resolved !== null && !group.resolved.again;
  const turn = async () => {
    try {
      await resolve.mutateAsync({ fingerprint: group.fingerprint, isResolved: !isResolved });
      toast({
        title: isResolved ? 'The error is open again' : 'The error is resolved',
        description: isResolved ? undefined : 'It opens again by itself when a run fails like this from now on.',
      });
      onGone();
    } catch (error) {
      sayFailure(error as Error);
    }
  };
  return (
    <Card className="relative p-4 hover:bg-hover/60">
      <div className="flex items-start justify-between gap-3">
        <Link
          href={`/p/${projectId}/runs?${query}`}
          className="line-clamp-2 min-h-6 min-w-0 break-words font-medium font-mono text-[0.8125rem] leading-6 after:absolute after:inset-0"
        >
          {message}
        </Link>
        <span className="shrink-0">
          <RunBadge status={group.status as RunState} />
        </span>
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-muted tabular-nums">
        {group.count === 1 ? 'Once' : `${group.count.toLocaleString('en')} times`} · {bots}
        {versions ? ` · ${versions}` : ''}
        {group.deadLetters > 0 ? (
          <>
            {' · '}
            <Link
              href={`/p/${projectId}/${bot ? `bots/${bot}?tab=dead-letters&` : 'dead-letters?'}error=${group.fingerprint}`}
              className="relative text-accent-text underline underline-offset-3"
            >
              {group.deadLetters === 1 ? 'one event was' : `${group.deadLetters.toLocaleString('en')} events were`}{' '}
              given up
            </Link>
          </>
        ) : null}
      </p>
      <div className="mt-1 flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
        <div className="text-[0.8125rem] text-muted">
          <p className="flex flex-wrap gap-x-1.5">
            <span>
              Last <Time at={group.lastAt} />
            </span>
            {group.count > 1 ? (
              <span>
                · first <Time at={group.firstAt} />
              </span>
            ) : null}
          </p>
          <Resolved resolved={group.resolved} />
        </div>
        <div className="flex flex-wrap gap-2">
          {isResolved ? null : (
            <Button size="sm" className="relative" aria-label={`Run again: ${message}`} onClick={onReplay}>
              Run again…
            </Button>
          )}
          <Button
            size="sm"
            className="relative"
            busy={resolve.isPending}
            aria-label={`${isResolved ? 'Open again' : 'Resolve'}: ${message}`}
            onClick={() => void turn()}
          >
            {isResolved ? 'Open again' : 'Resolve'}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Resolved({ resolved }: Pick<ErrorGroup, 'resolved'>) {
  if (!resolved) return null;
  return (
    <p>
      Resolved by {resolved.by?.display ?? 'somebody who is not there any more'}, <Time at={resolved.at} />
      {resolved.again ? ': it has failed again since' : ''}
    </p>
  );
}
