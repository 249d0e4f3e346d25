import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, transaction } from '#lib/infra/db/client.ts';
import { daysAgo, projectsIn } from '#lib/infra/db/sweep.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { keepProgress, readProgress } from '#lib/infra/db/upkeep.ts';

type Swept = { until: string };
type Successor = { type_id: number; id: string; version: number; op: string; last_updated: string };

const NAME = 'sweep-history';
const BATCH = 2000;
const BEGINNING = '-infinity';

/**
 * Drops the versions that another has succeeded for as long as the settings say, or longer. The current one stays, and of what was deleted
 * the last one before that, too: it is what can be brought back, and what the audit log knows its name by. Looks only at what became old
 * enough since it looked last.
 */
export async function sweepHistory(stopped?: AbortSignal): Promise<void> {
  const { RETAIN_HISTORY_DAYS: days } = env();
  if (days === 'forever') return;
  const until = daysAgo(days);
  const { until: since } = (await readProgress<Swept>(NAME)) ?? { until: BEGINNING };
  // More is kept than was: what is gone is gone.
  if (since !== BEGINNING && since >= until) return;
  let rows = 0;
  for await (const projectId of projectsIn('resource_history', stopped))
    rows += await sweepProject(projectId, since, until, stopped);
  if (rows > 0) log.info({ table: 'resource_history', rows }, 'swept');
  if (!stopped?.aborted) await keepProgress(NAME, { until } satisfies Swept);
}

/** Goes along the versions that came in that time: each ends those before it. */
async function sweepProject(
  projectId: string,
  since: string,
  until: string,
  stopped: AbortSignal | undefined,
): Promise<number> {
  let rows = 0;
  let [at, type, id, version] = [since, 0, '', 0];
  for (let found = BATCH; found === BATCH && !stopped?.aborted; ) {
    const page = await db().execute<Successor>(sql`
      select type_id, id, version, op, last_updated from resource_history
      where project_id = ${projectId}::uuid and last_updated >= ${at}::timestamptz and last_updated <= ${until}::timestamptz
        and (last_updated, type_id, id, version) > (${at}::timestamptz, ${type}::smallint, ${id}, ${version}::int)
      order by last_updated, type_id, id, version limit ${BATCH}`);
    rows += await dropBefore(projectId, page);
    found = page.length;
    const last = page.at(-1);
    if (last) [at, type, id, version] = [last.last_updated, last.type_id, last.id, last.version];
    if (found === BATCH) await pause(pace.sweepPauseMs);
  }
  return rows;
}

async function dropBefore(projectId: string, page: readonly Successor[]): Promise<number> {
  // A deletion succeeds nothing: what it deleted is the last that can be brought back.
  const newest = new Map(
    page.filter(({ op, version }) => op !== 'delete' && version > 1).map((row) => [`${row.type_id}/${row.id}`, row]),
  );
  if (newest.size === 0) return 0;
  const rows = [...newest.values()];
  const gone = await transaction((tx) =>
    tx.execute(sql`
      delete from resource_history h using unnest(
        ${toTextArray(rows.map((row) => String(row.type_id)))}::smallint[], ${toTextArray(rows.map((row) => row.id))}::text[],
        ${toTextArray(rows.map((row) => String(row.version)))}::int[]) as n(type_id, id, version)
      where h.project_id = ${projectId}::uuid and h.type_id = n.type_id and h.id = n.id and h.version < n.version returning 1`),
  );
  return gone.length;
}
