import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { FINDING_KINDS, type Finding, type FindingKind, type Overview } from '#lib/protocol/answers/overview.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

const WORDS: Record<FindingKind, { text: (name: string) => string; fix?: Finding['fix'] }> = {
  'profile-missing': {
    text: (name) => `The profile of ${name} is gone: the person can sign in and see nothing`,
    fix: 'repair',
  },
  'one-admin': {
    text: () => 'The project has one administrator: if that person leaves, nobody can help',
    fix: 'invite-admin',
  },
  'no-policy': { text: (name) => `${name} has no access policy, and so reaches every record`, fix: 'edit-access' },
  'shared-profile': { text: (name) => `Several memberships stand on the profile of ${name}` },
  'mail-failed': { text: (name) => `The invitation of ${name} could not be delivered`, fix: 'resend' },
  'invite-expired': { text: (name) => `The invitation of ${name} has expired unused`, fix: 'resend' },
};

/** Of a kind; beyond that only their number is told. */
const MOST = 20;

/** What an administrator should look at, the worst first (membership lint). */
export async function findFindings(projectId: string): Promise<Pick<Overview, 'findings' | 'findingCounts'>> {
  const rows = await db().execute<{ kind: FindingKind; id: string; name: string | null; total: number }>(sql`
    with ${members(projectId)},
    found as (
      select 'profile-missing' as kind, id, name from members where active and profile_gone
      union all select 'no-policy', id, name from members where active and not limited and not admin
      union all (select distinct on (profile_ref) 'shared-profile', id, name from members
        where active and profile_ref in (select profile_ref from members where active group by profile_ref having count(*) > 1) order by profile_ref, id)
      union all select 'mail-failed', id, name from members where waits and mail_failed
      union all select 'invite-expired', id, name from members where waits and link_dead
      union all select 'one-admin', ${projectId}::text, null where (select count(*) = 1 from members where active and admin and person))
    select kind, id, name, total from (
      select kind, id, name, count(*) over (partition by kind)::int as total, row_number() over (partition by kind order by name, id) as place from found) as f
    where place <= ${MOST}`);
  const findings = rows.map(({ kind, id, name }) => {
    const { text, fix } = WORDS[kind];
    const target = kind === 'one-admin' ? `Project/${id}` : `ProjectMembership/${id}`;
    return { kind, text: text(name ?? 'somebody'), target, display: name, ...(fix && { fix }) };
  });
  const none = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as Record<FindingKind, number>;
  const place = (finding: Finding) => FINDING_KINDS.indexOf(finding.kind);
  return {
    findings: findings.sort((a, b) => place(a) - place(b)),
    findingCounts: { ...none, ...Object.fromEntries(rows.map(({ kind, total }) => [kind, total])) },
  };
}

/** Memberships with what the rules ask of them. Programs count for access only: they have no invitation, and are their own profile. */
function members(projectId: string): SQL {
  const userId = sql.raw("(case when k.user_ref like 'User/%' then substr(k.user_ref, 6) end)::uuid");
  return sql`members as (
    select k.membership_id::text as id, coalesce(m.content->'profile'->>'display', m.content->'user'->>'display') as name, k.active, k.admin,
      k.user_ref like 'User/%' as person, k.profile_ref,
      m.content ? 'accessPolicy' or jsonb_array_length(coalesce(m.content->'access', '[]')) > 0 as limited,
      k.user_ref like 'User/%' and not exists (select 1 from resource p where p.project_id = k.project_id
        and p.type_id = (${typeOf()}) and p.id = split_part(k.profile_ref, '/', 2) and not p.deleted) as profile_gone,
      k.active and k.user_ref like 'User/%' and c.user_id is null as waits,
      l.id is not null and (l.superseded_at is not null or l.expires_at <= now()) as link_dead,
      l.handed_at is null and coalesce(d.state in ('failed', 'bounced', 'complained'), false) as mail_failed
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    left join credential c on c.user_id = ${userId}
    left join (select distinct on (membership_id) * from one_time_link where project_id = ${projectId} and kind = 'invite'
      order by membership_id, created_at desc, id) l on l.membership_id = k.membership_id
    left join (select distinct on (membership_id) * from mail where project_id = ${projectId} and template in ('invite', 'added')
      order by membership_id, created_at desc, id) d on d.membership_id = k.membership_id
    where k.project_id = ${projectId})`;
}

function typeOf(): SQL {
  const types = ['Patient', 'Practitioner', 'RelatedPerson'];
  const cases = types.map(
    (type) => sql`when split_part(k.profile_ref, '/', 1) = ${type} then ${typeId(type)}::smallint`,
  );
  return sql`case ${sql.join(cases, sql.raw(' '))} end`;
}
