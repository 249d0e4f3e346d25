'use client';
import type { ReactNode } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { newEmailRequest } from '#lib/protocol/requests/member-actions.ts';

export type EmailDialogProps = {
  title: string;
  description: string;
  label: string;
  /** What stands there at first. */
  email?: string;
  /** What the button says. */
  action: string;
  /** Rejects with what the server refused. Who shows the dialog takes it away. */
  send: (email: string) => Promise<void>;
  onClose: () => void;
  /** What else there is to choose. */
  children?: ReactNode;
};

/** Another address for somebody else's account. */
export function EmailDialog({
  title,
  description,
  label,
  email = '',
  action,
  send,
  onClose,
  children,
}: EmailDialogProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    newEmailRequest,
    ['email'],
    (values) => send(values.email.trim()),
    { defaultValues: { email } },
  );
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={title} description={description}>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label={label} error={errorOf('email')}>
          <Input type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
        </Field>
        {children}
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>{action}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
