import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Stored, User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { membersOf } from '../directory/members-of.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import type { LockedUser } from '../people/lock-user.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { lockPasskeys } from '../webauthn/own-rows.ts';

/**
 * Both accounts, locked in the order of all who change accounts (`lockUser`), and among each other in one that does not depend on who takes in
 * whom. Throws 409 when one of them has changed or is gone.
 */
export async function lockBoth(
  w: Write,
  own: FoundUser,
  otherId: string,
): Promise<{ from: LockedUser; into: LockedUser }> {
  const { tx } = w;
  const other = await findUser(otherId, undefined, tx);
  if (!other) throw changed();
  await lockAddresses(
    tx,
    [own.email, other.email].filter((email) => email !== undefined),
  );
  const projects = [...(await membersOf(own.id, tx)), ...(await membersOf(otherId, tx))].map((at) => at.projectId);
  for (const projectId of [...new Set(projects)].sort()) await lockAdmins(tx, projectId);
  const locked = new Map<string, LockedUser>();
  const both = [own, other].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id } of both) await lockPasskeys(w, id);
  for (const { id, email } of both) {
    const row = await lockRow(tx, SERVER_SCOPE, 'User', id);
    const user = row && !row.deleted ? toResource<Stored<User>>(row) : undefined;
    if (!row || !user || user.email !== email) throw changed();
    locked.set(id, { row, user });
  }
  return { from: locked.get(otherId)!, into: locked.get(own.id)! };
}

function changed(): AppError {
  return new AppError('conflict', 'One of the accounts was changed meanwhile: begin again');
}
