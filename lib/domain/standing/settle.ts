import type { Queryable } from '#lib/infra/db/client.ts';
import type { Standing } from '../access/context.ts';
import { membersOf } from '../directory/members-of.ts';
import { refreshFactors } from './refresh-factors.ts';
import { refreshInvites } from './refresh-invites.ts';
import { refreshShares } from './refresh-shares.ts';

/** What the transaction was told of (`w.stands`) is written down, each membership once. */
export async function settle(tx: Queryable, told: readonly Standing[]): Promise<void> {
  const members = new Map<string, Set<string>>();
  const profiles = new Map<string, Set<string>>();
  const users = new Set(told.flatMap((one) => ('userId' in one ? [one.userId] : [])));
  for (const userId of users) {
    for (const { projectId, membershipId } of await membersOf(userId, tx)) add(members, projectId, membershipId);
  }
  for (const one of told) {
    if ('membershipId' in one) add(members, one.projectId, one.membershipId);
    if ('profile' in one) add(profiles, one.projectId, one.profile);
  }
  for (const [projectId, ids] of inOrder(members)) {
    await refreshInvites(tx, projectId, [...ids]);
    if (users.size > 0) await refreshFactors(tx, projectId, [...ids]);
  }
  for (const [projectId, references] of inOrder(profiles)) await refreshShares(tx, projectId, [...references]);
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** Whoever locks in several projects does it in this order. */
function inOrder(map: Map<string, Set<string>>): [string, Set<string>][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
