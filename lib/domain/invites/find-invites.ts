import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { windowsOf } from '#lib/protocol/fhir/index/format.ts';
import { foldString } from '#lib/protocol/fhir/index/normalize.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { InviteStatusName } from '#lib/protocol/requests/invite-statuses.ts';
import { STATUS_NOW } from '../standing/invite-status.ts';
import { sumMembers } from '../standing/sum-members.ts';

/** An invitation: one a membership, however often it was sent. */
export type FoundInvite = {
  membership_id: string;
  user_ref: string;
  status: InviteStatusName;
  invited_at: string;
};

export type InviteFilter = { status?: InviteStatusName; q?: string; membershipIds?: readonly string[] };

/** Newest first: a walk along an index, as far as the page reaches. */
export function findInvites(
  projectId: string,
  filter: InviteFilter,
  { count, offset }: { count: number; offset: number },
  q: Queryable = db(),
): Promise<FoundInvite[]> {
  const walks = standing(filter.status).map(
    (which) => sql`(
      select k.membership_id, k.user_ref, k.invited_at, ${STATUS_NOW} as status from membership_key k
      where ${invited(projectId, filter)} and ${which}
      order by k.invited_at desc nulls last, k.membership_id limit ${count + offset})`,
  );
  return q.execute<FoundInvite>(sql`
    select * from (${sql.join(walks, sql.raw(' union all '))}) as i
    order by i.invited_at desc nulls last, i.membership_id limit ${count} offset ${offset}`);
}

/** What each status is in the order of an index. What has expired may be noted as such, or not yet. */
function standing(status: InviteStatusName | undefined): SQL[] {
  if (status === undefined) return [sql`true`];
  const noted = sql`k.invite_status = ${status}`;
  if (status === 'expired') return [noted, sql`k.invite_ends <= now()`];
  return [status === 'pending' || status === 'failed' ? sql`${noted} and k.invite_ends > now()` : noted];
}

export async function countInvites(projectId: string, filter: InviteFilter): Promise<Record<InviteStatusName, number>> {
  const counts = { none: 0, pending: 0, accepted: 0, expired: 0, revoked: 0, failed: 0 };
  const isAll = !filter.q && !filter.membershipIds;
  const sums = isAll ? await sumMembers(projectId) : await countSome(projectId, filter);
  for (const { invite_status, n } of sums) counts[invite_status] += n;
  const { none: _, ...invitations } = counts;
  return invitations;
}

function countSome(projectId: string, filter: InviteFilter) {
  return db().execute<{ invite_status: InviteStatusName; n: number }>(sql`
    select ${STATUS_NOW} as invite_status, count(*)::int as n from membership_key k where ${invited(projectId, filter)} group by 1`);
}

function invited(projectId: string, { q, membershipIds }: InviteFilter): SQL {
  const some = membershipIds ? sql`and ${isAnyUuidOf(sql`k.membership_id`, membershipIds)}` : sql``;
  return sql`k.project_id = ${projectId} and k.invited_at is not null ${some} ${q ? named(projectId, q) : sql``}`;
}

/** As a search for members by `name:contains`: the names and addresses of the project's members stand in one stretch of an index. */
function named(projectId: string, q: string): SQL {
  const name = searchParam('ProjectMembership', 'name')!;
  return sql`and k.membership_id = any(array(select s.id::uuid from ix_string s where s.project_id = ${projectId}
    and s.param = any(${`{${name.id},${windowsOf(name)}}`}::int[]) and position(${foldString(q)}::text in s.value) > 0))`;
}
