import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { DoorHeading } from './door-heading.tsx';
import { DoorIcon } from './door-icon.tsx';

/** Says that a mail is on its way, and to which address. */
export function CheckMail({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <div role="status">
      <DoorIcon icon={MailCheck} good />
      <DoorHeading title="Check your mail">
        {children ?? (
          <>
            We have sent a link to <strong className="font-medium text-ink">{email}</strong>. Open it to go on; it may
            take a minute to arrive.
          </>
        )}
      </DoorHeading>
    </div>
  );
}
