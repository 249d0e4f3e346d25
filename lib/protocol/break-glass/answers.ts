import type { GRANT_STATES } from './requests.ts';

/** `open`: it gives what it gives. `waiting`: it has ended, and an administrator has yet to look at it. */
export type GrantState = (typeof GRANT_STATES)[number];

export type GrantEnd = 'time' | 'member' | 'administrator';

/** One’s own emergency access. Times are instants. By which policy it is, and what a review found, is not told. */
export type OwnGrant = {
  id: string;
  state: GrantState;
  reason: string;
  openedAt: string;
  /** When it ends by itself. */
  endsAt: string;
  endedAt: string | null;
  endedBy: GrantEnd | null;
};

/** GET /auth/me/break-glass, the newest first. `may`: whether one may break the glass, for `minutes`. */
export type OwnGrantPage = { may: boolean; minutes: number | null; rows: OwnGrant[]; next: string | null };

type Party = { reference: string; display: string | null };

/** `own`: the caller’s, which somebody else closes. `isMember`: who has it is an active member still. `endedByWhom`: an administrator. */
export type Grant = OwnGrant & {
  membership: string;
  member: Party;
  isMember: boolean;
  own: boolean;
  policy: Party;
  endedByWhom: Party | null;
  closedAt: string | null;
  closedBy: Party | null;
  note: string | null;
};

/** GET /admin/projects/{id}/break-glass, the newest first. */
export type GrantPage = { rows: Grant[]; next: string | null };

/** What was done of which type, as the audit log has it. `failed`: it was refused, or there was nothing. */
export type GrantUse = { type: string; read: number; changed: number; failed: number };

/** GET …/break-glass/{grantId}. `more`: there are more lines in the log than were counted. */
export type GrantDetail = Grant & { use: GrantUse[]; more: boolean };

/** Of GET /auth/me, for who may break the glass, or has. `open`: until when. */
export type OwnGlass = { may: boolean; minutes: number | null; open?: { id: string; until: string } };
