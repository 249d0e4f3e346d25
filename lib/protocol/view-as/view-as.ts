import { z } from 'zod';
import { countParam, cursorParam } from '../requests/page.ts';
import { plainName } from '../requests/plain-name.ts';

/** By the server's clock. */
export const VIEW_SECONDS = 600;

/** The setting of a project: whether who is looked at is told by mail. They are, unless it is false. */
export const VIEW_NOTICE = 'viewAsNotice';

/** POST …/members/{membershipId}/view-as. `reason`: the person reads it. */
export const viewAsRequest = z.strictObject({ reason: plainName('reason is required', 500) });
export type ViewAsRequest = z.output<typeof viewAsRequest>;

/**
 * The token is here and nowhere else. `now`: the server's clock, by which a page counts down whose own is wrong. Times are instants.
 */
export type StartedView = {
  id: string;
  token: string;
  member: { reference: string; display: string | null };
  profile: { reference: string; display: string | null };
  now: string;
  endsAt: string;
};

/** GET /auth/me/views. */
export const ownViewsQuery = z.strictObject({ _count: countParam(), cursor: cursorParam });
export type OwnViewsQuery = z.output<typeof ownViewsQuery>;

/** Who looked at the project with one's own eyes, when and why. `endedAt`: when it was over, or will be. */
export type OwnView = { id: string; by: string | null; startedAt: string; endedAt: string; reason: string };
export type OwnViewPage = { rows: OwnView[]; next: string | null };
