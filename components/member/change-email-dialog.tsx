'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { useUpdateEmail } from '#lib/client/member/update-email.ts';
import { EmailDialog } from './email-dialog.tsx';

/** `user`: "User/id". */
export type ChangeEmailDialogProps = { projectId: string; user: string; onClose: () => void };

/** The new address proves itself by a mail that goes there. */
export function ChangeEmailDialog({ projectId, user, onClose }: ChangeEmailDialogProps) {
  const update = useUpdateEmail(projectId, user);
  const [profile, setProfile] = useState(true);
  const send = async (email: string) => {
    const waits = await update.mutateAsync({ email, updateProfileTelecom: profile });
    if (waits)
      toast({ title: 'The change waits: it stands below', description: 'The old address hears of it by mail.' });
    else toast({ title: 'The e-mail is changed', description: 'A mail to the new address asks to confirm it.' });
    onClose();
  };
  return (
    <EmailDialog
      title="Change the e-mail?"
      description="They sign in with the new one from now on. Links that went to the old one end, and a mail there says so."
      label="New e-mail"
      action="Change e-mail"
      send={send}
      onClose={onClose}
    >
      <Toggle label="Also in their record" checked={profile} onCheckedChange={setProfile}>
        The profile shows the new address in place of the old one.
      </Toggle>
    </EmailDialog>
  );
}
