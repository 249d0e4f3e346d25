import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db, runText, transaction } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { noteProject } from '../directory/note-project.ts';
import { COUNTED_COLUMNS, counted } from './counted.ts';
import { markGonePolicies } from './mark-gone-policies.ts';
import { markGoneProfiles } from './mark-gone-profiles.ts';
import { recountMembers } from './recount-members.ts';
import { refreshFactors } from './refresh-factors.ts';
import { refreshInvites } from './refresh-invites.ts';
import { refreshAllShares } from './refresh-shares.ts';

const BATCH = 1000;

/**
 * Looks again at everything that is stored of how the members of a project stand, and at their counters: for what wrote members past the
 * rules (an import by SQL, an older version of the program beside this one). Returns how much was wrong.
 */
export async function repairStanding(projectId: string): Promise<number> {
  let wrong = await refreshOwn(projectId);
  for await (const members of inBatches(projectId)) {
    const ids = members.map((member) => member.membership_id);
    wrong += await transaction((tx) => refreshInvites(tx, projectId, ids));
    wrong += await transaction((tx) => refreshFactors(tx, projectId, ids));
    wrong += await noteProject(db(), projectId, members.flatMap(userIdOf));
  }
  wrong += await refreshAllShares(db(), projectId);
  wrong += await markGoneProfiles(projectId);
  wrong += await markGonePolicies(projectId);
  return wrong + (await recountMembers(projectId));
}

type Member = { membership_id: string; user_ref: string };

async function* inBatches(projectId: string): AsyncGenerator<Member[]> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db().execute<Member>(sql`
      select membership_id, user_ref from membership_key where project_id = ${projectId} and membership_id > ${last} order by membership_id limit ${BATCH}`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    last = rows.at(-1)!.membership_id;
  }
}

function userIdOf({ user_ref }: Member): string[] {
  const [type, id] = user_ref.split('/');
  return type === 'User' && isUuid(id) ? [id] : [];
}

const REFRESH = `
  with o as (
    select k.membership_id, k.limited as was, s.* from membership_key k
    join resource m on m.project_id = $1::uuid and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    cross join lateral (select m.content ? 'accessPolicy' or jsonb_array_length(coalesce(m.content->'access', '[]')) > 0 as limited,
      coalesce(m.content->'profile'->>'display', m.content->'user'->>'display') as name) as s
    where k.project_id = $1::uuid and (k.limited, k.name) is distinct from (s.limited, s.name)
    for no key update of k),
  k as (
    update membership_key k set limited = o.limited, name = o.name from o
    where k.project_id = $1::uuid and k.membership_id = o.membership_id returning k.*, o.was),
  c as (${counted(`select ${COUNTED_COLUMNS}, 1 as n from k
    union all select project_id, profile_ref, active, admin, invite_status, was, -1 from k`)})
  select count(*)::int as changed from k`;

/** What the membership itself says. */
async function refreshOwn(projectId: string): Promise<number> {
  const [found] = await runText<{ changed: number }>(db(), REFRESH, [projectId]);
  return found?.changed ?? 0;
}
