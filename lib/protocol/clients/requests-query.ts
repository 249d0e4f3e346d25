import { z } from 'zod';

/** GET /admin/projects/:id/clients/:clientId/requests */
export const clientRequestsQuery = z.strictObject({
  /** Only those that failed. */
  status: z.enum(['failed'], { error: 'status can be failed' }).optional(),
});
