import { z } from 'zod';
import { isResourceType } from '../fhir/type-ids.ts';
import { countParam, offsetParam } from '../requests/page.ts';

const SIZE = 50;

/** GET /admin/projects/:id/access-policies. `name`: a part of it. */
export const accessPoliciesQuery = z.strictObject({
  name: z.string().max(200, 'name has at most 200 characters').optional(),
  _count: countParam(SIZE, SIZE),
  _offset: offsetParam,
});
export type AccessPoliciesQuery = z.output<typeof accessPoliciesQuery>;

/** GET /admin/projects/:id/access-policies/vocabulary. */
export const vocabularyQuery = z.strictObject({
  type: z.string().refine(isResourceType, 'type must be a resource type').optional(),
});

/** POST /admin/projects/:id/access-policies/:policyId/copy: as a new policy of another project that the caller administers. */
export const copyPolicyRequest = z.strictObject({
  project: z.uuid('project must be the id of a project').toLowerCase(),
});
export type CopyPolicyRequest = z.output<typeof copyPolicyRequest>;
