import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { MemberStatusName } from '#lib/protocol/answers/member-status.ts';
import { CHECKLIST_KEYS, type ChecklistKey, type Overview } from '#lib/protocol/answers/overview.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { listAudit } from '../audit/list-audit.ts';
import { isOfPerson, statusOf } from '../standing/member-kinds.ts';
import { type MemberSum, sumMembers } from '../standing/sum-members.ts';
import { countAdmins, findFindings } from './find-findings.ts';

type Counts = {
  bots: number;
  runs: number;
  failed: number;
  clients: number;
  clients_off: number;
} & Record<`did_${'policy' | 'bot' | 'client'}`, boolean>;

/** What one request wrote is shown as one. */
const RECENT = 50;

/** How a project stands, on one page. For administrators. */
export async function readOverview(ctx: Ctx, projectId: string): Promise<Overview> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const sums = await sumMembers(projectId);
  const [counts, { findings, findingCounts }, { rows: recent }] = await Promise.all([
    count(projectId),
    findFindings(projectId, sums),
    listAudit(ctx, projectId, { _count: RECENT, action: SHOWN }),
  ]);
  const people = countPeople(sums);
  const done: Record<ChecklistKey, boolean> = {
    invite: people.active + people.invited + people.inactive > 1,
    'second-admin': countAdmins(sums) > 1,
    policy: counts.did_policy,
    bot: counts.did_bot,
    client: counts.did_client,
  };
  return {
    people,
    bots: { count: counts.bots, runs24h: counts.runs, failed24h: counts.failed },
    clients: { active: counts.clients - counts.clients_off, off: counts.clients_off },
    checklist: CHECKLIST_KEYS.map((key) => ({ key, done: done[key] })),
    findings,
    findingCounts,
    recent,
  };
}

/** Changes of the administrators' own things; sign-ins and the writing of records would bury them. */
const SHOWN = 'membership.*,invite.*,project.*,client.*,bot.*,access-policy.*,job.*,user.*';

/** Who is out by their dates does not come in, as who was stopped. */
const GROUPS: Record<MemberStatusName, keyof Overview['people']> = {
  active: 'active',
  invited: 'invited',
  'invite-expired': 'invited',
  'mail-failed': 'invited',
  away: 'inactive',
  ended: 'inactive',
  deactivated: 'inactive',
};

function countPeople(sums: readonly MemberSum[]): Overview['people'] {
  const people = { active: 0, invited: 0, inactive: 0 };
  for (const sum of sums.filter(isOfPerson)) {
    const status = statusOf(sum);
    people[GROUPS[status]] += sum.n;
  }
  return people;
}

async function count(projectId: string): Promise<Counts> {
  const [row] = await db().execute<Counts>(sql`
    select
      (select count(*) from ${live(projectId, 'Bot')})::int as bots,
      (select coalesce(sum(runs), 0) from bot_hour where project_id = ${projectId} and hour > now() - interval '24 hours')::int as runs,
      (select coalesce(sum(failed), 0) from bot_hour where project_id = ${projectId} and hour > now() - interval '24 hours')::int as failed,
      (select count(*) from ${live(projectId, 'ClientApplication')})::int as clients,
      (select count(*) from ${live(projectId, 'ClientApplication')} and coalesce(content->>'status', 'active') <> 'active')::int as clients_off,
      ${madeLater(projectId, 'AccessPolicy')} as did_policy,
      exists (select 1 from bot_deployment where project_id = ${projectId}) as did_bot,
      ${madeLater(projectId, 'ClientApplication')} as did_client`);
  if (!row) throw notFound();
  return row;
}

/** What was made later is newer than what came with the project. */
const NEWEST = 20;

/**
 * Made or changed since: what comes with a project (default policies, a first client) came in the same request. Ids compare by bytes; targets do
 * not, and their index is used only for what compares as they do.
 */
function madeLater(projectId: string, type: string): SQL {
  return sql`exists (
    select 1 from (select id from ${live(projectId, type)} order by last_updated desc, id limit ${NEWEST}) as made
    cross join lateral (
      select 1 from audit_event e where e.project_id = ${projectId} and e.target = (${`${type}/`} || made.id) collate "default" and e.request_id is distinct from (
        select p.request_id from audit_event p where p.project_id = ${projectId} and p.target = ${`Project/${projectId}`} and p.action = 'project.create'
        order by p.at nulls first limit 1)
      limit 1) as later)`;
}

function live(projectId: string, type: string): SQL {
  return sql`resource where project_id = ${projectId} and type_id = ${sql.raw(String(typeId(type)))} and not deleted`;
}
