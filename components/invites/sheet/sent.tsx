'use client';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { InviteOutcome } from '#lib/client/invites/invite-member.ts';

export type InviteSentProps = {
  projectId: string;
  sent: InviteOutcome & { name: string; email: string; mailed: boolean };
  onAgain: () => void;
  onClose: () => void;
};

/** What has happened, and the link when it was asked for: it is never shown again. */
export function InviteSent({ projectId, sent, onAgain, onClose }: InviteSentProps) {
  return (
    <div className="flex flex-1 flex-col">
      <div role="status" className="flex flex-1 flex-col gap-4 px-6 py-8">
        <CircleCheck className="size-9 text-good-text" strokeWidth={1.6} aria-hidden="true" />
        <div>
          <h3 className="font-semibold text-base">{toTitle(sent)}</h3>
          <p className="mt-1 text-muted">{toText(sent)}</p>
        </div>
        {sent.link ? (
          <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken/60 py-2 pr-2 pl-3">
            <code className="min-w-0 flex-1 truncate font-mono text-xs">{sent.link}</code>
            <CopyButton value={sent.link} label="Copy the link">
              Copy
            </CopyButton>
          </div>
        ) : null}
      </div>
      <footer className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-line border-t bg-raised px-6 py-4">
        <Link
          href={`/p/${projectId}/members/${sent.membershipId}`}
          className={buttonClass({ variant: 'ghost', className: 'mr-auto' })}
        >
          Open the member
        </Link>
        <Button onClick={onClose}>Done</Button>
        <Button variant="primary" autoFocus onClick={onAgain}>
          Invite another
        </Button>
      </footer>
    </div>
  );
}

function toTitle({ status, name }: InviteSentProps['sent']): string {
  if (status === 'upserted') return `${name} was here already, and is updated`;
  if (status === 'reactivated') return `${name} is active again`;
  return status === 'existing-user' ? `${name} is added` : `${name} is invited`;
}

function toText({ status, email, mailed, link }: InviteSentProps['sent']): string {
  if (link) return 'Hand this link over. It is shown only now, works once, and for seven days.';
  if (!mailed) return 'No mail was sent. You can send the invitation later, from the list of invites.';
  if (status === 'existing-user')
    return `They have a login already: a mail to ${email} says that the project is open to them.`;
  return `A mail to ${email} is on its way. The list of invites shows what becomes of it.`;
}
