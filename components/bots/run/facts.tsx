'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toDuration, toMemory, toTriggerName } from '../facts.ts';
import { RunBadge } from '../runs/run-badge.tsx';

export type RunFactsProps = { projectId: string; run: BotRunDetail; onTurn: (runId: string) => void };

/** What made a run, how it ended, and what it took. */
export function RunFacts({ projectId, run, onTurn }: RunFactsProps) {
  const { replayOf } = run;
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-y-2.5 px-6 py-5">
      <Fact label="Status">
        <RunBadge status={run.status} />
      </Fact>
      <Fact label="Bot">
        <Link
          href={`/p/${projectId}/bots/${run.bot.id}`}
          className="min-w-0 truncate rounded-sm leading-6 underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          {run.bot.name || 'Unnamed bot'}
        </Link>
      </Fact>
      <Fact label="Started">
        <Time at={run.at} />
      </Fact>
      <Fact label="Took">{toDuration(run.durationMs)}</Fact>
      <Fact label="Processor">{run.cpuMs === null ? 'Unknown' : toDuration(run.cpuMs)}</Fact>
      <Fact label="Memory">{toMemory(run)}</Fact>
      <Fact label="Version">{run.version === null ? 'Unknown' : `v${run.version}`}</Fact>
      <Fact label="Trigger">{toTriggerName(run.trigger)}</Fact>
      {replayOf ? (
        <Fact label="Replay of">
          <Button variant="link" className="min-h-6 font-normal" onClick={() => onTurn(replayOf)}>
            An earlier run
          </Button>
        </Fact>
      ) : null}
      <Fact label="Caller">{run.requester?.display ?? run.requester?.reference ?? 'Unknown'}</Fact>
      {run.traceId ? <CodeFact label="Trace id" copy="Copy trace id" value={run.traceId} /> : null}
      <CodeFact label="Request id" copy="Copy request id" value={run.requestId} />
    </dl>
  );
}

function CodeFact({ label, copy, value }: { label: string; copy: string; value: string }) {
  return (
    <Fact label={label}>
      <code className="min-w-0 truncate font-mono text-xs">{value}</code>
      <CopyButton value={value} label={copy} className="-my-1" />
    </Fact>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex min-w-0 items-center gap-2">{children}</dd>
    </>
  );
}
