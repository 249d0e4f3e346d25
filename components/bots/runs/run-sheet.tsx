'use client';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useRun } from '#lib/client/bots/runs.ts';
import type { BotRunDetail } from '#lib/protocol/bots/bot-runs.ts';
import { toDuration } from '../facts.ts';
import { LogLines } from './log-lines.tsx';
import { RunBadge } from './run-badge.tsx';

export type RunSheetProps = { projectId: string; botId: string; runId: string; onClose: () => void };

/** One run: how it ended, who called it, what it logged. */
export function RunSheet({ projectId, botId, runId, onClose }: RunSheetProps) {
  const run = useRun(projectId, botId, runId);
  return (
    <Sheet open inUrl onOpenChange={(open) => open || onClose()} title="Run" className="max-w-xl">
      {run.data ? (
        <Details run={run.data} />
      ) : run.error ? (
        <ErrorState error={run.error} what="this run" onRetry={() => void run.refetch()} />
      ) : (
        <SkeletonRegion label="Loading the run" className="flex flex-col gap-4 p-6">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
          <Skeleton className="h-32" />
        </SkeletonRegion>
      )}
    </Sheet>
  );
}

function Details({ run }: { run: BotRunDetail }) {
  return (
    <>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-y-2.5 px-6 py-5">
        <Fact label="Status">
          <RunBadge status={run.status} />
        </Fact>
        <Fact label="Started">
          <Time at={run.at} />
        </Fact>
        <Fact label="Took">{toDuration(run.durationMs)}</Fact>
        <Fact label="Version">{run.version === null ? 'Unknown' : `v${run.version}`}</Fact>
        <Fact label="Trigger">{run.trigger === 'http' ? 'HTTP call' : run.trigger}</Fact>
        <Fact label="Caller">{run.requester?.display ?? run.requester?.reference ?? 'Unknown'}</Fact>
        <Fact label="Request id">
          <code className="min-w-0 truncate font-mono text-xs">{run.requestId}</code>
          <CopyButton value={run.requestId} label="Copy request id" className="-my-1" />
        </Fact>
      </dl>
      {run.message ? (
        <section aria-labelledby="run-message" className="border-line border-t px-6 py-5">
          <h3 id="run-message" className="mb-2 font-medium">
            Message
          </h3>
          <pre className="whitespace-pre-wrap break-words rounded-lg bg-danger-soft p-3 font-mono text-danger-text text-xs leading-5">
            {run.message}
          </pre>
        </section>
      ) : null}
      <section aria-labelledby="run-logs" className="border-line border-t py-5">
        <h3 id="run-logs" className="mb-2 px-6 font-medium">
          Logs
        </h3>
        {run.logs.length > 0 ? (
          <div className="px-2">
            <LogLines logs={run.logs} />
          </div>
        ) : (
          <p className="px-6 text-muted">This run logged nothing.</p>
        )}
      </section>
    </>
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
