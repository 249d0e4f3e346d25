'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useReplayRun } from '#lib/client/bots/run-acts.ts';
import type { BotRunDetail } from '#lib/protocol/bots/bot-runs.ts';

export type RunAgainDialogProps = {
  projectId: string;
  run: BotRunDetail;
  onDone: (runId: string) => void;
  onClose: () => void;
};

/** Asks on which version. */
export function RunAgainDialog({ projectId, run, onDone, onClose }: RunAgainDialogProps) {
  const replay = useReplayRun(projectId, run);
  const [version, setVersion] = useState<'live' | 'same'>('live');
  const same = run.version === null ? [] : [{ value: 'same' as const, label: `The one it ran on, v${run.version}` }];
  return (
    <ConfirmDialog
      title="Run this again?"
      confirm="Run again"
      onConfirm={async () => {
        const { run: made, status } = await replay.mutateAsync(version);
        onDone(made);
        toast(
          status === 'ok'
            ? { title: 'It ran, and ended well' }
            : { title: 'It ran, and did not end well', tone: 'danger' },
        );
      }}
      onClose={onClose}
    >
      <p>
        The bot runs <strong>for real</strong>, with the same input and the rights that it has now: what it writes is
        kept.
      </p>
      <Field label="Version">
        <Select
          value={version}
          options={[{ value: 'live' as const, label: 'What is live' }, ...same]}
          onValueChange={setVersion}
        />
      </Field>
    </ConfirmDialog>
  );
}
