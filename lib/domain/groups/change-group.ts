import { and, eq, sql } from 'drizzle-orm';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { scimGroup, scimGroupMember } from '#lib/infra/db/schema/scim.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { ScimGroup, WantedGroup } from '#lib/protocol/scim/group.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import type { IfMatch } from '../memberships/lock-member.ts';
import { shareProject } from '../memberships/share-project.ts';
import { orTaken, requireDirectory } from './add-group.ts';
import { type Group, requireGroup } from './group-rows.ts';
import { addMembers, dropMembers, requirePeople, told } from './members.ts';
import { settleRights } from './settle-rights.ts';
import { requireSeen, toGroup } from './to-group.ts';

/**
 * `edit` says what is wanted of a group as it is. Who comes in has at once what the group gives; who goes out has it no longer, unless
 * another group or an administrator gives it too. Throws 403, 404, 412 for another version than the caller saw, 409 for a name that is
 * taken and for the last administrator, and what `edit` throws.
 */
export async function changeGroup(
  ctx: Ctx,
  id: string,
  ifMatch: IfMatch | undefined,
  edit: (group: WantedGroup & { id: string }) => WantedGroup,
): Promise<ScimGroup> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  requireDirectory(actor);
  return write(ctx, async (w) => {
    const { group, project } = await lockGroup(w.tx, actor, id);
    requireSeen(group, ifMatch);
    const { displayName, externalId, members = [] } = group;
    const wanted = edit({ id: group.id, displayName, ...(externalId !== undefined && { externalId }), members });
    const [had, has] = [new Set(members), new Set(wanted.members)];
    const added = wanted.members.filter((member) => !had.has(member));
    const removed = members.filter((member) => !has.has(member));
    const isSame = wanted.displayName === displayName && wanted.externalId === externalId;
    if (isSame && added.length + removed.length === 0) {
      w.unchanged();
      return toGroup(group);
    }
    await requirePeople(w.tx, projectId, added);
    await addMembers(w.tx, projectId, group.id, added);
    await dropMembers(w.tx, projectId, group.id, removed);
    const next = {
      displayName: wanted.displayName,
      externalId: wanted.externalId ?? null,
      version: sql`${scimGroup.version} + 1`,
      updatedAt: sql`now()`,
    };
    const own = and(eq(scimGroup.projectId, projectId), eq(scimGroup.id, group.id));
    await orTaken(() => w.tx.update(scimGroup).set(next).where(own));
    w.audit({
      projectId,
      action: 'scim.group.update',
      target: `ClientApplication/${group.clientId}`,
      before: { displayName, externalId },
      after: {
        displayName: wanted.displayName,
        externalId: wanted.externalId,
        added: told(added),
        removed: told(removed),
      },
    });
    const { connectionId } = group;
    await settleRights(w, { actor, project, projectId, connectionId }, [...added, ...removed]);
    return toGroup(await requireGroup(actor, group.id, true, w.tx));
  });
}

/** The group is gone, and what it gave. Throws as `changeGroup`. */
export async function removeGroup(ctx: Ctx, id: string, ifMatch: IfMatch | undefined): Promise<void> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  requireDirectory(actor);
  await write(ctx, async (w) => {
    const { group, project } = await lockGroup(w.tx, actor, id);
    requireSeen(group, ifMatch);
    const { connectionId, displayName, externalId, members = [] } = group;
    const of = and(eq(scimGroupMember.projectId, projectId), eq(scimGroupMember.groupId, group.id));
    await w.tx.delete(scimGroupMember).where(of);
    await w.tx.delete(scimGroup).where(and(eq(scimGroup.projectId, projectId), eq(scimGroup.id, group.id)));
    w.audit({
      projectId,
      action: 'scim.group.delete',
      target: `ClientApplication/${group.clientId}`,
      before: { displayName, externalId, members: told(members) },
    });
    await settleRights(w, { actor, project, projectId, connectionId }, members);
  });
}

/** Whoever changes groups, and what they give, does it one after the other with all changes of roles. Throws 404. */
export async function lockGroup(
  tx: Queryable,
  actor: Actor,
  id: string,
): Promise<{ group: Group & { members?: string[] }; project: Project }> {
  const { projectId } = actor;
  await lockAdmins(tx, projectId);
  const project = await shareProject(tx, projectId);
  const { id: found } = await requireGroup(actor, id, false, tx);
  await runText(tx, 'select 1 from scim_group where project_id = $1 and id = $2::uuid for update', [projectId, found]);
  return { group: await requireGroup(actor, found, true, tx), project };
}
