import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { CHECKLIST_KEYS, type Overview } from '#lib/protocol/answers/overview.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { listAudit } from '../audit/list-audit.ts';
import { memberStatuses } from '../invites/member-status.ts';
import { findFindings } from './find-findings.ts';

type Counts = {
  active: number;
  invited: number;
  inactive: number;
  bots: number;
  runs: number;
  failed: number;
  clients: number;
  clients_off: number;
} & Record<`did_${'invite' | 'second_admin' | 'policy' | 'bot' | 'client'}`, boolean>;

/** What one request wrote is shown as one. */
const RECENT = 50;

/** How a project stands, on one page. For administrators. */
export async function readOverview(ctx: Ctx, projectId: string): Promise<Overview> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const [counts, { findings, findingCounts }, { rows: recent }] = await Promise.all([
    count(projectId),
    findFindings(projectId),
    listAudit(ctx, projectId, { _count: RECENT, action: SHOWN }),
  ]);
  return {
    people: { active: counts.active, invited: counts.invited, inactive: counts.inactive },
    bots: { count: counts.bots, runs24h: counts.runs, failed24h: counts.failed },
    clients: { active: counts.clients - counts.clients_off, off: counts.clients_off },
    checklist: CHECKLIST_KEYS.map((key) => ({
      key,
      done: counts[`did_${key === 'second-admin' ? 'second_admin' : key}`],
    })),
    findings,
    findingCounts,
    recent,
  };
}

/** Changes of the administrators' own things; sign-ins and the writing of records would bury them. */
const SHOWN = 'membership.*,invite.*,project.*,client.*,bot.*,access-policy.*,job.*,user.*';

async function count(projectId: string): Promise<Counts> {
  const [row] = await db().execute<Counts>(sql`
    with people as (
      select k.membership_id, k.active, k.admin, t.status = 'active' as accepted from membership_key k
      join (${memberStatuses(projectId)}) t on t.membership_id = k.membership_id
      where k.project_id = ${projectId} and k.user_ref like 'User/%'),
    made as (
      select type_id, id, case when type_id = ${typeId('ClientApplication')} then content->>'status' end as status from resource where project_id = ${projectId} and not deleted
        and type_id in (${typeId('Bot')}, ${typeId('ClientApplication')}, ${typeId('AccessPolicy')}))
    select
      (select count(*) from people where active and accepted)::int as active,
      (select count(*) from people where active and not accepted)::int as invited,
      (select count(*) from people where not active)::int as inactive,
      (select count(*) from made where type_id = ${typeId('Bot')})::int as bots,
      (select coalesce(sum(runs), 0) from bot_hour where project_id = ${projectId} and hour > now() - interval '24 hours')::int as runs,
      (select coalesce(sum(failed), 0) from bot_hour where project_id = ${projectId} and hour > now() - interval '24 hours')::int as failed,
      (select count(*) from made where type_id = ${typeId('ClientApplication')})::int as clients,
      (select count(*) from made where type_id = ${typeId('ClientApplication')} and coalesce(status, 'active') <> 'active')::int as clients_off,
      (select count(*) > 1 from people) as did_invite,
      (select count(*) > 1 from people where active and admin) as did_second_admin,
      ${madeLater(projectId, 'AccessPolicy')} as did_policy,
      exists (select 1 from bot_deployment where project_id = ${projectId}) as did_bot,
      ${madeLater(projectId, 'ClientApplication')} as did_client`);
  if (!row) throw notFound();
  return row;
}

/** Made or changed since: what comes with a project (default policies, a first client) came in the same request. */
function madeLater(projectId: string, type: string): SQL {
  return sql`exists (select 1 from made join audit_event e on e.project_id = ${projectId} and e.target = ${`${type}/`} || made.id
    where made.type_id = ${typeId(type)} and e.request_id is distinct from (
      select p.request_id from audit_event p where p.project_id = ${projectId} and p.target = ${`Project/${projectId}`} and p.action = 'project.create' limit 1))`;
}
