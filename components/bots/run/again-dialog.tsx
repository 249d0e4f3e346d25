'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useReplayRun } from '#lib/client/bots/run-acts.ts';
import { useLimited } from '#lib/client/frame/limited.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';

export type RunAgainDialogProps = {
  projectId: string;
  /** As it was where it is revealed: only then its input can be changed, since what is masked is no input. */
  run: BotRunDetail;
  onDone: (runId: string) => void;
  onClose: () => void;
};

/** Asks on which version. */
export function RunAgainDialog({ projectId, run, onDone, onClose }: RunAgainDialogProps) {
  const replay = useReplayRun(projectId, run);
  const isLimited = useLimited();
  const given = run.isMasked ? null : (run.input?.text ?? null);
  const [text, setText] = useState(toLines(given ?? ''));
  const isChanged = given !== null && text !== toLines(given);
  useHold(isChanged);
  const [version, setVersion] = useState<'live' | 'same'>('live');
  const same = run.version === null ? [] : [{ value: 'same' as const, label: `The one it ran on, v${run.version}` }];
  return (
    <ConfirmDialog
      title="Run this again?"
      confirm="Run again"
      keep={isChanged}
      onConfirm={async () => {
        const { run: made, status } = await replay.mutateAsync({
          version,
          ...(isChanged && { input: run.input?.kind === 'hl7' ? text.replaceAll('\n', '\r') : text }),
        });
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
        The bot runs <strong>for real</strong>, with {isChanged ? 'this' : 'the same'} input and the rights that it has
        now: what it writes is kept.
      </p>
      <Field label="Version">
        <Select
          value={version}
          options={[{ value: 'live' as const, label: 'What is live' }, ...same]}
          onValueChange={setVersion}
        />
      </Field>
      {given === null ? (
        run.input && !isLimited ? (
          <p className="text-[0.8125rem] text-muted">To change the input, reveal the run first.</p>
        ) : null
      ) : (
        <Field label="Input" description={isChanged ? 'Changed: the audit log says so.' : 'As it was.'}>
          <TextArea
            isCode
            rows={10}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
          />
        </Field>
      )}
    </ConfirmDialog>
  );
}

/** Segments of HL7 v2 end with a carriage return, which a text box does not have. */
function toLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
