import { gathering } from '#lib/base/gathering.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import type { StoredInviteStatus } from '#lib/protocol/requests/invite-statuses.ts';

/** So many memberships of one kind. Of programs the type of the profile is their own. */
export type MemberSum = {
  profile_type: string;
  active: boolean;
  admin: boolean;
  invite_status: StoredInviteStatus;
  limited: boolean;
  /** Whether it is entered by its dates: yes, not yet, or not any more. */
  dates: 'in' | 'away' | 'ended';
  n: number;
};

/** All memberships of a project, counted: a few rows of the counters, the invitations that have expired since the sweep noted it, and who is out by their dates. */
export async function sumMembers(projectId: string, q?: Queryable): Promise<MemberSum[]> {
  return q ? ask(projectId, q) : askWithOthers(projectId, undefined);
}

const askWithOthers = gathering((projectId: string, _all: undefined[]) => ask(projectId, db()));

function ask(projectId: string, q: Queryable): Promise<MemberSum[]> {
  return runText<MemberSum>(q, SUMS, [projectId]);
}

/** From what they were counted as to what they are. */
const OVERDUE = `
  select split_part(k.profile_ref, '/', 1), k.active, k.admin, s.invite_status, k.limited, 'in', s.n from membership_key k
  cross join lateral (values (k.invite_status, -1), ('expired', 1)) as s(invite_status, n)
  where k.project_id = $1::uuid and k.invite_ends <= now()`;

/** Who is out by their dates, each as it is found by an index on them: counters do not know what time it is. */
const OUT = `
  select split_part(k.profile_ref, '/', 1), k.active, k.admin, case when k.invite_ends <= now() then 'expired' else k.invite_status end,
    k.limited, s.dates, s.n from membership_key k
  cross join lateral (values ('in', -1), (case when k.not_after <= now() then 'ended' else 'away' end, 1)) as s(dates, n)
  where k.project_id = $1::uuid and (k.not_after <= now() or k.not_before > now())`;

const SUMS = `
  select profile_type, active, admin, invite_status, limited, dates, sum(n)::int as n from (
    select profile_type, active, admin, invite_status, limited, 'in' as dates, n from member_count where project_id = $1::uuid
    union all ${OVERDUE}
    union all ${OUT}) as t
  group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0`;
