import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { FINDING_KINDS, type Finding, type FindingKind, type Overview } from '#lib/protocol/answers/overview.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import { isFailing } from '#lib/protocol/bots/failing-bot.ts';
import { readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { defaultPoliciesIn } from '../access/default-policies-in.ts';
import { NOT_ENDED } from '../standing/in-time.ts';
import { policiesLackedBy, suspectsOf } from '../standing/mark-gone-policies.ts';
import { hasProfile } from '../standing/mark-gone-profiles.ts';
import { addUp, isOfPerson, statusOf } from '../standing/member-kinds.ts';
import type { MemberSum } from '../standing/sum-members.ts';
import { findEach, findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

const WORDS: Record<FindingKind, { text: (name: string) => string; fix?: Finding['fix'] }> = {
  'policy-missing': {
    text: (name) => `${name} cannot come in: a policy that their access names is not there any more`,
    fix: 'edit-access',
  },
  'default-missing': {
    text: (name) =>
      `The default policy of ${name} is not there any more: nobody is invited as one who is given no other`,
    fix: 'edit-defaults',
  },
  'glass-policy-missing': {
    text: () => 'The policy of emergency access is not there any more: nobody can break the glass',
    fix: 'edit-glass',
  },
  'profile-missing': {
    text: (name) => `The profile of ${name} is gone: the person can sign in and see nothing`,
    fix: 'repair',
  },
  'one-admin': {
    text: () => 'The project has one administrator: if that person leaves, nobody can help',
    fix: 'invite-admin',
  },
  'bot-failing': { text: (name) => `The bot ${name} fails`, fix: 'open-bot' },
  'break-glass': {
    text: (name) => `${name} has taken emergency access, which waits for a review`,
    fix: 'review',
  },
  'access-request': { text: (name) => `${name} asks for access, and waits for an answer`, fix: 'answer' },
  'policy-required': {
    text: (name) => `${name} has no access policy, and so reaches no record: this project requires one`,
    fix: 'edit-access',
  },
  'no-policy': { text: (name) => `${name} has no access policy, and so reaches every record`, fix: 'edit-access' },
  'shared-profile': { text: (name) => `Several memberships stand on the profile of ${name}` },
  'mail-failed': { text: (name) => `The invitation of ${name} could not be delivered`, fix: 'resend' },
  'invite-expired': { text: (name) => `The invitation of ${name} has expired unused`, fix: 'resend' },
};

const TARGETS: { [K in FindingKind]?: string } = {
  'one-admin': 'Project',
  'default-missing': 'Project',
  'glass-policy-missing': 'Project',
  'bot-failing': 'Bot',
  'break-glass': 'BreakGlass',
  'access-request': 'AccessRequest',
};

/** Of a kind; beyond that only their number is told. */
const MOST = 20;
/** Each is looked for at every reading: of more, as many are told. */
const MOST_GONE = 1000;
/** Of so many members the profile of each is looked for; of more, those that the hourly sweep has not found (mark-gone-profiles.ts). */
const FEW = 200;

/** What an administrator should look at, the worst first (membership lint). */
export async function findFindings(
  projectId: string,
  sums: readonly MemberSum[],
): Promise<Pick<Overview, 'findings' | 'findingCounts'>> {
  const project = findProject(projectId);
  const found = await Promise.all([
    findOfMembers(projectId, sums, project),
    findFailingBots(projectId),
    findGoneDefaults(projectId, project),
    findRequests(projectId),
    findGrants(projectId),
  ]);
  const rows = found.flat();
  const findings = rows.map(({ kind, id, name }) => {
    const { text, fix } = WORDS[kind];
    return {
      kind,
      text: text(name ?? 'somebody'),
      target: `${TARGETS[kind] ?? 'ProjectMembership'}/${id}`,
      display: name,
      ...(fix && { fix }),
    };
  });
  const none = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as Record<FindingKind, number>;
  const place = (finding: Finding) => FINDING_KINDS.indexOf(finding.kind);
  return {
    findings: findings.sort((a, b) => place(a) - place(b)),
    findingCounts: { ...none, ...Object.fromEntries(rows.map(({ kind, total }) => [kind, total])) },
  };
}

type Found = { kind: FindingKind; id: string; name: string | null; total: number };

/** Each kind by an index of its own, and of a kind no more than are shown: their number is counted already, or they are rare. */
async function findOfMembers(
  projectId: string,
  sums: readonly MemberSum[],
  project: Promise<Project | undefined>,
): Promise<Found[]> {
  const open = sql`k.invited_at is not null`;
  const suspects = addUp(sums, isOfPerson) > FEW ? sql`k.profile_gone` : sql`k.user_ref like 'User/%'`;
  const newest = sql`k.invited_at desc nulls last, k.membership_id`;
  const rows = await db().execute<Omit<Found, 'total'> & { total: number | null }>(sql`
    select * from (
      (select 'profile-missing' as kind, g.id, g.name, count(*) over ()::int as total from (
        select k.membership_id as id, k.name from membership_key k
        where k.project_id = ${projectId} and ${suspects} and k.active and not ${hasProfile(projectId)} limit ${MOST_GONE}) as g order by g.id limit ${MOST})
      union all (select 'policy-missing', g.id, g.name, count(*) over ()::int from (
        select k.membership_id as id, k.name from membership_key k
        where k.project_id = ${projectId} and ${suspectsOf(sums)} and k.active and ${NOT_ENDED}
          and exists (select 1 from ${policiesLackedBy(projectId)}) limit ${MOST_GONE}) as g order by g.id limit ${MOST})
      union all ${some(projectId, 'no-policy', sql`k.active and not k.limited and not k.admin and ${NOT_ENDED}`, sql`k.membership_id`)}
      union all (select 'shared-profile', s.id, s.name, count(*) over ()::int from (
        select distinct on (k.profile_ref) k.membership_id as id, k.name from membership_key k
        where k.project_id = ${projectId} and k.active and k.shares_profile order by k.profile_ref, k.membership_id) as s limit ${MOST})
      union all ${some(projectId, 'mail-failed', sql`${open} and k.invite_status = 'failed' and k.invite_ends > now() and ${NOT_ENDED}`, newest)}
      union all ${some(projectId, 'invite-expired', sql`${open} and k.invite_status = 'expired' and ${NOT_ENDED}`, newest)}
      union all ${some(projectId, 'invite-expired', sql`k.invite_ends <= now() and ${NOT_ENDED}`, sql`k.invite_ends desc`)}) as f
    order by lower(f.name), f.id`);
  const counted = rows.map((row) => ({ ...row, total: row.total ?? addUp(sums, isOf(row.kind)) }));
  const isRequired = requiresPolicy((await project) ?? {});
  const found = counted.map((row) =>
    isRequired && row.kind === 'no-policy' ? { ...row, kind: 'policy-required' as const } : row,
  );
  const shown = FINDING_KINDS.flatMap((kind) => found.filter((row) => row.kind === kind).slice(0, MOST));
  return countAdmins(sums) === 1 ? [...shown, { kind: 'one-admin', id: projectId, name: null, total: 1 }] : shown;
}

function some(projectId: string, kind: FindingKind, which: SQL, order: SQL): SQL {
  return sql`(select ${kind}::text, k.membership_id, k.name, null::int from membership_key k
    where k.project_id = ${projectId} and ${which} order by ${order} limit ${MOST})`;
}

function isOf(kind: FindingKind): (sum: MemberSum) => boolean {
  if (kind === 'no-policy')
    return ({ active, admin, limited, dates }) => active && !admin && !limited && dates !== 'ended';
  return (sum) => statusOf(sum) === kind;
}

export function countAdmins(sums: readonly MemberSum[]): number {
  return addUp(sums, (sum) => sum.active && sum.admin && sum.dates === 'in' && isOfPerson(sum));
}

async function findProject(projectId: string): Promise<Project | undefined> {
  const row = await findRow(projectId, 'Project', projectId);
  return row && !row.deleted ? toResource<Project>(row) : undefined;
}

/** Default policies that are not there, by the type of profile that each is for; and that of emergency access. */
async function findGoneDefaults(projectId: string, read: Promise<Project | undefined>): Promise<Found[]> {
  const project = await read;
  const defaults = project ? defaultPoliciesIn(project) : [];
  const glass = readGlassTerms(project?.setting ?? []);
  const named = [...defaults.map(({ reference }) => reference), ...(glass ? [glass.policy] : [])];
  if (named.length === 0) return [];
  const ids = named.map((reference) => ['AccessPolicy', reference.slice('AccessPolicy/'.length)] as const);
  const found = await findEach(projectId, ids);
  const gone = defaults.filter((_, at) => !found[at]);
  const total = gone.length;
  const ofDefaults = gone.map(({ profileType }): Found => {
    return { kind: 'default-missing', id: projectId, name: profileType, total };
  });
  if (!glass || found[defaults.length]) return ofDefaults;
  return [...ofDefaults, { kind: 'glass-policy-missing', id: projectId, name: null, total: 1 }];
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
        and n.message is distinct from ${CANCELLED}
      order by n.started_at desc nulls last, n.id limit 1) as l on true
    order by lower(r.content->>'name'), r.id`);
  const failing = bots.filter(isFailing);
  const total = failing.length;
  return failing.slice(0, MOST).map(({ id, name }) => ({ kind: 'bot-failing', id, name, total }));
}

/** The newest first. */
async function findRequests(projectId: string): Promise<Found[]> {
  const rows = await db().execute<Omit<Found, 'kind'>>(sql`
    select r.id::text as id, (
        select k.name from membership_key k where k.project_id = ${projectId} and k.membership_id = r.membership_id) as name, r.total
    from (
      select id, membership_id, created_at, count(*) over ()::int as total from access_request
      where project_id = ${projectId} and state = 'open' order by created_at desc, id limit ${MOST}) as r
    order by r.created_at desc, r.id`);
  return rows.map((row) => ({ ...row, kind: 'access-request' }));
}

/** Of emergency access that nobody has reviewed, the newest first. */
async function findGrants(projectId: string): Promise<Found[]> {
  const rows = await db().execute<Omit<Found, 'kind'>>(sql`
    select g.id::text as id, (
        select k.name from membership_key k where k.project_id = ${projectId} and k.membership_id = g.membership_id) as name, g.total
    from (
      select id, membership_id, opened_at, count(*) over ()::int as total from break_glass
      where project_id = ${projectId} and closed_at is null order by opened_at desc, id limit ${MOST}) as g
    order by g.opened_at desc, g.id`);
  return rows.map((row) => ({ ...row, kind: 'break-glass' }));
}
