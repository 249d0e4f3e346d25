import { z } from 'zod';
import { MAX_ACCESS } from '../fhir/identity/bounds.ts';
import type { AccessEntry, Reference } from '../fhir/types.ts';
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

const reference = z.looseObject({ reference: z.string({ error: 'reference is required' }).min(1) });

/** POST /admin/projects/:id/members/:id/effect: the access as it would be. What of it is absent would not be there; the role stays. */
export const memberDraft = z.strictObject(
  {
    admin: z.boolean({ error: 'admin must be true or false' }).optional(),
    accessPolicy: reference.optional(),
    access: z
      .array(z.looseObject({ policy: reference }))
      .max(MAX_ACCESS, `At most ${MAX_ACCESS} policies`)
      .optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
);
export type MemberDraft = {
  admin?: boolean;
  accessPolicy?: Reference;
  access?: AccessEntry[];
};
