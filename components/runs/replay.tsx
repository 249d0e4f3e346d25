'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import {
  cancelReplay,
  type Replayable,
  type ReplayVersion,
  startReplay,
  toReplayed,
  useReplayJob,
  whyNotReplayed,
} from '#lib/client/bots/run-acts.ts';

const VERSIONS = [
  { value: 'live' as const, label: 'What is live' },
  { value: 'same' as const, label: 'The one each ran on' },
];

export type ReplayDialogProps = {
  projectId: string;
  /** In words, as they stand after "Run". */
  what: string;
  which: Replayable;
  onStarted: (jobId: string) => void;
  onClose: () => void;
};

/** Asks before runs are run again, for real. */
export function ReplayDialog({ projectId, what, which, onStarted, onClose }: ReplayDialogProps) {
  const [version, setVersion] = useState<ReplayVersion>('live');
  return (
    <ConfirmDialog
      title={`Run ${what} again?`}
      confirm={`Run ${what} again`}
      onConfirm={async () => onStarted(await startReplay(projectId, which, version))}
      onClose={onClose}
    >
      <p>
        The bots run <strong>for real</strong>, one run after the other, with the same inputs and the rights that they
        have now; one that runs as its caller, with yours. Each input is run once, however often it failed; one that has
        gone well since, or has been run again on that version, is left out.
      </p>
      <Field label="Version">
        <Select value={version} options={VERSIONS} onValueChange={setVersion} />
      </Field>
    </ConfirmDialog>
  );
}

/** One that has ended meanwhile is over as well. */
function sayUnlessOver(error: Error): void {
  if (!(error instanceof ApiError && error.status === 409)) sayFailure(error);
}

/** How it goes, and how it went. */
export function ReplayJob({ projectId, jobId, onClose }: { projectId: string; jobId: string; onClose: () => void }) {
  const job = useReplayJob(projectId, jobId);
  const isOver = Boolean(job.data?.transactionTime);
  const counts = job.data && toReplayed(job.data);
  const word = !isOver
    ? 'The runs are being run again.'
    : counts
      ? `Run again: ${counts.ok} ended well, ${counts.failed} did not, ${counts.refused} could not be run, ${counts.skipped} left out.${counts.unseen ? ' There are older ones.' : ''}`
      : ((job.data && whyNotReplayed(job.data)) ?? 'It ended before all were run again.');
  return (
    <Card className="mb-3 flex flex-wrap items-center gap-2 p-2 pl-4">
      {isOver ? null : <Spinner />}
      <p role="status" className="mr-auto tabular-nums">
        {job.error ? 'How it goes could not be read.' : word}
      </p>
      {isOver || job.error ? (
        <Button size="sm" variant="ghost" onClick={onClose}>
          Close
        </Button>
      ) : (
        <Button
          size="sm"
          onClick={() =>
            void cancelReplay(jobId)
              .catch(sayUnlessOver)
              .then(() => job.refetch())
          }
        >
          Stop
        </Button>
      )}
    </Card>
  );
}
