/** How a membership stands, in the words that every list, filter and file uses. Whoever has accepted is active, and so is a program. */
export const MEMBER_STATUSES = ['active', 'invited', 'invite-expired', 'mail-failed', 'deactivated'] as const;
export type MemberStatusName = (typeof MEMBER_STATUSES)[number];

export const MEMBER_STATUS_WORDS: Record<MemberStatusName, string> = {
  active: 'Active',
  invited: 'Invited',
  'invite-expired': 'Invite expired',
  'mail-failed': 'Mail failed',
  deactivated: 'Deactivated',
};
