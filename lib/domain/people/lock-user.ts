import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Stored, User } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { type FoundUser, findUser, findUserAnywhere } from '../accounts/find-user.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { membersOf } from '../directory/members-of.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';

export type LockedUser = { row: Row; user: Stored<User> };

/**
 * A User whose account the caller decides about: for an administrator the project's own, for a super-admin everyone. To others a
 * person's account belongs to the person alone, and is not there: 404.
 */
export async function findManagedUser(actor: Actor, userId: string): Promise<FoundUser> {
  if (actor.superAdmin) reach(actor, 'User', 'update');
  const found = isUuid(userId) ? await find(actor, userId) : undefined;
  if (!found || (!actor.superAdmin && found.scope !== actor.projectId)) throw notFound();
  return found;
}

function find(actor: Actor, userId: string): Promise<FoundUser | undefined> {
  return actor.superAdmin ? findUserAnywhere(userId) : findUser(userId, actor.projectId);
}

/**
 * The User that was found, locked with the addresses that are about to change hands, so that no invite and no registration looks at
 * them meanwhile, and with the person's projects, so that their members may be changed. Throws 409 when it is no longer what was found.
 */
export async function lockUser(tx: Queryable, found: FoundUser, emails: (string | undefined)[]): Promise<LockedUser> {
  await lockAddresses(
    tx,
    emails.filter((email) => email !== undefined),
  );
  const members = await membersOf(found.id, tx);
  for (const projectId of new Set(members.map((member) => member.projectId))) await lockAdmins(tx, projectId);
  const row = await lockRow(tx, found.scope, 'User', found.id);
  const user = row && !row.deleted ? toResource<Stored<User>>(row) : undefined;
  if (row && user && user.email === found.email) return { row, user };
  throw new AppError('conflict', 'The User was changed meanwhile; read it again');
}
