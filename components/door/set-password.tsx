'use client';
import { MailedLink } from './mailed-link.tsx';
import { SetPasswordForm } from './set-password-form.tsx';

/** The link of an invitation or of a password reset. */
export function SetPassword({ id, signedInAs }: { id: string; signedInAs?: string }) {
  return (
    <MailedLink id={id}>
      {(link, info) => <SetPasswordForm link={link} info={info} signedInAs={signedInAs} />}
    </MailedLink>
  );
}
