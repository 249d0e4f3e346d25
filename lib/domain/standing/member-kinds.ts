import type { MemberStatusName } from '#lib/protocol/answers/member-status.ts';
import type { StoredInviteStatus } from '#lib/protocol/requests/invite-statuses.ts';
import type { MemberSum } from './sum-members.ts';

const STATUSES: Record<StoredInviteStatus, MemberStatusName> = {
  none: 'active',
  accepted: 'active',
  revoked: 'active',
  pending: 'invited',
  expired: 'invite-expired',
  failed: 'mail-failed',
};

/** Who has not accepted yet is told as that before the membership begins: somebody may have to help them. */
export function statusOf({ active, invite_status, dates }: MemberSum): MemberStatusName {
  if (!active) return 'deactivated';
  if (dates === 'ended') return 'ended';
  const status = STATUSES[invite_status];
  return dates === 'away' && status === 'active' ? 'away' : status;
}

/** A program is its own profile. */
export function isOfPerson({ profile_type }: MemberSum): boolean {
  return profile_type !== 'Bot' && profile_type !== 'ClientApplication';
}

export function addUp(sums: readonly MemberSum[], which: (sum: MemberSum) => boolean): number {
  return sums.reduce((total, sum) => (which(sum) ? total + sum.n : total), 0);
}
