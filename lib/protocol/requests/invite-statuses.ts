/** How an invitation stands. Apart from the request that names them, so that a page can without its schema. */
export const INVITE_STATUSES = ['pending', 'accepted', 'expired', 'revoked', 'failed'] as const;
export type InviteStatusName = (typeof INVITE_STATUSES)[number];
/** `none`: a membership without an invitation. */
export const STORED_INVITE_STATUSES = ['none', ...INVITE_STATUSES] as const;
export type StoredInviteStatus = (typeof STORED_INVITE_STATUSES)[number];
