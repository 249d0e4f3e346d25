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
  n: number;
};

/** All memberships of a project, counted: a few rows of the counters, and the invitations that have expired since the sweep noted it. */
export async function sumMembers(projectId: string, q?: Queryable): Promise<MemberSum[]> {
  return q ? ask(projectId, q) : askWithOthers(projectId, undefined);
}

const askWithOthers = gathering((projectId: string, _all: undefined[]) => ask(projectId, db()));

function ask(projectId: string, q: Queryable): Promise<MemberSum[]> {
  return runText<MemberSum>(q, SUMS, [projectId]);
}

/** From what they were counted as to what they are. */
const OVERDUE = `
  select split_part(k.profile_ref, '/', 1), k.active, k.admin, s.invite_status, k.limited, s.n from membership_key k
  cross join lateral (values (k.invite_status, -1), ('expired', 1)) as s(invite_status, n)
  where k.project_id = $1::uuid and k.invite_ends <= now()`;

const SUMS = `
  select profile_type, active, admin, invite_status, limited, sum(n)::int as n from (
    select profile_type, active, admin, invite_status, limited, n from member_count where project_id = $1::uuid
    union all ${OVERDUE}) as t
  group by 1, 2, 3, 4, 5 having sum(n) <> 0`;
