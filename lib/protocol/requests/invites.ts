import { z } from 'zod';
import { INVITE_STATUSES } from './invite-statuses.ts';
import { countParam, offsetParam } from './page.ts';

const MOST_MEMBERSHIPS = 200;
const IDS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$/i;

/** GET /admin/projects/:id/invites */
export const invitesQuery = z.strictObject({
  status: z.enum(INVITE_STATUSES, { error: `status must be one of ${INVITE_STATUSES.join(', ')}` }).optional(),
  /** Only those of these memberships: ids, separated by commas. */
  membership: z
    .string()
    .max(MOST_MEMBERSHIPS * 37, `membership must name at most ${MOST_MEMBERSHIPS}`)
    .regex(IDS, 'membership must be ids of memberships, separated by commas')
    .transform((text) => text.split(','))
    .optional(),
  q: z.string().trim().max(200, 'q must be at most 200 characters').optional(),
  _count: countParam(1000),
  _offset: offsetParam,
});
export type InvitesQuery = z.output<typeof invitesQuery>;

/** POST /admin/projects/:id/invites/:linkId/extend */
export const extendInviteRequest = z
  .strictObject({
    days: z
      .number()
      .int('days must be a whole number')
      .min(1, 'days must be 1 to 30')
      .max(30, 'days must be 1 to 30')
      .default(7),
  })
  .prefault({});
