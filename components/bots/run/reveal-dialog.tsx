'use client';
import { useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useRevealRun } from '#lib/client/bots/run-acts.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';

export type RevealDialogProps = {
  projectId: string;
  runId: string;
  onRevealed: (run: BotRunDetail) => void;
  onClose: () => void;
};

/** Asks why, before names and the like are shown. */
export function RevealDialog({ projectId, runId, onRevealed, onClose }: RevealDialogProps) {
  const reveal = useRevealRun(projectId, runId);
  const form = useId();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = () => {
    setMissing(reason.trim() === '');
    if (reason.trim() === '' || reveal.isPending) return;
    reveal.mutate(
      { reason: reason.trim() },
      {
        onSuccess: (run) => {
          onRevealed(run);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Reveal this run?"
      description="It is shown to you as it was, with whatever identifies somebody."
      busy={reveal.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={form} busy={reveal.isPending}>
            Reveal the run
          </SubmitButton>
        </>
      }
    >
      <Form
        id={form}
        busy={reveal.isPending}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {reveal.error ? <Alert tone="danger">{reveal.error.message}</Alert> : null}
        <Field
          label="Why"
          description="Kept in the activity with your name. Name nobody."
          error={missing ? 'Say why' : undefined}
        >
          <Input
            value={reason}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => {
              setReason(event.target.value);
              setMissing(false);
            }}
          />
        </Field>
      </Form>
    </Dialog>
  );
}
