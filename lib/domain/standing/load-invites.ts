import { sql } from 'drizzle-orm';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isAnyOf, isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { StoredInviteStatus } from '#lib/protocol/requests/invite-statuses.ts';
import { toInviteStatus } from './invite-status.ts';

/** What of its key decides how a membership stands. */
export type KeyFacts = {
  membership_id: string;
  user_ref: string;
  active: boolean;
  awaits_proof: boolean;
  entered: boolean;
};
/** As membership_key keeps it. Times as PostgreSQL writes them. */
export type StoredInvite = { status: StoredInviteStatus; invitedAt: string | null; ends: string | null };

type FoundLink = {
  membership_id: string;
  first_at: string;
  expires_at: string;
  used: boolean;
  revoked: boolean;
  over: boolean;
  handed: boolean;
};
type FoundMail = { membership_id: string; first_at: string; lost: boolean };

/** How the invitations of these members stand, out of the tables that tell it. A program has none. */
export async function loadInvites(
  q: Queryable,
  projectId: string,
  members: readonly KeyFacts[],
): Promise<Map<string, StoredInvite>> {
  const ids = members.map((member) => member.membership_id);
  const [links, mails, entering] = await Promise.all([
    findLinks(q, projectId, ids),
    findMails(q, projectId, ids),
    findEntering(q, projectId, members),
  ]);
  return new Map(
    members.map((member) => {
      const id = member.membership_id;
      const isPerson = userIdOf(member) !== undefined;
      const link = isPerson ? links.get(id) : undefined;
      const mail = isPerson ? mails.get(id) : undefined;
      const status = toInviteStatus({ active: member.active, canEnter: entering.has(id), link, mail });
      const mayEnd = status === 'pending' || status === 'failed';
      return [id, { status, invitedAt: (link ?? mail)?.first_at ?? null, ends: mayEnd ? link!.expires_at : null }];
    }),
  );
}

async function findLinks(q: Queryable, projectId: string, ids: string[]): Promise<Map<string, FoundLink>> {
  const rows = await q.execute<FoundLink>(sql`
    select distinct on (l.membership_id) l.membership_id, min(l.created_at) over (partition by l.membership_id) as first_at, l.expires_at,
      l.used_at is not null as used, l.revoked_at is not null as revoked, l.handed_at is not null as handed,
      l.superseded_at is not null or l.expires_at <= now() as over
    from one_time_link l where l.project_id = ${projectId} and l.kind = 'invite' and ${isAnyUuidOf(sql`l.membership_id`, ids)}
    order by l.membership_id, l.created_at desc, l.id`);
  return new Map(rows.map((row) => [row.membership_id, row]));
}

async function findMails(q: Queryable, projectId: string, ids: string[]): Promise<Map<string, FoundMail>> {
  const rows = await q.execute<FoundMail>(sql`
    select distinct on (d.membership_id) d.membership_id, min(d.created_at) over (partition by d.membership_id) as first_at,
      d.state in ('failed', 'bounced', 'complained') as lost
    from mail d where d.project_id = ${projectId} and d.template in ('invite', 'added') and ${isAnyUuidOf(sql`d.membership_id`, ids)}
    order by d.membership_id, d.created_at desc, d.id`);
  return new Map(rows.map((row) => [row.membership_id, row]));
}

/** Of these memberships, those by which the person can enter, or has: not everybody does so with a password. */
export async function findEntering(
  q: Queryable,
  projectId: string,
  members: readonly KeyFacts[],
): Promise<Set<string>> {
  const users = members.flatMap((member) => userIdOf(member) ?? []);
  const entered = members.filter((member) => member.entered).map((member) => member.membership_id);
  if (users.length === 0) return new Set(entered);
  const rows = await q.execute<{ user_id: string }>(
    sql`select user_id from credential where ${isAnyUuidOf(sql`user_id`, users)}`,
  );
  const withPassword = new Set(rows.map((row) => row.user_id));
  const known = members.filter((member) => withPassword.has(userIdOf(member) ?? ''));
  const asked = known.flatMap((member) => (member.awaits_proof ? (userIdOf(member) ?? []) : []));
  const proven = asked.length === 0 ? new Set() : await findProven(q, projectId, asked);
  const entering = known.filter((member) => !member.awaits_proof || proven.has(userIdOf(member)));
  return new Set([...entered, ...entering.map((member) => member.membership_id)]);
}

/** Above projects as a rule, and in a statement of their own; in the project when they were filed under it since. */
export async function findProven(q: Queryable, projectId: string, users: string[]): Promise<Set<string>> {
  const found = await Promise.all(
    [SERVER_SCOPE, projectId].map((scope) =>
      q.execute<{ id: string }>(sql`
        select u.id from resource u where u.project_id = ${scope} and u.type_id = ${typeId('User')} and ${isAnyOf(sql`u.id`, users)}
          and not u.deleted and u.content->>'emailVerified' = 'true'`),
    ),
  );
  return new Set(found.flatMap((rows) => rows.map((row) => row.id)));
}

function userIdOf({ user_ref }: KeyFacts): string | undefined {
  const [type, id] = user_ref.split('/');
  return type === 'User' && isUuid(id) ? id : undefined;
}
