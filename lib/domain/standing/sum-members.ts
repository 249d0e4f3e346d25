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
  if (q) return runText<MemberSum>(q, SUMS, [projectId]);
  const shared = asked.get(projectId) ?? askWithOthers(projectId);
  asked.set(projectId, shared);
  return shared;
}

/** Not sent yet. */
const asked = new Map<string, Promise<MemberSum[]>>();

/** Whoever asks in the same turn of the event loop shares the answer: it is asked for after all of them. */
async function askWithOthers(projectId: string): Promise<MemberSum[]> {
  await new Promise(setImmediate);
  asked.delete(projectId);
  return runText<MemberSum>(db(), SUMS, [projectId]);
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
