import { db, type Queryable, runText } from '#lib/infra/db/client.ts';

const ADD = `
  with c as (
    insert into member_count as c (project_id, profile_type, active, admin, invite_status, limited, slot, n)
    select $1::uuid, profile_type, active, admin, invite_status, limited, 0, sum(n)::int from (
      select split_part(k.profile_ref, '/', 1) as profile_type, k.active, k.admin, k.invite_status, k.limited, 1 as n
      from membership_key k where k.project_id = $1::uuid
      union all
      select t.profile_type, t.active, t.admin, t.invite_status, t.limited, -t.n from member_count t where t.project_id = $1::uuid) as d
    group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0
    on conflict (project_id, profile_type, active, admin, invite_status, limited, slot) do update set n = c.n + excluded.n
    returning 1)
  select count(*)::int as wrong from c`;

/**
 * Adds what the counters of a project lack, or have too much. One snapshot shows both, and what is added holds whatever is counted
 * meanwhile: nobody waits for it. Returns how many counters were wrong.
 */
export async function recountMembers(projectId: string, q: Queryable = db()): Promise<number> {
  const [found] = await runText<{ wrong: number }>(q, ADD, [projectId]);
  return found?.wrong ?? 0;
}
