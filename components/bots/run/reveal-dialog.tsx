'use client';
import { useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';

export type RevealDialogProps = {
  what: 'run' | 'message';
  reveal: { isPending: boolean; error: Error | null };
  onReveal: (body: RevealRequest) => void;
  onClose: () => void;
};

/** Asks why, before names and the like are shown. */
export function RevealDialog({ what, reveal, onReveal, onClose }: RevealDialogProps) {
  const form = useId();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = () => {
    setMissing(reason.trim() === '');
    if (reason.trim() === '' || reveal.isPending) return;
    onReveal({ reason: reason.trim() });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Reveal this ${what}?`}
      description="It is shown to you as it was, with whatever identifies somebody."
      busy={reveal.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={form} busy={reveal.isPending}>
            Reveal the {what}
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
