'use client';
import { LoaderCircle, Square } from 'lucide-react';
import { useState } from 'react';
import { toTriggerName } from '#components/bots/facts.ts';
import { Button } from '#components/ui/button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useRunningRuns, useStopRun } from '#lib/client/bots/runs.ts';
import type { RunningRun } from '#lib/protocol/bots/runs/bot-runs.ts';

/** How many runs have not ended, of one bot or of all, and which: of none nothing is said. */
export function RunningNow({ projectId, bot }: { projectId: string; bot?: string }) {
  const { data, error, refetch } = useRunningRuns(projectId);
  const [open, setOpen] = useState(false);
  const rows = (data?.rows ?? []).filter((run) => bot === undefined || run.bot.id === bot);
  return (
    <>
      {rows.length > 0 || open ? (
        <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
          <LoaderCircle aria-hidden="true" />
          {rows.length} running
        </Button>
      ) : null}
      <Sheet open={open} onOpenChange={setOpen} title="Running now">
        <div className="px-6 py-5">
          {error ? (
            <ErrorState error={error} what="what runs" onRetry={() => void refetch()} />
          ) : rows.length === 0 ? (
            <p className="text-muted">All of them have ended.</p>
          ) : (
            <ul aria-label="Running now" className="flex flex-col divide-y divide-line">
              {rows.map((run) => (
                <Running key={run.id} projectId={projectId} run={run} />
              ))}
            </ul>
          )}
          <p className="mt-4 text-[0.8125rem] text-muted">
            Runs stand here once they have lasted a second, and in the list when they have ended. What one has done
            stays done when it is stopped.
          </p>
        </div>
      </Sheet>
    </>
  );
}

function Running({ projectId, run }: { projectId: string; run: RunningRun }) {
  const { id, bot, version, trigger, at, requester, isStopping } = run;
  const stop = useStopRun(projectId);
  const name = bot.name || 'Unnamed bot';
  return (
    <li className="flex items-start gap-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted tabular-nums">
          {toTriggerName(trigger)} · v{version} · since <Time at={at} />
        </p>
        <p className="truncate text-[0.8125rem] text-muted">
          {requester?.display ?? requester?.reference ?? 'Unknown'}
        </p>
      </div>
      <Button
        size="sm"
        aria-label={`Stop ${name}, since ${new Date(at).toLocaleTimeString('en')}`}
        busy={stop.isPending}
        disabled={isStopping}
        onClick={() => stop.mutate(id, { onError: sayFailure })}
      >
        <Square aria-hidden="true" />
        {isStopping ? 'Stopping' : 'Stop'}
      </Button>
    </li>
  );
}
