import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Standing } from '../access/context.ts';
import { refreshInvites } from './refresh-invites.ts';
import { refreshShares } from './refresh-shares.ts';

/** What the transaction was told of (`w.stands`) is written down, each membership once. */
export async function settle(tx: Queryable, told: readonly Standing[]): Promise<void> {
  const members = new Map<string, Set<string>>();
  const profiles = new Map<string, Set<string>>();
  for (const { project_id, membership_id } of await findOfUsers(tx, told)) add(members, project_id, membership_id);
  for (const one of told) {
    if ('membershipId' in one) add(members, one.projectId, one.membershipId);
    if ('profile' in one) add(profiles, one.projectId, one.profile);
  }
  for (const [projectId, ids] of inOrder(members)) await refreshInvites(tx, projectId, [...ids]);
  for (const [projectId, references] of inOrder(profiles)) await refreshShares(tx, projectId, [...references]);
}

async function findOfUsers(tx: Queryable, told: readonly Standing[]) {
  const users = told.flatMap((one) => ('userId' in one ? [`User/${one.userId}`] : []));
  if (users.length === 0) return [];
  return tx.execute<{ project_id: string; membership_id: string }>(
    sql`select project_id, membership_id from membership_key where user_ref = any(${toTextArray(users)}::text[])`,
  );
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** Whoever locks in several projects does it in this order. */
function inOrder(map: Map<string, Set<string>>): [string, Set<string>][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}
