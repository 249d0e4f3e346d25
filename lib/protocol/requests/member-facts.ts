import { z } from 'zod';
import { invitesQuery } from './invites.ts';

/** GET /admin/projects/:id/member-facts */
export const memberFactsQuery = z.strictObject({
  membership: z.string({ error: 'membership is required' }).pipe(invitesQuery.shape.membership.unwrap()),
});
export type MemberFactsQuery = z.output<typeof memberFactsQuery>;
