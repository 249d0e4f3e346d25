'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { cancelReplay, startReplay, toReplayed, useReplayJob } from '#lib/client/bots/run-acts.ts';

const VERSIONS = [
  { value: 'live' as const, label: 'What is live' },
  { value: 'same' as const, label: 'The one each ran on' },
];

export type ReplayBarProps = { projectId: string; chosen: ReadonlySet<string>; onClear: () => void };

/** What can be done with the chosen runs, and how the last of it went. */
export function ReplayBar({ projectId, chosen, onClear }: ReplayBarProps) {
  const [asking, setAsking] = useState(false);
  const [version, setVersion] = useState<'live' | 'same'>('live');
  const [job, setJob] = useState('');
  const many = `${chosen.size} ${chosen.size === 1 ? 'run' : 'runs'}`;
  return (
    <>
      {chosen.size > 0 ? (
        <Card className="mb-3 flex flex-wrap items-center gap-2 p-2 pl-4">
          <p className="mr-auto font-medium tabular-nums">{many} chosen</p>
          <Button size="sm" onClick={() => setAsking(true)}>
            Run again…
          </Button>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Choose none
          </Button>
        </Card>
      ) : null}
      {job ? <Job key={job} projectId={projectId} jobId={job} onClose={() => setJob('')} /> : null}
      {asking ? (
        <ConfirmDialog
          title={`Run ${many} again?`}
          confirm={`Run ${many} again`}
          onConfirm={async () => {
            setJob(await startReplay(projectId, [...chosen], version));
            onClear();
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            The bots run <strong>for real</strong>, one run after the other, with the same inputs and the rights that
            they have now. A run that has been run again well, or on that version, is left out.
          </p>
          <Field label="Version">
            <Select value={version} options={VERSIONS} onValueChange={setVersion} />
          </Field>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Job({ projectId, jobId, onClose }: { projectId: string; jobId: string; onClose: () => void }) {
  const job = useReplayJob(projectId, jobId);
  const isOver = Boolean(job.data?.transactionTime);
  const counts = job.data && toReplayed(job.data);
  const word = !isOver
    ? 'The runs are being run again.'
    : counts
      ? `Run again: ${counts.ok} ended well, ${counts.failed} did not, ${counts.refused} could not be run, ${counts.skipped} left out.`
      : 'It ended before all were run again.';
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
        <Button size="sm" onClick={() => void cancelReplay(jobId).then(() => job.refetch())}>
          Stop
        </Button>
      )}
    </Card>
  );
}
