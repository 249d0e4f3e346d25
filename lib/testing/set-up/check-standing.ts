import { type SQL, sql } from 'drizzle-orm';
import { loadFactors, toStoredFactors } from '#lib/domain/standing/load-factors.ts';
import { type KeyFacts, loadInvites } from '#lib/domain/standing/load-invites.ts';
import { repairStanding } from '#lib/domain/standing/repair-standing.ts';
import { type Queryable, transaction } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { db } from './own-db.ts';

type Stored = KeyFacts & { invite: string; now: string; factors: string | null };

const checked = new Set<string>();

/**
 * What is stored of how members stand, and how many are counted, is what the tables that it is stored of say: in every project that the
 * tests have made, or one. Throws a line for each membership that differs: somebody who changed something did not tell (`w.stands`).
 */
export async function checkStanding(only?: string): Promise<void> {
  const projects = only ? [only] : await findUnchecked();
  const wrong = await transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    const found: string[] = [];
    for (const projectId of projects) found.push(...(await findWrong(tx, projectId)));
    return found;
  });
  if (wrong.length > 0) throw new Error(`Of how members stand is stored what is not so:\n${wrong.join('\n')}`);
}

/** A test has written to tables itself, past all who would have told: what is stored is looked at again. */
export async function tellStanding(projectId: string): Promise<void> {
  await repairStanding(projectId);
}

async function findUnchecked(): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    select project_id as id from membership_key union select project_id from member_count`);
  const fresh = rows.map(({ id }) => id).filter((id) => !checked.has(id));
  for (const id of fresh) checked.add(id);
  return fresh;
}

async function findWrong(tx: Queryable, projectId: string): Promise<string[]> {
  const members = await tx.execute<Stored>(sql`
    select membership_id, user_ref, active, awaits_proof, entered, factors, now()::text as now,
      concat_ws(' ', invite_status, invited_at, invite_ends) as invite
    from (select k.membership_id, k.user_ref, k.active, k.awaits_proof, k.factors, k.entered_at is not null as entered, k.invited_at,
        case when k.invite_ends <= now() then 'expired' else k.invite_status end as invite_status,
        case when k.invite_ends > now() then k.invite_ends end as invite_ends
      from membership_key k where k.project_id = ${projectId}) as k`);
  const invites = await loadInvites(tx, projectId, members);
  const found = members.flatMap(({ membership_id: id, invite }) => {
    const { status, invitedAt, ends } = invites.get(id)!;
    const real = [status, invitedAt, ends].filter(Boolean).join(' ');
    return real === invite ? [] : [`ProjectMembership/${id} of ${projectId} is ${real}, and stored as ${invite}`];
  });
  const held = await loadFactors(
    tx,
    members.flatMap(({ user_ref }) => (user_ref.startsWith('User/') ? [user_ref.slice('User/'.length)] : [])),
  );
  for (const { membership_id: id, user_ref, factors } of members) {
    const real = toStoredFactors(held.get(user_ref.slice('User/'.length)));
    if (real !== factors)
      found.push(`ProjectMembership/${id} of ${projectId} has "${real}", and stored is "${factors}"`);
  }
  const others = await Promise.all([
    tx.execute<{ line: string }>(keys(projectId)),
    tx.execute<{ line: string }>(sums(projectId)),
  ]);
  return [...found, ...others.flat().map(({ line }) => line)];
}

function keys(projectId: string): SQL {
  return sql`
    select concat_ws(' ', 'ProjectMembership/' || s.membership_id, 'of', s.project_id, 'is', s.is_active, s.is_admin, s.is_limited, s.shares, s.full_name, 'and stored as', s.active, s.admin, s.limited, s.shares_profile, s.name) as line
    from (
      select k.*, coalesce(m.content->>'active', 'true') = 'true' as is_active, coalesce(m.content->>'admin', 'false') = 'true' as is_admin,
        (m.content ? 'accessPolicy' or jsonb_array_length(coalesce(m.content->'access', '[]')) > 0) as is_limited,
        coalesce(m.content->'profile'->>'display', m.content->'user'->>'display') as full_name,
        k.active and exists (select 1 from membership_key other where other.project_id = ${projectId} and other.profile_ref = k.profile_ref
          and other.active and other.membership_id <> k.membership_id) as shares
      from membership_key k
      join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
      where k.project_id = ${projectId}) as s
    where (s.active, s.admin, s.limited, s.shares_profile, s.name) is distinct from (s.is_active, s.is_admin, s.is_limited, s.shares, s.full_name)`;
}

function sums(projectId: string): SQL {
  return sql`
    select concat_ws(' ', project_id, 'has', sum(n), 'more than counted:', profile_type, active, admin, invite_status, limited) as line from (
      select k.project_id, split_part(k.profile_ref, '/', 1) as profile_type, k.active, k.admin, k.invite_status, k.limited, 1 as n
      from membership_key k where k.project_id = ${projectId}
      union all
      select project_id, profile_type, active, admin, invite_status, limited, -n from member_count where project_id = ${projectId}) as d
    group by project_id, profile_type, active, admin, invite_status, limited having sum(n) <> 0`;
}
