'use client';
import type { ComponentProps, FormEventHandler, ReactNode } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';

export type NewSecretDialogProps = {
  title: string;
  submit: string;
  busy: boolean;
  problem: ComponentProps<typeof FormProblemAlert>['problem'];
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
};

/** Asks for what a secret needs that is made now and shown once. */
export function NewSecretDialog({ title, submit, busy, problem, onSubmit, onClose, children }: NewSecretDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      description="It is shown once, right after this."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        {children}
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>{submit}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
