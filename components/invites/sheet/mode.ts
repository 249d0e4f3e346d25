/** One person, or a list. */
export const INVITE_MODES = ['one', 'many'] as const;
export type InviteMode = (typeof INVITE_MODES)[number];
