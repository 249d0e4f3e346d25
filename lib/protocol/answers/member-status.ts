/**
 * How a membership stands, in the words that every list, filter and file uses. Whoever has accepted is active, and so is a program; but by
 * its dates it may have ended, or not be entered yet (`away`: it begins later, or its person is on leave).
 */
export const MEMBER_STATUSES = [
  'active',
  'invited',
  'invite-expired',
  'mail-failed',
  'away',
  'ended',
  'deactivated',
] as const;
export type MemberStatusName = (typeof MEMBER_STATUSES)[number];

export const MEMBER_STATUS_WORDS: Record<MemberStatusName, string> = {
  active: 'Active',
  invited: 'Invited',
  'invite-expired': 'Invite expired',
  'mail-failed': 'Mail failed',
  away: 'Away',
  ended: 'Ended',
  deactivated: 'Deactivated',
};
