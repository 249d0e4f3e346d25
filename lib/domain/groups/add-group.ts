import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { scimGroup } from '#lib/infra/db/schema/scim.ts';
import type { ScimGroup, WantedGroup } from '#lib/protocol/scim/group.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import { shareProject } from '../memberships/share-project.ts';
import { lockConnection } from '../scim/connections.ts';
import { countGroups, requireGroup } from './group-rows.ts';
import { addMembers, requirePeople, told } from './members.ts';
import { toGroup } from './to-group.ts';

const MOST_GROUPS = 2000;

/**
 * A group of the directory that calls. It gives nothing until an administrator says what. Throws 403 for who is no directory, 400 for members
 * that are no people of the project, 409 uniqueness for a name or externalId that another group of the directory has, and 409 for one too many.
 */
export async function addGroup(ctx: Ctx, wanted: WantedGroup): Promise<ScimGroup> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  const { connectionId } = requireDirectory(actor);
  return write(ctx, async (w) => {
    await lockAdmins(w.tx, projectId);
    await shareProject(w.tx, projectId);
    const { clientId } = await lockConnection(w.tx, projectId, connectionId);
    await requireRoom(projectId, connectionId, w.tx);
    await requirePeople(w.tx, projectId, wanted.members);
    const id = newId();
    const { displayName, externalId, members } = wanted;
    await orTaken(() => w.tx.insert(scimGroup).values({ projectId, id, connectionId, displayName, externalId }));
    await addMembers(w.tx, projectId, id, members);
    const after = { displayName, externalId, added: told(members) };
    w.audit({ projectId, action: 'scim.group.create', target: `ClientApplication/${clientId}`, after });
    return toGroup(await requireGroup(actor, id, true, w.tx));
  });
}

/** Groups are kept by directories: no program and no person changes one. Throws 403. */
export function requireDirectory({ scim }: Actor): NonNullable<Actor['scim']> {
  if (scim) return scim;
  throw new AppError('forbidden', 'Groups are changed by their directory, with the token of its connection');
}

/** What another group has is a conflict with the RFC's name. */
export async function orTaken(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (uniqueViolation(error) === undefined) throw error;
    const text = 'A group with this displayName or externalId exists already';
    throw new AppError('conflict', text, { scim: 'uniqueness', cause: error });
  }
}

async function requireRoom(projectId: string, connectionId: string, tx: Parameters<typeof countGroups>[1]) {
  const there = await countGroups({ projectId, connectionId, where: sql`true` }, tx);
  if (there >= MOST_GROUPS) throw new AppError('conflict', `A directory has at most ${MOST_GROUPS} groups`);
}
