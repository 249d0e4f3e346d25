import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';

/** Writes down which of the members on these profiles share theirs. Two changes of who stands on one profile take turns. */
export async function refreshShares(tx: Queryable, projectId: string, profiles: readonly string[]): Promise<void> {
  const sorted = [...profiles].sort();
  for (const profile of sorted) await lockName(tx, `profile:${projectId}:${profile}`);
  await tx.execute(toStatement(projectId, sql`and ${isAnyOf(sql`profile_ref`, sorted)}`));
}

/** As `refreshShares`, of all members. Returns how many were wrong. */
export async function refreshAllShares(tx: Queryable, projectId: string): Promise<number> {
  const changed = await tx.execute(toStatement(projectId, sql``));
  return changed.length;
}

function toStatement(projectId: string, which: SQL): SQL {
  return sql`
    update membership_key k set shares_profile = s.shares
    from (select membership_id, active and count(*) filter (where active) over (partition by profile_ref) > 1 as shares
      from membership_key where project_id = ${projectId} ${which}) as s
    where k.project_id = ${projectId} and k.membership_id = s.membership_id and k.shares_profile <> s.shares
    returning 1`;
}
