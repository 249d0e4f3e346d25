import { setTimeout as pause } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { Days } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, type Queryable, transaction } from './client.ts';
import { projectsOnShards } from './cluster/projects-on-shards.ts';
import { isGuarded } from './server-role/privileges.ts';

export type Over = {
  /** The primary key. That of a tenant's table begins with `project_id`: its rows are found and dropped project by project. */
  key: readonly [first: string, ...rest: string[]];
  /** Which of its rows `t` have served their time; `projectId`, where that is told by further tables of the project. None: they stay. */
  which: SQL | ((projectId: string) => SQL) | undefined;
  /** Where dropping them is itself to be told in the same transaction. Default: a transaction, and nothing else. */
  inside?: (projectId: string, drop: (tx: Queryable) => Promise<number>) => Promise<number>;
};

/** By table. Each room says it of the tables that it writes (`over.ts`), whenever it is asked: settings have a say. */
export type OverRows = Readonly<Record<string, Over>>;

const BATCH = 2000;

/** Whether `column` lies so many days back; undefined where it is kept forever. Not an interval: Citus refuses what is not immutable. */
export function isOlder(column: string, days: Days): SQL | undefined {
  return days === 'forever' ? undefined : sql`${sql.raw(column)} < ${daysAgo(days)}::timestamptz`;
}

/** An instant. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

const DAY_MS = 24 * 3_600_000;

/**
 * Drops what is over, in steps that are short for everybody else, with pauses between them; whoever changes a row at that moment keeps it.
 * The caller sees to it that of several instances one does it.
 */
export async function sweep(over: OverRows, stopped?: AbortSignal): Promise<void> {
  for (const [table, { which, ...rest }] of Object.entries(over)) {
    if (!which) continue;
    const rows = await dropAll(table, { which, ...rest }, stopped);
    if (rows > 0) log.info({ table, rows }, 'swept');
  }
}

type Sweeping = Over & { which: NonNullable<Over['which']> };

async function dropAll(table: string, over: Sweeping, stopped: AbortSignal | undefined): Promise<number> {
  const isTenants = over.key[0] === 'project_id';
  let rows = 0;
  for await (const projectId of isTenants ? projectsIn(table, stopped) : ['']) {
    for (let last = BATCH; last === BATCH && !stopped?.aborted; rows += last) {
      last = await dropSome(table, over, projectId);
      if (last === BATCH) await pause(pace.sweepPauseMs);
    }
  }
  return rows;
}

/** The projects that have rows in a tenant's table, one short look at its index for each; also those of which nothing else is left. */
export async function* projectsIn(table: string, stopped?: AbortSignal): AsyncGenerator<string> {
  const spread = await projectsOnShards(table);
  for (const projectId of spread ?? []) {
    if (stopped?.aborted) return;
    yield projectId;
  }
  if (spread) return;
  let after: string | undefined;
  while (!stopped?.aborted) {
    const [next] = await db().execute<{ project_id: string | null }>(nextProject(table, after));
    if (!next?.project_id) return;
    after = next.project_id;
    yield after;
  }
}

function nextProject(table: string, after: string | undefined): SQL {
  if (isGuarded(table)) return sql`select next_project_in(${table}, ${after ?? null}::uuid) as project_id`;
  const later = after === undefined ? sql`` : sql`where project_id > ${after}::uuid`;
  return sql`select project_id from ${sql.identifier(table)} ${later} order by project_id limit 1`;
}

function dropSome(table: string, { key, which, inside = alone }: Sweeping, projectId: string) {
  const own = key[0] === 'project_id' ? sql`t.project_id = ${projectId}::uuid and` : sql``;
  const isOver = typeof which === 'function' ? which(projectId) : which;
  const columns = sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  );
  const name = sql.identifier(table);
  return inside(projectId, async (tx) => {
    const gone = await tx.execute(sql`
      delete from ${name} t where ${own} (${columns}) in (
        select ${columns} from ${name} t where ${own} (${isOver}) limit ${BATCH} for update of t skip locked) returning 1`);
    return gone.length;
  });
}

function alone(_projectId: string, drop: (tx: Queryable) => Promise<number>): Promise<number> {
  return transaction(drop);
}
