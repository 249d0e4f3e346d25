import { z } from 'zod';

/** POST /admin/projects/:id/members/:membershipId/undo */
export const undoMemberRequest = z.strictObject({
  version: z
    .number({ error: 'version must be the number of an earlier version' })
    .int('version must be a whole number')
    .min(1, 'version must be 1 or more')
    .max(2_147_483_647),
});
