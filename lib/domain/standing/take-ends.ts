import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';

/** So many days before a membership ends its person and the administrators hear of it. */
const EARLY_DAYS = 7;
/** Of one project in one round. */
const MOST = 200;

export type Ending = { membership_id: string; user_ref: string; name: string | null; ends: string; comes: boolean };

const DUE = sql`active and not_after > now() and not_after <= now() + make_interval(days => ${EARLY_DAYS})
  and warned_of is distinct from not_after and user_ref like 'User/%'`;

/** Whether anybody is to be told. */
export async function hasEnds(q: Queryable, projectId: string): Promise<boolean> {
  const rows = await q.execute(sql`select 1 from membership_key where project_id = ${projectId} and ${DUE} limit 1`);
  return rows.length > 0;
}

/**
 * Memberships that end within a week, of which nobody was told: whoever takes them tells, in this transaction, and nobody else does. `comes`: they
 * have accepted. One whose end is changed is told of again.
 */
export async function takeEnds(tx: Queryable, projectId: string): Promise<Ending[]> {
  const rows = await tx.execute<Ending>(sql`
    update membership_key k set warned_of = k.not_after
    from (select membership_id from membership_key where project_id = ${projectId} and ${DUE}
      order by not_after, membership_id limit ${MOST} for no key update skip locked) as d
    where k.project_id = ${projectId} and k.membership_id = d.membership_id
    returning k.membership_id, k.user_ref, k.name, k.not_after as ends, k.invite_status in ('none', 'accepted') as comes`);
  return rows.sort((a, b) => Date.parse(a.ends) - Date.parse(b.ends));
}
