import { type SQL, sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { DeliveryState } from '#lib/protocol/answers/invites.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { InviteStatusName } from '#lib/protocol/requests/invite-statuses.ts';

/** An invitation as the tables have it: one a membership, however often it was sent. */
export type FoundInvite = {
  membership_id: string;
  membership: ProjectMembership;
  status: InviteStatusName;
  email: string | null;
  name: string | null;
  link_id: string | null;
  invited_at: string;
  link_created_at: string | null;
  handed_at: string | null;
  expires_at: string | null;
  opened_at: string | null;
  used_at: string | null;
  mail_state: DeliveryState | null;
  mail_error: string | null;
  mail_attempts: number | null;
  mail_created_at: string | null;
  mail_sent_at: string | null;
};

export type InviteFilter = { status?: InviteStatusName; q?: string; membershipIds?: readonly string[] };

/** Newest first. */
export function findInvites(
  projectId: string,
  filter: InviteFilter,
  page: { count: number; offset: number },
  q: Queryable = db(),
): Promise<FoundInvite[]> {
  const status = filter.status ? sql`where i.status = ${filter.status}` : sql``;
  return q.execute<FoundInvite>(sql`
    select * from (${invites(projectId, filter)}) as i ${status}
    order by i.invited_at desc, i.membership_id limit ${page.count} offset ${page.offset}`);
}

export async function countInvites(projectId: string, filter: InviteFilter): Promise<Record<InviteStatusName, number>> {
  const rows = await db().execute<{ status: InviteStatusName; count: number }>(
    sql`select i.status, count(*)::int as count from (${invites(projectId, filter)}) as i group by i.status`,
  );
  const none = { pending: 0, accepted: 0, expired: 0, revoked: 0, failed: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}

/**
 * The newest link and mail of each membership. Who has a password has accepted, whichever link it came by; a membership that was stopped
 * before that is an invitation taken back.
 */
export function invites(projectId: string, { q, membershipIds }: InviteFilter): SQL {
  const some = (alias: string) =>
    membershipIds ? sql`and ${sql.raw(alias)}.membership_id in ${membershipIds}` : sql``;
  const userId = sql.raw("case when k.user_ref like 'User/%' then substr(k.user_ref, 6) end");
  return sql`
    select k.membership_id, m.content as membership, u.content->>'email' as email,
      coalesce(m.content->'profile'->>'display', concat_ws(' ', u.content->>'firstName', u.content->>'lastName')) as name,
      l.id as link_id, coalesce(l.invited_at, d.created_at) as invited_at, l.created_at as link_created_at, l.handed_at,
      l.expires_at, l.opened_at, l.used_at,
      d.state as mail_state, d.error as mail_error, d.attempts as mail_attempts, d.created_at as mail_created_at, d.sent_at as mail_sent_at,
      case
        when not k.active and l.used_at is null and (l.revoked_at is not null or c.user_id is null) then 'revoked'
        when l.used_at is not null or c.user_id is not null then 'accepted'
        when l.id is null or l.superseded_at is not null or l.expires_at <= now() then 'expired'
        when l.handed_at is null and d.state in ('failed', 'bounced', 'complained') then 'failed'
        else 'pending'
      end as status
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    left join (
      select distinct on (l.membership_id) l.*, min(l.created_at) over (partition by l.membership_id) as invited_at
      from one_time_link l where l.project_id = ${projectId} and l.kind = 'invite' ${some('l')}
      order by l.membership_id, l.created_at desc, l.id) l on l.membership_id = k.membership_id
    left join (
      select distinct on (d.membership_id) d.* from mail d
      where d.project_id = ${projectId} and d.template in ('invite', 'added') ${some('d')}
      order by d.membership_id, d.created_at desc, d.id) d on d.membership_id = k.membership_id
    left join resource u on u.project_id in (${SERVER_SCOPE}, ${projectId}) and u.type_id = ${typeId('User')} and u.id = ${userId} and not u.deleted
    left join credential c on c.user_id = (${userId})::uuid and (not k.awaits_proof or u.content->>'emailVerified' = 'true')
    where k.project_id = ${projectId} and k.user_ref like 'User/%' and (l.id is not null or d.id is not null) ${some('k')} ${matching(q)}`;
}

function matching(q: string | undefined): SQL {
  if (!q) return sql``;
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`and (u.content->>'email' ilike ${part} or m.content->'profile'->>'display' ilike ${part}
    or concat_ws(' ', u.content->>'firstName', u.content->>'lastName') ilike ${part})`;
}
