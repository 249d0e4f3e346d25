import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { scimGroup } from '#lib/infra/db/schema/scim.ts';
import type { ScimGroupList } from '#lib/protocol/answers/scim-connections.ts';
import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import { type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { resolveNames } from '../audit/resolve-names.ts';
import { write } from '../audit/write.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { requireConnection } from '../scim/connections.ts';
import { requireValid } from '../store/require-valid.ts';
import { lockGroup } from './change-group.ts';
import { distinct } from './combine.ts';
import { countGroups, findGroups } from './group-rows.ts';
import { settleRights } from './settle-rights.ts';

/** So many are told at once, by name. */
const MOST_TOLD = 500;

export type Mapping = { access: AccessEntry[]; admin: boolean };

/** The groups of a directory with what they give, by name. For administrators. Throws 403 and 404. */
export async function listMappings(ctx: Ctx, projectId: string, connectionId: string): Promise<ScimGroupList> {
  requireProjectAdmin(ctx, projectId);
  await requireConnection(db(), projectId, connectionId);
  const asked = { projectId, connectionId };
  const found = await findGroups(asked, { count: MOST_TOLD, offset: 0 });
  const names = await resolveNames(projectId, [...new Set(found.flatMap(policiesOf))]);
  const total = found.length < MOST_TOLD ? found.length : await countGroups(asked);
  const rows = found.map(({ id, displayName, size, access, admin }) => ({
    id,
    displayName,
    members: size,
    access: access.map((entry) => ({
      ...entry,
      policy: { ...entry.policy, display: names.get(entry.policy.reference ?? '') },
    })),
    admin,
  }));
  return { total, rows };
}

/**
 * What a group gives to its members from now on: entries of access, and whether it makes them administrators. Who is in it has it at once, and
 * no longer what it gave before. Throws 403, 404, 400 for a policy that is none of the project, and 409 for the last administrator.
 */
export async function mapGroup(
  ctx: Ctx,
  projectId: string,
  connectionId: string,
  groupId: string,
  { admin, ...mapping }: Mapping,
): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(groupId)) throw notFound();
  const access = distinct(mapping.access);
  requireValidAccess(projectId, access);
  await write(ctx, async (w) => {
    if (admin) await requireProof(actor, w.tx);
    const { group, project } = await lockGroup(w.tx, { ...actor, projectId, scim: undefined }, groupId);
    if (group.connectionId !== connectionId) throw notFound();
    await requirePolicies(w.tx, projectId, { access });
    const before = { group: group.displayName, access: group.access, admin: group.admin };
    const after = { group: group.displayName, access, admin };
    if (JSON.stringify(before) === JSON.stringify(after)) return w.unchanged();
    const own = and(eq(scimGroup.projectId, projectId), eq(scimGroup.id, group.id));
    await w.tx
      .update(scimGroup)
      .set({ access, admin, mappedBy: callerOf(actor).user })
      .where(own);
    const target = `ClientApplication/${group.clientId}`;
    w.audit({ projectId, action: 'scim.group.map', target, before, after });
    await settleRights(w, { actor, project, projectId, connectionId }, group.members ?? []);
  });
}

/** As they will stand on a membership. Throws 400. */
function requireValidAccess(projectId: string, access: AccessEntry[]): void {
  if (access.length === 0) return;
  const somebody = { reference: `User/${projectId}` };
  const project = { reference: `Project/${projectId}` };
  const profile = { reference: `Practitioner/${projectId}` };
  const membership = { resourceType: 'ProjectMembership', project, user: somebody, profile, access };
  requireValid(membership, 'ProjectMembership');
}
