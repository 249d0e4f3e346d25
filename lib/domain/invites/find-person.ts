import { and, eq, inArray, or } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import type { Stored, User } from '#lib/protocol/fhir/types.ts';
import { findUsersByEmail } from '../accounts/find-user.ts';
import { shareRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

export type KnownPerson = {
  /** The User that the invite would use, in the wanted scope. */
  user: Stored<User> | undefined;
  /** Ids of what this person is in the project already, in either scope; the first one first. */
  memberships: string[];
};

export type PersonQuery = { email?: string; externalId?: string; scope: 'project' | 'server' };

/**
 * Who is meant by an invite. The caller holds the e-mail's lock. The User found is kept from being deleted. A person who has the
 * externalId is that member, whatever the address says.
 */
export async function findPerson(tx: Queryable, projectId: string, query: PersonQuery): Promise<KnownPerson> {
  const { email } = query;
  const ids = email ? await findUsersByEmail(tx, [SERVER_SCOPE, projectId], email) : undefined;
  const [server, own] = await Promise.all([
    findLive(tx, SERVER_SCOPE, ids?.get(SERVER_SCOPE)),
    findLive(tx, projectId, ids?.get(projectId)),
  ]);
  const users = [server, own].flatMap((user) => (user ? [`User/${user.id}`] : []));
  const same = [
    ...(users.length > 0 ? [inArray(membershipKey.userRef, users)] : []),
    ...(query.externalId ? [eq(membershipKey.externalId, query.externalId)] : []),
  ];
  const wanted = query.scope === 'project' ? own : server;
  // Without a condition the query would find everybody.
  if (same.length === 0) return { user: wanted, memberships: [] };
  const keys = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), or(...same)))
    .orderBy(membershipKey.slot);
  return { user: wanted, memberships: keys.map(({ id }) => id) };
}

async function findLive(tx: Queryable, scope: string, id: string | undefined): Promise<Stored<User> | undefined> {
  const row = id ? await shareRow(tx, scope, 'User', id) : undefined;
  return row && !row.deleted ? toResource<Stored<User>>(row) : undefined;
}
