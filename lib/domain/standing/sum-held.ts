import { sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { STATUS_NOW } from './invite-status.ts';
import { isOfPerson } from './member-kinds.ts';
import { type MemberSum, sumMembers } from './sum-members.ts';

/** Who has a passkey among what they have beside a password, of the row `k` of membership_key, as an index tells it: it is named first. */
export const HAS_PASSKEY = sql`k.factors >= 'passkey' and k.factors < 'passkez'`;

/** As `sumMembers`, of people who have something beside a password, a passkey, or nothing: only those who have something are looked at. */
export async function sumHeld(
  projectId: string,
  which: 'none' | 'any' | 'passkey',
  q: Queryable = db(),
): Promise<MemberSum[]> {
  const held =
    which === 'passkey'
      ? HAS_PASSKEY
      : which === 'any'
        ? sql`k.factors > ''`
        : sql`(k.factors > '' or k.factors is null)`;
  const sums = await q.execute<MemberSum>(sql`
    select split_part(k.profile_ref, '/', 1) as profile_type, k.active, k.admin, ${STATUS_NOW} as invite_status, k.limited,
      case when k.not_after <= now() then 'ended' when k.not_before > now() then 'away' else 'in' end as dates, count(*)::int as n
    from membership_key k where k.project_id = ${projectId} and ${held} group by 1, 2, 3, 4, 5, 6`);
  if (which !== 'none') return sums;
  const all = (await sumMembers(projectId, q)).filter(isOfPerson);
  return [...all, ...sums.filter(isOfPerson).map((sum) => ({ ...sum, n: -sum.n }))];
}
