import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import type { ErrorGroup, ErrorGroups, RunErrorsQuery } from '#lib/protocol/bots/runs/run-sight.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { settleRuns } from '../runs/record/record-run.ts';

/** Failures that are looked at for an answer, the newest: what it costs does not grow with how many there are. */
const MOST_LOOKED_AT = 5000;
const MOST_GROUPS = 100;
const MOST_OF_EACH = 10;
/** What was resolved and has failed again since is open. */
const STATES = {
  any: sql``,
  open: sql`where resolved_at is null or again`,
  resolved: sql`where resolved_at is not null and not again`,
};

type Found = {
  looked: number;
  looked_to: string | null;
  fingerprint: string | null;
  n: number;
  first_at: string;
  last_at: string;
  run: string;
  status: string;
  message: string | null;
  versions: number[];
  bots: string[];
  resolved_at: string | null;
  resolved_by: string | null;
  again: boolean | null;
  letters: number;
};

/** The project's failures of a time, but for runs that were cut off, by what is one fault, the newest first. For administrators. */
export async function findErrors(ctx: Ctx, projectId: string, query: RunErrorsQuery): Promise<ErrorGroups> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { bot, since, until, state } = query;
  const wanted = [
    sql`project_id = ${projectId}::uuid and status <> 'ok' and message is distinct from ${CANCELLED}`,
    ...(bot ? [sql`bot_id = ${bot}::uuid`] : []),
    ...(since ? [sql`started_at >= ${since.toISOString()}::timestamptz`] : []),
    ...(until ? [sql`started_at <= ${until.toISOString()}::timestamptz`] : []),
  ];
  await settleRuns(projectId);
  const found = await db().execute<Found>(sql`
    with looked as materialized (
      select id, bot_id, version, status, started_at, fingerprint from bot_run where ${sql.join(wanted, sql` and `)}
      order by started_at desc nulls last, id limit ${MOST_LOOKED_AT + 1}),
    grouped as (
      select fingerprint, count(*)::int as n, min(started_at) as first_at, max(started_at) as last_at,
        (array_agg(id order by started_at desc, id))[1] as run
      from looked where fingerprint is not null group by fingerprint),
    fault as (
      select g.*, b.resolved_at, b.resolved_by, b.resolved_at < (
        select max(started_at) from bot_run a where a.project_id = ${projectId}::uuid and a.fingerprint = g.fingerprint) as again
      from grouped g left join bot_fault b on b.project_id = ${projectId}::uuid and b.fingerprint = g.fingerprint),
    letter as (
      select fingerprint, count(*)::int as n from dead_letter where project_id = ${projectId}::uuid
        ${bot ? sql`and bot_id = ${bot}::uuid` : sql``} group by fingerprint),
    told as (select * from fault ${STATES[state ?? 'any']} order by last_at desc, fingerprint limit ${MOST_GROUPS})
    select s.looked, s.looked_to, f.fingerprint, f.n, f.first_at, f.last_at, f.run, r.status, r.message, f.resolved_at, f.resolved_by, f.again,
      coalesce(e.n, 0) as letters,
      to_json(array(select distinct version from looked l where l.fingerprint = f.fingerprint and version is not null
        order by version desc limit ${MOST_OF_EACH})) as versions,
      to_json(array(select distinct bot_id::text from looked l where l.fingerprint = f.fingerprint order by 1 limit ${MOST_OF_EACH})) as bots
    from (select count(*)::int as looked, min(started_at) as looked_to from looked) as s
    left join told f on true
    left join letter e on e.fingerprint = f.fingerprint
    left join bot_run r on r.project_id = ${projectId}::uuid and r.id = f.run
    order by f.last_at desc, f.fingerprint`);
  const groups = found.filter((row) => row.fingerprint !== null);
  const names = await resolveNames(
    projectId,
    groups.flatMap(({ bots, resolved_by }) => [
      ...bots.map((id) => `Bot/${id}`),
      ...(resolved_by ? [resolved_by] : []),
    ]),
  );
  const [first] = found;
  return {
    groups: groups.map(
      (row): ErrorGroup => ({
        fingerprint: row.fingerprint!,
        count: row.n,
        firstAt: toInstant(row.first_at),
        lastAt: toInstant(row.last_at),
        status: row.status,
        message: row.message,
        versions: row.versions,
        bots: row.bots.map((id) => ({ id, name: named(names, `Bot/${id}`)?.display ?? null })),
        run: row.run,
        deadLetters: row.letters,
        resolved: row.resolved_at
          ? { at: toInstant(row.resolved_at), by: named(names, row.resolved_by), again: row.again === true }
          : null,
      }),
    ),
    lookedTo: first && first.looked > MOST_LOOKED_AT ? toInstant(first.looked_to) : null,
  };
}
