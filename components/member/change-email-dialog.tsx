'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useUpdateEmail } from '#lib/client/member/update-email.ts';
import { updateEmailRequest } from '#lib/protocol/requests/user-operations.ts';

const schema = updateEmailRequest.pick({ email: true });

/** `user`: "User/id". */
export type ChangeEmailDialogProps = { projectId: string; user: string; onClose: () => void };

/** The new address proves itself by a mail that goes there. */
export function ChangeEmailDialog({ projectId, user, onClose }: ChangeEmailDialogProps) {
  const update = useUpdateEmail(projectId, user);
  const [profile, setProfile] = useState(true);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    ['email'],
    async ({ email }) => {
      await update.mutateAsync({ email: email.trim(), updateProfileTelecom: profile });
      toast({ title: 'The e-mail is changed', description: 'A mail to the new address asks to confirm it.' });
      onClose();
    },
    { defaultValues: { email: '' } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Change the e-mail?"
      description="They sign in with the new one from now on. Links that went to the old one end, and a mail there says so."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="New e-mail" error={errorOf('email')}>
          <Input type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
        </Field>
        <Toggle label="Also in their record" checked={profile} onCheckedChange={setProfile}>
          The profile shows the new address in place of the old one.
        </Toggle>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Change e-mail</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
