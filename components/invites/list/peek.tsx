'use client';
import { PeekSheet } from '#components/frame/peek-sheet.tsx';
import type { Peek } from '#components/frame/use-peek.ts';
import { PeekId, PeekPolicies } from '#components/members/peek-values.tsx';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { toDeadline, toDelivery } from './facts.ts';

const CHANNELS = { mail: 'Mail', link: 'A link handed over', none: undefined };

/** The way of one invitation so far, before opening the member. */
export function InvitePeek({ peek, projectId, row }: { peek: Peek; projectId: string; row: InviteRow }) {
  const delivery = toDelivery(row);
  const deadline = toDeadline(row);
  return (
    <PeekSheet
      peek={peek}
      title={row.name}
      href={`/p/${projectId}/members/${row.membershipId}`}
      head={
        <div className="flex items-center gap-3">
          <Avatar name={row.name} className="size-11 text-base" />
          <div className="min-w-0">
            <p className="truncate text-muted">{row.email ?? row.profileType}</p>
            <p className="mt-1.5 flex flex-wrap gap-1.5">
              {row.admin ? <Badge tone="accent">Admin</Badge> : null}
              <Badge tone={delivery.tone} dot>
                {delivery.text}
              </Badge>
            </p>
          </div>
        </div>
      }
      facts={[
        ['Mail', row.delivery?.error],
        ['Tries', row.delivery && row.delivery.attempts > 1 && String(row.delivery.attempts)],
        ['Policies', <PeekPolicies key="policies" names={row.policies.map(toName)} admin={row.admin} />],
        ['Invited by', row.invitedBy && (row.invitedBy.display ?? row.invitedBy.reference)],
        ['Invited', <Time key="invited" at={row.invitedAt} />],
        ['Sent by', CHANNELS[row.channel]],
        ['Sent', row.sentAt && <Time at={row.sentAt} />],
        ['Link opened', row.openedAt && <Time at={row.openedAt} />],
        [deadline?.word ?? 'Ends', deadline && <Time at={deadline.at} />],
        ['Membership', <PeekId key="id" label="membership id" value={row.membershipId} />],
      ]}
    />
  );
}

function toName({ reference, display }: InviteRow['policies'][number]): string {
  return display || reference;
}
