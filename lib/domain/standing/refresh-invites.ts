import { sql } from 'drizzle-orm';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import { COUNTED_COLUMNS, counted } from './counted.ts';
import { type KeyFacts, loadInvites } from './load-invites.ts';

/** $1 project, $2 memberships, $3 $4 $5 how they stand. */
const UPDATE = `
  with v as (
    select membership_id, invite_status, nullif(invited_at, '')::timestamptz as invited_at, nullif(invite_ends, '')::timestamptz as invite_ends
    from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as v(membership_id, invite_status, invited_at, invite_ends)),
  o as (
    select v.*, k.invite_status as was from membership_key k join v on v.membership_id = k.membership_id
    where k.project_id = $1::uuid and (k.invite_status, k.invited_at, k.invite_ends) is distinct from (v.invite_status, v.invited_at, v.invite_ends)),
  k as (
    update membership_key k set invite_status = o.invite_status, invited_at = o.invited_at, invite_ends = o.invite_ends
    from o where k.project_id = $1::uuid and k.membership_id = o.membership_id returning k.*, o.was),
  c as (${counted(`select ${COUNTED_COLUMNS}, 1 as n from k
    union all select project_id, profile_ref, active, admin, was, limited, -1 from k`)})
  select count(*)::int as changed from k`;

/**
 * Writes down how the invitations of these members stand by now. Their keys are locked before it looks: of two transactions that change
 * something at once, the later one sees what the earlier one did.
 */
export async function refreshInvites(
  tx: Queryable,
  projectId: string,
  membershipIds: readonly string[],
): Promise<number> {
  const members = await tx.execute<KeyFacts>(sql`
    select membership_id, user_ref, active, awaits_proof, entered_at is not null as entered from membership_key
    where project_id = ${projectId} and ${isAnyUuidOf(sql`membership_id`, membershipIds)} order by membership_id for no key update`);
  if (members.length === 0) return 0;
  const invites = await loadInvites(tx, projectId, members);
  const rows = [...invites];
  const column = (of: (row: (typeof rows)[number]) => string | null) => toTextArray(rows.map((row) => of(row) ?? ''));
  const [done] = await runText<{ changed: number }>(tx, UPDATE, [
    projectId,
    column(([id]) => id),
    column(([, { status }]) => status),
    column(([, { invitedAt }]) => invitedAt),
    column(([, { ends }]) => ends),
  ]);
  return done?.changed ?? 0;
}
