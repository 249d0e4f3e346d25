import { type SQL, sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isAnyOf, toTextArray } from '#lib/infra/db/text-array.ts';
import type { DeliveryState } from '#lib/protocol/answers/invites.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, User } from '#lib/protocol/fhir/types.ts';
import type { FoundInvite } from './find-invites.ts';

type InviteLink = {
  membership_id: string;
  link_id: string;
  handed_at: string | null;
  expires_at: string;
  opened_at: string | null;
  used_at: string | null;
};

/** The membership, and the newest mail. */
type InviteMember = {
  membership_id: string;
  membership: ProjectMembership;
  mail_state: DeliveryState | null;
  mail_error: string | null;
  mail_attempts: number | null;
  mail_created_at: string | null;
  mail_sent_at: string | null;
};

export type InviteDetails = FoundInvite & InviteMember & { link: InviteLink | undefined; user: User | undefined };

/** What a page of invitations shows besides. Links and accounts belong to no project: they are asked for by themselves. */
export async function loadInviteDetails(
  q: Queryable,
  projectId: string,
  found: readonly FoundInvite[],
): Promise<InviteDetails[]> {
  if (found.length === 0) return [];
  const ids = found.map((invite) => invite.membership_id);
  const users = found.map(userIdOf);
  const [members, links, own, global] = await Promise.all([
    findMembers(q, projectId, ids),
    findLinks(q, projectId, ids),
    findUsers(q, projectId, users),
    findUsers(q, SERVER_SCOPE, users),
  ]);
  return found.flatMap((invite) => {
    const { membership_id: id } = invite;
    const member = members.get(id);
    const user = own.get(userIdOf(invite)) ?? global.get(userIdOf(invite));
    return member ? [{ ...invite, ...member, link: links.get(id), user }] : [];
  });
}

async function findMembers(q: Queryable, projectId: string, ids: string[]): Promise<Map<string, InviteMember>> {
  const rows = await q.execute<InviteMember>(sql`
    select p.id as membership_id, m.content as membership, d.state as mail_state, d.error as mail_error, d.attempts as mail_attempts,
      d.created_at as mail_created_at, d.sent_at as mail_sent_at
    from unnest(${toTextArray(ids)}::text[]) as p(id)
    join resource m on m.project_id = ${projectId} and ${ofType('m', 'ProjectMembership')} and m.id = p.id and not m.deleted
    left join lateral (
      select * from mail d where d.project_id = ${projectId} and d.membership_id = p.id::uuid and d.template in ('invite', 'added')
      order by d.created_at desc nulls last, d.id limit 1) as d on true`);
  return new Map(rows.map((row) => [row.membership_id, row]));
}

async function findLinks(q: Queryable, projectId: string, ids: string[]): Promise<Map<string, InviteLink>> {
  const rows = await q.execute<InviteLink>(sql`
    select l.membership_id, l.id as link_id, l.handed_at, l.expires_at, l.opened_at, l.used_at
    from unnest(${toTextArray(ids)}::uuid[]) as p(id) cross join lateral (
      select * from one_time_link l where l.project_id = ${projectId} and l.membership_id = p.id and l.kind = 'invite'
      order by l.created_at desc, l.id limit 1) as l`);
  return new Map(rows.map((row) => [row.membership_id, row]));
}

async function findUsers(q: Queryable, scope: string, ids: string[]): Promise<Map<string, User>> {
  const rows = await q.execute<{ id: string; content: User }>(sql`
    select u.id, u.content from resource u where u.project_id = ${scope} and ${ofType('u', 'User')} and ${isAnyOf(sql`u.id`, ids)} and not u.deleted`);
  return new Map(rows.map(({ id, content }) => [id, content]));
}

/** As text: then one partition is planned. */
function ofType(alias: string, type: string): SQL {
  return sql.raw(`${alias}.type_id = ${typeId(type)}`);
}

function userIdOf({ user_ref }: FoundInvite): string {
  return user_ref.slice('User/'.length);
}
