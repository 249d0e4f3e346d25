import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { CopyPolicyRequest } from '#lib/protocol/access-policies/requests.ts';
import type { CopiedPolicy } from '#lib/protocol/answers/access-policies.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Reference, Stored } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { basesOf } from '../access/lineage.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { enterProject } from '../rehearsals/promote/enter-project.ts';
import { createResource } from '../rest/create-resource.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { findLineages } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { requireWithin } from '../store/within-reach.ts';

/**
 * The policy as a new one of another project that the caller administers, too. This one’s audit log says that it went, that one’s that it was made. Throws 403 and 404 as `enterProject` has
 * it, and what that project refuses of it: parameters of its criteria that only this one has. What it is based on there is what has the same name; 400 where nothing
 * has it, or several have.
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
  const { id: _, meta: __, ...stored } = toResource<Stored<AccessPolicy>>(row);
  const policy = stored.basedOn ? { ...stored, basedOn: await basesThere(there, projectId, stored) } : stored;
  // What leaves the project stands in its log before it does.
  await write(ctx, async (w) => {
    const after = { to: `Project/${project}` };
    w.audit({ projectId, action: 'access-policy.copy', target: `AccessPolicy/${policyId}`, after });
  });
  const made = await createResource(there, 'AccessPolicy', policy);
  const display = policy.name ? { display: policy.name } : {};
  return { policy: { reference: `AccessPolicy/${made.row.id}`, ...display } };
}

async function basesThere(there: Ctx, projectId: string, policy: AccessPolicy): Promise<Reference[]> {
  const actor = requireActor(there);
  const seen = reach(actor, 'AccessPolicy', 'search');
  const known = await findLineages(projectId, basesOf(policy));
  const bases: Reference[] = [];
  for (const [at, base] of basesOf(policy).entries()) {
    const name = known.get(base)?.name;
    const exactly = name?.replace(/[\\,|$]/g, '\\$&') ?? '';
    const query = parseSearch('AccessPolicy', [['name:exact', exactly]], actor.projectId);
    const { rows } = name ? await searchRows(actor.projectId, { ...query, count: 2 }, seen) : { rows: [] };
    if (rows.length !== 1) throw notMapped(at, name ?? base, rows.length);
    bases.push({ reference: `AccessPolicy/${rows[0]!.id}` });
  }
  return bases;
}

function notMapped(at: number, name: string, count: number): AppError {
  const there =
    count === 0 ? 'that project has no policy of this name: copy it first' : 'that project has several of this name';
  return new AppError('invalid', `It is based on ${name}, and ${there}`, { expression: `AccessPolicy.basedOn[${at}]` });
}
