import type { DeliveryState, InviteRow } from '#lib/protocol/answers/invites.ts';

export type InviteAction = 'resend' | 'correct' | 'extend' | 'link' | 'revoke';

type Words = { tone: 'neutral' | 'good' | 'info' | 'warn' | 'danger'; text: string };

const DELIVERY: Record<DeliveryState, Words> = {
  queued: { tone: 'neutral', text: 'Mail waiting' },
  sent: { tone: 'neutral', text: 'Mail sent' },
  delivered: { tone: 'good', text: 'Delivered' },
  bounced: { tone: 'danger', text: 'Bounced' },
  complained: { tone: 'danger', text: 'Marked as spam' },
  failed: { tone: 'danger', text: 'Not sent' },
};

/** What became of the message itself. */
export function toDelivery({ channel, delivery, openedAt }: InviteRow): Words {
  if (openedAt) return { tone: 'info', text: 'Link opened' };
  if (channel === 'link') return { tone: 'neutral', text: 'Link handed over' };
  return delivery ? DELIVERY[delivery.state] : { tone: 'neutral', text: 'Nobody told yet' };
}

/** What can be done about an invitation now. */
export function actionsOf({ status, linkId, email }: InviteRow): InviteAction[] {
  if (status === 'accepted' || status === 'revoked') return [];
  return [
    ...(email ? (['resend', 'correct'] as const) : []),
    ...(linkId ? (['extend', 'link', 'revoke'] as const) : []),
  ];
}

/** The instant that matters for its state, and the word before it. */
export function toDeadline({
  status,
  expiresAt,
  acceptedAt,
  openedAt,
}: InviteRow): { word: string; at: string } | undefined {
  if (status === 'accepted') return acceptedAt ? { word: 'Accepted', at: acceptedAt } : undefined;
  if (status === 'revoked') return undefined;
  // A link that was replaced, or went with its membership, ended before its time.
  if (status === 'expired' && expiresAt && Date.parse(expiresAt) > Date.now()) return undefined;
  if (expiresAt) return { word: status === 'expired' ? 'Ended' : 'Ends', at: expiresAt };
  return openedAt ? { word: 'Opened', at: openedAt } : undefined;
}
