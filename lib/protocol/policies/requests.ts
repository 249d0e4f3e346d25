import { z } from 'zod';
import { instant } from '../requests/audit.ts';
import { countParam } from '../requests/page.ts';

const ID = /^[0-9a-f-]{36}$/;

/** GET /admin/projects/:id/access/who. Without `at`, now. */
export const whoQuery = z.strictObject({
  resource: z
    .string({ error: 'resource must be a reference like Patient/123' })
    .regex(/^[A-Z][A-Za-z]{1,63}\/[A-Za-z0-9\-.]{1,64}$/, 'resource must be a reference like Patient/123'),
  at: instant('at')
    .refine((at) => at.getTime() <= Date.now(), 'at must not lie in the future')
    .optional(),
  _count: countParam(),
  cursor: z.string().regex(ID, 'cursor must be the `next` of an earlier answer').optional(),
});
export type WhoQuery = z.output<typeof whoQuery>;
