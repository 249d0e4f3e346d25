'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { correctInvite } from '#lib/client/invites/invites.ts';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { correctInviteRequest } from '#lib/protocol/requests/member-actions.ts';

export type CorrectDialogProps = {
  projectId: string;
  invite: InviteRow;
  onDone: () => Promise<void>;
  onClose: () => void;
};

/** The right address for an invitation that went to a wrong one. */
export function CorrectDialog({ projectId, invite, onDone, onClose }: CorrectDialogProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    correctInviteRequest,
    ['email'],
    async ({ email }) => {
      await correctInvite(projectId, invite.membershipId, email.trim());
      toast({ title: `Invitation sent to ${email.trim()}`, description: 'The earlier link no longer works.' });
      onClose();
      await onDone();
    },
    { defaultValues: { email: invite.email ?? '' } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Correct the address of ${invite.name}`}
      description="The invitation goes there at once. It becomes the address that they sign in with, and the link to the old one ends."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="E-mail" error={errorOf('email')}>
          <Input type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Send it there</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
