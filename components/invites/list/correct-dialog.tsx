'use client';
import { EmailDialog } from '#components/member/email-dialog.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { correctInvite } from '#lib/client/invites/invites.ts';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';

export type CorrectDialogProps = {
  projectId: string;
  invite: InviteRow;
  onDone: () => Promise<void>;
  onClose: () => void;
};

/** The right address for an invitation that went to a wrong one. */
export function CorrectDialog({ projectId, invite, onDone, onClose }: CorrectDialogProps) {
  const send = async (email: string) => {
    await correctInvite(projectId, invite.membershipId, email);
    toast({ title: `Invitation sent to ${email}`, description: 'The earlier link no longer works.' });
    onClose();
    await onDone();
  };
  return (
    <EmailDialog
      title={`Correct the address of ${invite.name}`}
      description="The invitation goes there at once. It becomes the address that they sign in with, and the link to the old one ends."
      label="E-mail"
      email={invite.email ?? ''}
      action="Send it there"
      send={send}
      onClose={onClose}
    />
  );
}
