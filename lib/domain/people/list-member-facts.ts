import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { MemberFact, MemberFactList } from '#lib/protocol/answers/member-facts.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { MemberFactsQuery } from '#lib/protocol/requests/member-facts.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findFactorsOf } from '../factors/find-factors.ts';
import { MEMBER_STATUS } from '../invites/member-status.ts';
import { isLive } from '../sessions/live-login.ts';

/** Of one member: a program has a login for every token. */
const MOST_COUNTED = 1000;

type Found = {
  membership_id: string;
  user_ref: string;
  status: MemberFact['status'];
  joined_at: string | null;
  last_active_at: string | null;
  scope: MemberFact['scope'];
  ends_account: boolean;
  active_sessions: number;
  directory: string | null;
};

/** Facts of exactly these memberships, in one round trip, and another for their accounts. What is not the project's is left out, like what is not there. */
export async function listMemberFacts(ctx: Ctx, projectId: string, query: MemberFactsQuery): Promise<MemberFactList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const found = await db().execute<Found>(sql`
    select k.membership_id, k.user_ref, ${MEMBER_STATUS} as status, h.last_updated as joined_at, s.last_active_at, s.active_sessions, c.name as directory,
      case when k.user_ref like 'User/%' then case when u.id is null then 'server' else 'project' end end as scope,
      u.id is not null and not exists (select 1 from membership_key other where other.project_id = ${projectId}
        and other.user_ref = k.user_ref and other.membership_id <> k.membership_id) as ends_account
    from membership_key k
    left join resource_history h on h.project_id = ${projectId} and h.type_id = ${typeId('ProjectMembership')}
      and h.id = k.membership_id::text and h.version = 1
    left join resource u on u.project_id = ${projectId} and u.type_id = ${typeId('User')} and k.user_ref like 'User/%' and u.id = substr(k.user_ref, 6) and not u.deleted
    left join scim_member d on d.project_id = ${projectId} and d.membership_id = k.membership_id
    left join scim_connection c on c.project_id = ${projectId} and c.id = d.connection_id
    cross join lateral (
      select max(l.last_used_at) filter (where l.granted) as last_active_at, count(*) filter (where ${isLive(projectId)})::int as active_sessions
      from (select * from login n where n.project_id = ${projectId} and n.membership_id = k.membership_id
        order by n.last_used_at desc limit ${MOST_COUNTED}) l) s
    where k.project_id = ${projectId} and k.membership_id = any(${toTextArray(query.membership)}::uuid[])`);
  const people = found.map(({ user_ref: ref }) => ref).filter((ref) => ref.startsWith('User/'));
  const factors = await findFactorsOf(
    db(),
    people.map((ref) => ref.slice('User/'.length)),
  );
  return {
    rows: found.map((row) => ({
      membershipId: row.membership_id,
      status: row.status,
      joinedAt: toInstant(row.joined_at),
      lastActiveAt: toInstant(row.last_active_at),
      scope: row.scope,
      endsAccount: row.ends_account,
      activeSessions: row.active_sessions,
      factors: factors.get(row.user_ref.slice('User/'.length)) ?? [],
      directory: row.directory,
    })),
  };
}
