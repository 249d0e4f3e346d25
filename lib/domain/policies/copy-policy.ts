import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { CopyPolicyRequest } from '#lib/protocol/access-policies/requests.ts';
import type { CopiedPolicy } from '#lib/protocol/answers/access-policies.ts';
import type { AccessPolicy, Stored } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { enterProject } from '../rehearsals/promote/enter-project.ts';
import { createResource } from '../rest/create-resource.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { requireWithin } from '../store/within-reach.ts';

/**
 * The policy as a new one of another project that the caller administers, too. This one’s audit log says that it went, that one’s that it was made. Throws 403 and 404 as `enterProject` has
 * it, and what that project refuses of it: parameters of its criteria that only this one has.
 */
export async function copyPolicy(
  ctx: Ctx,
  projectId: string,
  policyId: string,
  { project }: CopyPolicyRequest,
): Promise<CopiedPolicy> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(policyId)) throw notFound();
  const seen = reach(actor, 'AccessPolicy', 'read');
  const row = requireLive(await requireWithin(await findRow(projectId, 'AccessPolicy', policyId), seen));
  if (project === projectId)
    throw new AppError('invalid', 'This is the project that the policy is in', { expression: 'project' });
  const there: Ctx = { ...ctx, actor: await enterProject(ctx, project) };
  const { id: _, meta: __, ...policy } = toResource<Stored<AccessPolicy>>(row);
  // What leaves the project stands in its log before it does.
  await write(ctx, async (w) => {
    const after = { to: `Project/${project}` };
    w.audit({ projectId, action: 'access-policy.copy', target: `AccessPolicy/${policyId}`, after });
  });
  const made = await createResource(there, 'AccessPolicy', policy);
  const display = policy.name ? { display: policy.name } : {};
  return { policy: { reference: `AccessPolicy/${made.row.id}`, ...display } };
}
