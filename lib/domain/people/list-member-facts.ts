import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { MemberFact, MemberFactList } from '#lib/protocol/answers/member-facts.ts';
import type { HeldFactor } from '#lib/protocol/factors/answers.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import type { MemberFactsQuery } from '#lib/protocol/requests/member-facts.ts';
import { type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { MEMBER_STATUS } from '../invites/member-status.ts';
import { isLive } from '../sessions/live-login.ts';
import { loadFactors, readStoredFactors } from '../standing/load-factors.ts';
import { enforcedDomains } from '../ways/enforced-domains.ts';

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
  factors: string | null;
  admin: boolean;
  profile_ref: string;
  sign_in_ways: Way[] | null;
  address: string | null;
};

/** Facts of exactly these memberships, in one round trip beside that of the project's own rules. What is not the project's is left out, like what is not there. */
export async function listMemberFacts(ctx: Ctx, projectId: string, query: MemberFactsQuery): Promise<MemberFactList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const asked = db().execute<Found>(sql`
    select k.membership_id, k.user_ref, k.factors, k.admin, k.profile_ref, m.content->'signInWays' as sign_in_ways, m.content->'user'->>'display' as address, ${MEMBER_STATUS} as status, h.last_updated as joined_at, s.last_active_at, s.active_sessions, c.name as directory,
      case when k.user_ref like 'User/%' then case when u.id is null then 'server' else 'project' end end as scope,
      u.id is not null and not exists (select 1 from membership_key other where other.project_id = ${projectId}
        and other.user_ref = k.user_ref and other.membership_id <> k.membership_id) as ends_account
    from membership_key k
    left join resource_history h on h.project_id = ${projectId} and h.type_id = ${typeId('ProjectMembership')}
      and h.id = k.membership_id::text and h.version = 1
    left join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    left join resource u on u.project_id = ${projectId} and u.type_id = ${typeId('User')} and k.user_ref like 'User/%' and u.id = substr(k.user_ref, 6) and not u.deleted
    left join scim_member d on d.project_id = ${projectId} and d.membership_id = k.membership_id
    left join scim_connection c on c.project_id = ${projectId} and c.id = d.connection_id
    cross join lateral (
      select max(l.last_used_at) filter (where l.granted) as last_active_at, count(*) filter (where ${isLive(projectId)})::int as active_sessions
      from (select * from login n where n.project_id = ${projectId} and n.membership_id = k.membership_id
        order by n.last_used_at desc limit ${MOST_COUNTED}) l) s
    where k.project_id = ${projectId} and k.membership_id = any(${toTextArray(query.membership)}::uuid[])`);
  const [found, rules] = await Promise.all([asked, findRules(projectId)]);
  const unknown = found.filter(({ factors, user_ref: ref }) => factors === null && ref.startsWith('User/'));
  const live = await loadFactors(
    db(),
    unknown.map(({ user_ref: ref }) => ref.slice('User/'.length)),
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
      ...toFactors(
        row.factors === null ? live.get(row.user_ref.slice('User/'.length)) : readStoredFactors(row.factors),
      ),
      byProvider: isByProvider(row, rules),
      directory: row.directory,
    })),
  };
}

type Rules = { setting: ProjectSetting[] | null; enforced: string[] | null };

/** What the project says of who enters how. */
async function findRules(projectId: string): Promise<Rules | undefined> {
  const [row] = await db().execute<Rules>(sql`
    select p.content->'setting' as setting, ${enforcedDomains(projectId)} as enforced from resource p
    where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
  return row;
}

function toFactors(held: readonly HeldFactor[] = []): Pick<MemberFact, 'factors' | 'passkey'> {
  return { factors: held.filter((one) => one !== 'passkey'), passkey: held.includes('passkey') };
}

function isByProvider(row: Found, rules: Rules | undefined): boolean {
  if (!row.user_ref.startsWith('User/')) return false;
  const member = {
    admin: row.admin,
    profile: { reference: row.profile_ref },
    signInWays: row.sign_in_ways ?? undefined,
  };
  const enforced = { domains: rules?.enforced ?? [], email: row.address ?? undefined };
  const [only, other] = waysOf(rules?.setting ?? [], member, enforced);
  return only === 'provider' && other === undefined;
}
