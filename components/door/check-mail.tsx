import { MailCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { DoorHeading } from './door-heading.tsx';

/** Says that a mail is on its way, and to which address. */
export function CheckMail({ email, children }: { email: string; children?: ReactNode }) {
  return (
    <div role="status">
      <div className="mb-5 grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent-text">
        <MailCheck className="size-6" aria-hidden="true" />
      </div>
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
