import type postgres from 'postgres';
import { type Entry, invitedOf, judge, judgeMails, type Ledger, type Verdict } from './ledger.ts';
import type { MailStandIn } from './mail-stand-in.ts';
import { SYSTEM } from './work.ts';

type Count = (key: string) => number;

/** What became of everything in the ledger, as the tables and the mail have it. */
export async function verify(
  sql: postgres.Sql,
  projectId: string,
  ledger: Ledger,
  mail: MailStandIn,
): Promise<Record<string, Verdict>> {
  const patients = await countPatients(sql, projectId);
  const versions = await countVersions(sql, projectId);
  const runs = await countRuns(sql, projectId);
  const members = await countMembers(sql, projectId);
  const halved = await findHalves(sql, projectId);
  const waiting = await countWaitingMails(sql, projectId);
  return {
    creates: { ...judge(ledger.creates, patients), halved },
    updates: judge(ledger.updates, versions),
    invites: judge(ledger.invites, members),
    patches: await judgePatches(sql, projectId, ledger.patches),
    runs: judge(ledger.runs, runs),
    jobRows: judge(ledger.jobRows, members),
    mails: judgeMails(invitedOf(ledger), members, { ...mail, waitsFor: (address) => waiting(address) > 0 }),
  };
}

async function countPatients(sql: postgres.Sql, projectId: string): Promise<Count> {
  return toCount(
    await sql`select content->'identifier'->0->>'value' as key from resource where project_id = ${projectId} and not deleted
      and content->'identifier'->0->>'system' = ${SYSTEM}`,
  );
}

async function countVersions(sql: postgres.Sql, projectId: string): Promise<Count> {
  return toCount(
    await sql`select id || '/' || (content::jsonb->'name'->0->>'family') as key from resource_history
      where project_id = ${projectId} and op = 'update' and content::jsonb->'name' is not null`,
  );
}

async function countRuns(sql: postgres.Sql, projectId: string): Promise<Count> {
  return toCount(await sql`select request_id as key from bot_run where project_id = ${projectId}`);
}

/** By the address, which is what a membership shows of its user. */
async function countMembers(sql: postgres.Sql, projectId: string): Promise<Count> {
  return toCount(
    await sql`select content->'user'->>'display' as key from resource where project_id = ${projectId} and not deleted
      and content->'profile' is not null`,
  );
}

/** By the address. A row that no job will come back to does not wait: it was forgotten. Jobs are no project's: on a cluster they lie elsewhere. */
async function countWaitingMails(sql: postgres.Sql, projectId: string): Promise<Count> {
  const jobs = await sql<{ mailId: string }[]>`
    select data->>'mailId' as "mailId" from pgboss.job where name = 'mail' and state in ('created', 'retry', 'active')`;
  return toCount(
    await sql`select recipient as key from mail where project_id = ${projectId} and state in ('queued', 'failed')
      and params_sealed is not null and id = any(${jobs.map(({ mailId }) => mailId)}::uuid[])`,
  );
}

/** Resources without the history of their versions, or without the tokens by which a search finds them; and history without a resource. */
async function findHalves(sql: postgres.Sql, projectId: string): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select coalesce(r.id, h.id) as key
    from (select * from resource where project_id = ${projectId}) r
    full join (select id, type_id, max(version) as last, count(*)::int as versions from resource_history
               where project_id = ${projectId} group by id, type_id) h on h.id = r.id and h.type_id = r.type_id
    where r.id is null or h.id is null or h.last <> r.version or h.versions <> r.version
       or (not r.deleted and cardinality(r.tokens) = 0)`;
  return rows.map(({ key }) => key);
}

/** The one that was acknowledged last stands, unless one that came after it, and may have been done, says otherwise. */
async function judgePatches(sql: postgres.Sql, projectId: string, entries: Entry[]): Promise<Verdict> {
  const last = entries.findLastIndex(({ acknowledged }) => acknowledged);
  const [id] = entries[0]?.key.split('/') ?? [];
  if (last < 0 || !id) return { lost: [], doubled: [], halved: [] };
  const [row] = await sql<
    { admin: boolean }[]
  >`select coalesce((content->>'admin')::boolean, false) as admin from resource
    where project_id = ${projectId} and id = ${id}`;
  const possible = entries.slice(last).map(({ key }) => key);
  return { lost: possible.includes(`${id}/${row?.admin}`) ? [] : [`${id}/${row?.admin}`], doubled: [], halved: [] };
}

function toCount(rows: Iterable<postgres.Row>): Count {
  const counts = new Map<string, number>();
  for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  return (key) => counts.get(key) ?? 0;
}
