import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { RunState } from '#lib/protocol/answers/bots.ts';
import { isFailing } from '#lib/protocol/answers/failing-bot.ts';
import { FINDING_KINDS, type Finding, type FindingKind, type Overview } from '#lib/protocol/answers/overview.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { memberStatuses } from '../invites/member-status.ts';

const WORDS: Record<FindingKind, { text: (name: string) => string; fix?: Finding['fix'] }> = {
  'profile-missing': {
    text: (name) => `The profile of ${name} is gone: the person can sign in and see nothing`,
    fix: 'repair',
  },
  'one-admin': {
    text: () => 'The project has one administrator: if that person leaves, nobody can help',
    fix: 'invite-admin',
  },
  'bot-failing': { text: (name) => `The bot ${name} fails`, fix: 'open-bot' },
  'no-policy': { text: (name) => `${name} has no access policy, and so reaches every record`, fix: 'edit-access' },
  'shared-profile': { text: (name) => `Several memberships stand on the profile of ${name}` },
  'mail-failed': { text: (name) => `The invitation of ${name} could not be delivered`, fix: 'resend' },
  'invite-expired': { text: (name) => `The invitation of ${name} has expired unused`, fix: 'resend' },
};

/** Of a kind; beyond that only their number is told. */
const MOST = 20;

/** What an administrator should look at, the worst first (membership lint). */
export async function findFindings(projectId: string): Promise<Pick<Overview, 'findings' | 'findingCounts'>> {
  const [ofMembers, ofBots] = await Promise.all([findOfMembers(projectId), findFailingBots(projectId)]);
  const rows = [...ofMembers, ...ofBots];
  const findings = rows.map(({ kind, id, name }) => {
    const { text, fix } = WORDS[kind];
    const type = kind === 'one-admin' ? 'Project' : kind === 'bot-failing' ? 'Bot' : 'ProjectMembership';
    return { kind, text: text(name ?? 'somebody'), target: `${type}/${id}`, display: name, ...(fix && { fix }) };
  });
  const none = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as Record<FindingKind, number>;
  const place = (finding: Finding) => FINDING_KINDS.indexOf(finding.kind);
  return {
    findings: findings.sort((a, b) => place(a) - place(b)),
    findingCounts: { ...none, ...Object.fromEntries(rows.map(({ kind, total }) => [kind, total])) },
  };
}

type Found = { kind: FindingKind; id: string; name: string | null; total: number };

function findOfMembers(projectId: string): Promise<Found[]> {
  return db().execute<Found>(sql`
    with ${members(projectId)},
    found as (
      select 'profile-missing' as kind, id, name from members where active and profile_gone
      union all select 'no-policy', id, name from members where active and not limited and not admin
      union all (select distinct on (profile_ref) 'shared-profile', id, name from members
        where active and profile_ref in (select profile_ref from members where active group by profile_ref having count(*) > 1) order by profile_ref, id)
      union all select status, id, name from members where status in ('mail-failed', 'invite-expired')
      union all select 'one-admin', ${projectId}::text, null where (select count(*) = 1 from members where active and admin and person))
    select kind, id, name, total from (
      select kind, id, name, count(*) over (partition by kind)::int as total, row_number() over (partition by kind order by name, id) as place from found) as f
    where place <= ${MOST}`);
}

/** By what is counted of their runs of the last 24 hours, and by the newest run. */
async function findFailingBots(projectId: string): Promise<Found[]> {
  const bots = await db().execute<{
    id: string;
    name: string | null;
    runs: number;
    failed: number;
    last: RunState | null;
  }>(sql`
    select r.id, r.content->>'name' as name, s.runs, s.failed, l.status as last
    from (
      select bot_id, sum(runs)::int as runs, sum(failed)::int as failed from bot_hour
      where project_id = ${projectId} and hour > now() - interval '24 hours' group by bot_id having sum(failed) > 0) as s
    join resource r on r.project_id = ${projectId} and r.type_id = ${typeId('Bot')} and r.id = s.bot_id::text and not r.deleted
    left join lateral (
      select status from bot_run n where n.project_id = ${projectId} and n.bot_id = s.bot_id
      order by n.started_at desc nulls last, n.id limit 1) as l on true
    order by lower(r.content->>'name'), r.id`);
  const failing = bots.filter(isFailing);
  const total = failing.length;
  return failing.slice(0, MOST).map(({ id, name }) => ({ kind: 'bot-failing', id, name, total }));
}

/** Memberships with what the rules ask of them. Programs count for access only: they have no invitation, and are their own profile. */
function members(projectId: string): SQL {
  return sql`members as (
    select k.membership_id::text as id, coalesce(m.content->'profile'->>'display', m.content->'user'->>'display') as name, k.active, k.admin,
      k.user_ref like 'User/%' as person, k.profile_ref,
      m.content ? 'accessPolicy' or jsonb_array_length(coalesce(m.content->'access', '[]')) > 0 as limited,
      k.user_ref like 'User/%' and not exists (select 1 from resource p where p.project_id = k.project_id
        and p.type_id = (${typeOf()}) and p.id = split_part(k.profile_ref, '/', 2) and not p.deleted) as profile_gone,
      t.status
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    join (${memberStatuses(projectId)}) t on t.membership_id = k.membership_id
    where k.project_id = ${projectId})`;
}

function typeOf(): SQL {
  const types = ['Patient', 'Practitioner', 'RelatedPerson'];
  const cases = types.map(
    (type) => sql`when split_part(k.profile_ref, '/', 1) = ${type} then ${typeId(type)}::smallint`,
  );
  return sql`case ${sql.join(cases, sql.raw(' '))} end`;
}
