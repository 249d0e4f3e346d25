import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable, transaction } from '#lib/infra/db/client.ts';
import { isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import { loadFactors, toStoredFactors } from './load-factors.ts';

type Member = { membership_id: string; user_ref: string; factors: string | null };

/** Writes down what these members have beside a password by now. Their keys are locked before it looks. Returns how many had changed. */
export async function refreshFactors(
  tx: Queryable,
  projectId: string,
  membershipIds: readonly string[],
): Promise<number> {
  const members = await tx.execute<Member>(sql`
    select membership_id, user_ref, factors from membership_key
    where project_id = ${projectId} and ${isAnyUuidOf(sql`membership_id`, [...membershipIds])} order by membership_id for no key update`);
  const held = await loadFactors(tx, members.flatMap(userIdOf));
  const changed = members
    .map((member) => ({ ...member, now: toStoredFactors(held.get(userIdOf(member)[0] ?? '')) }))
    .filter(({ factors, now }) => factors !== now);
  if (changed.length === 0) return 0;
  await tx.execute(sql`
    update membership_key k set factors = v.factors
    from unnest(${toTextArray(changed.map((row) => row.membership_id))}::uuid[], ${toTextArray(changed.map(({ now }) => now))}::text[]) as v(membership_id, factors)
    where k.project_id = ${projectId} and k.membership_id = v.membership_id`);
  return changed.length;
}

const BATCH = 1000;

/** The same of those that nobody has looked at yet: they were there before this was kept. */
export async function noteFactors(projectId: string): Promise<void> {
  for (let last = BATCH; last === BATCH; ) {
    const rows = await db().execute<Member>(sql`
      select membership_id from membership_key where project_id = ${projectId} and factors is null order by membership_id limit ${BATCH}`);
    const ids = rows.map((row) => row.membership_id);
    if (ids.length > 0) await transaction((tx) => refreshFactors(tx, projectId, ids));
    last = rows.length;
  }
}

function userIdOf({ user_ref }: Pick<Member, 'user_ref'>): string[] {
  const [type, id] = user_ref.split('/');
  return type === 'User' && isUuid(id) ? [id] : [];
}
