'use client';
import { Eye, EyeOff, FlaskConical, RotateCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useRevealRun } from '#lib/client/bots/run-acts.ts';
import { useRun } from '#lib/client/bots/runs.ts';
import { toSampleInput } from '#lib/client/bots/sample-of-run.ts';
import { toWritten } from '#lib/client/bots/waterfall.ts';
import { useLimited } from '#lib/client/frame/limited.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';
import { isNote, isReplayable } from '#lib/protocol/bots/runs/is-note.ts';
import { LogLines } from '../runs/log-lines.tsx';
import { RunCalls } from './calls.tsx';
import { RunContents } from './contents.tsx';
import { RunDenied } from './denied.tsx';
import { RunFacts } from './facts.tsx';
import { RunPart } from './part.tsx';
import { StackText } from './stack-text.tsx';
import { useRevealed } from './use-revealed.ts';

// Their forms come with the first press.
const RevealDialog = dynamic(() => import('./reveal-dialog.tsx').then((module) => module.RevealDialog), {
  ssr: false,
  loading: DialogLoading,
});
const RunAgainDialog = dynamic(() => import('./again-dialog.tsx').then((module) => module.RunAgainDialog), {
  ssr: false,
  loading: DialogLoading,
});

const KeepSample = dynamic(() => import('../life/keep-sample.tsx').then((module) => module.KeepSample), {
  ssr: false,
  loading: DialogLoading,
});

export type RunSheetProps = {
  projectId: string;
  runId: string;
  /** To another run, in the place of this one. */
  onTurn: (runId: string) => void;
  onClose: () => void;
};

/** One run: how it ended and who called it, what it said, asked for and wrote, what went in and came out. */
export function RunSheet({ projectId, runId, onTurn, onClose }: RunSheetProps) {
  const run = useRun(projectId, runId);
  return (
    <Sheet open inUrl onOpenChange={(open) => open || onClose()} title="Run" className="max-w-2xl">
      {run.data ? (
        <Details key={runId} projectId={projectId} run={run.data} onTurn={onTurn} />
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

type DetailsProps = { projectId: string; run: BotRunDetail; onTurn: (runId: string) => void };

function Details({ projectId, run, onTurn }: DetailsProps) {
  const reveal = useRevealed(useRevealRun(projectId, run.id));
  const { revealed } = reveal;
  const isLimited = useLimited();
  const [asking, setAsking] = useState<'again' | 'keep'>();
  const close = () => setAsking(undefined);
  const shown = revealed ?? run;
  const written = toWritten(shown.calls);
  const sample = revealed && toSampleInput(revealed);
  return (
    <>
      <RunFacts projectId={projectId} run={shown} onTurn={onTurn} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-6 pb-5">
        {isReplayable(run) ? (
          <Button size="sm" onClick={() => setAsking('again')}>
            <RotateCw aria-hidden="true" />
            Run again…
          </Button>
        ) : null}
        {revealed ? (
          <Button size="sm" onClick={reveal.mask}>
            <EyeOff aria-hidden="true" />
            Mask again
          </Button>
        ) : hasMore(run) && !isLimited ? (
          <Button size="sm" onClick={reveal.ask}>
            <Eye aria-hidden="true" />
            Reveal…
          </Button>
        ) : null}
        {sample ? (
          <Button size="sm" onClick={() => setAsking('keep')}>
            <FlaskConical aria-hidden="true" />
            Keep as a sample…
          </Button>
        ) : null}
        {isNote(run) ? (
          <p className="text-[0.8125rem] text-muted">
            It was not begun: its event is among the{' '}
            <Link href={`/p/${projectId}/dead-letters`} className="text-accent-text underline underline-offset-3">
              dead letters
            </Link>
            .
          </p>
        ) : null}
        <p role="status" className="text-[0.8125rem] text-muted">
          {revealed ? 'Shown as it was.' : hasMore(run) ? 'Shown without what identifies somebody.' : ''}
        </p>
      </div>
      <RunDenied projectId={projectId} run={run} />
      {shown.message ? (
        <RunPart title="Message">
          <pre className="whitespace-pre-wrap break-words rounded-lg bg-danger-soft p-3 font-mono text-danger-text text-xs leading-5">
            <StackText projectId={projectId} botId={shown.bot.id} text={shown.message} />
          </pre>
        </RunPart>
      ) : null}
      <RunPart title="Logs">
        {shown.logs.length > 0 ? (
          <div className="-mx-4">
            <LogLines logs={shown.logs} />
          </div>
        ) : (
          <p className="text-muted">This run logged nothing.</p>
        )}
      </RunPart>
      <RunPart title="Calls" note={shown.calls.length > 0 ? String(shown.calls.length) : undefined}>
        <RunCalls calls={shown.calls} durationMs={shown.durationMs} />
      </RunPart>
      {written.length > 0 ? (
        <RunPart title="What it wrote" note={String(written.length)}>
          <ul aria-label="What it wrote" className="flex flex-col gap-1">
            {written.map((reference) => (
              <li key={reference} className="break-all font-mono text-xs leading-5">
                {reference}
              </li>
            ))}
          </ul>
        </RunPart>
      ) : null}
      <RunContents title="Input" content={shown.input} isMasked={shown.isMasked} none="It was given nothing." />
      <RunContents title="Output" content={shown.output} isMasked={shown.isMasked} none="It answered nothing." />
      {reveal.isAsking ? <RevealDialog what="run" {...reveal.dialog} /> : null}
      {asking === 'keep' && sample ? (
        <KeepSample
          projectId={projectId}
          botId={run.bot.id}
          input={sample}
          from="What went into this run"
          onClose={close}
        />
      ) : null}
      {asking === 'again' ? <RunAgainDialog projectId={projectId} run={shown} onDone={onTurn} onClose={close} /> : null}
    </>
  );
}

/** There is something that masking may have taken out. */
function hasMore({ message, logs, input, output }: BotRunDetail): boolean {
  return message !== null || logs.length > 0 || Boolean(input?.isKept) || Boolean(output?.isKept);
}
