import { z } from 'zod';
import { countParam, cursorParam } from '../requests/page.ts';
import { plainName } from '../requests/plain-name.ts';

export const GRANT_STATES = ['open', 'waiting', 'closed'] as const;

const MOST_TEXT = 500;

/** POST /auth/me/break-glass. */
export const breakGlassRequest = z.strictObject({ reason: plainName('reason is required', MOST_TEXT) });
export type BreakGlassRequest = z.output<typeof breakGlassRequest>;

/** GET /auth/me/break-glass. */
export const ownGrantsQuery = z.strictObject({ _count: countParam(), cursor: cursorParam });
export type OwnGrantsQuery = z.output<typeof ownGrantsQuery>;

/** GET /admin/projects/{id}/break-glass. */
export const grantsQuery = z.strictObject({
  _count: countParam(),
  cursor: cursorParam,
  state: z.enum(GRANT_STATES, { error: `state must be ${GRANT_STATES.join(', ')}` }).optional(),
});
export type GrantsQuery = z.output<typeof grantsQuery>;

/** POST …/close: what the review found. */
export const closeGrantRequest = z.strictObject({ note: plainName('note is required', MOST_TEXT) });
export type CloseGrantRequest = z.output<typeof closeGrantRequest>;
