'use client';
import { AcceptOtherwise } from '../external/accept-otherwise.tsx';
import { MailedLink } from './mailed-link.tsx';
import { SetPasswordForm } from './set-password-form.tsx';

/** The link of an invitation or of a password reset. */
export function SetPassword({ id, signedInAs }: { id: string; signedInAs?: string }) {
  return (
    <MailedLink id={id}>
      {(link, info) =>
        info.ways && !info.ways.includes('password') ? (
          <AcceptOtherwise info={info} ways={info.ways} />
        ) : (
          <SetPasswordForm link={link} info={info} signedInAs={signedInAs} />
        )
      }
    </MailedLink>
  );
}
