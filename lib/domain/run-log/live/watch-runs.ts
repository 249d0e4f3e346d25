import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { ProjectRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import { RUN_COLUMNS, type RunRow, toProjectRuns } from '../run-rows.ts';

/** A run, and when it was written. */
export type Recorded = { run: ProjectRun; recordedAt: Date };

export type Batch = {
  /** In the order in which they were written. Some may come a second time. */
  runs: Recorded[];
  /** There were more than are told: what stands elsewhere is to be read anew. */
  missed: boolean;
  /** Up to here. */
  upTo: Date;
};

type Watch = { listeners: Set<(batch: Batch) => void>; timer?: NodeJS.Timeout };

/** Rows become visible a moment after the time that they bear. */
const LATE_MS = 3000;
const MOST_AT_ONCE = 2000;

const watches = new Map<string, Watch>();

/**
 * Tells what runs of the project are recorded from about now on, by whichever process. The database is asked once for all in this process who follow the project, and
 * only while somebody does: who writes runs has nothing to do for it. Returns what ends it.
 */
export function watchRuns(projectId: string, told: (batch: Batch) => void): () => void {
  const known = watches.get(projectId);
  const watch = known ?? { listeners: new Set() };
  watch.listeners.add(told);
  if (!known) {
    watches.set(projectId, watch);
    void look(projectId, watch);
  }
  return () => {
    watch.listeners.delete(told);
    if (watch.listeners.size > 0 || watches.get(projectId) !== watch) return;
    clearTimeout(watch.timer);
    watches.delete(projectId);
  };
}

async function look(projectId: string, watch: Watch, since?: Date): Promise<void> {
  let upTo = since;
  try {
    const batch = await readRecorded(projectId, since);
    upTo = batch.upTo;
    for (const told of watch.listeners) told(batch);
  } catch (error) {
    // From where it was, the next time.
    log.warn({ err: error }, 'runs could not be looked for');
  }
  if (watches.get(projectId) === watch)
    watch.timer = setTimeout(() => void look(projectId, watch, upTo), pace.liveRunsMs).unref();
}

/** What was written since then, or a moment before; without it, nothing but the time. */
export async function readRecorded(projectId: string, since?: Date): Promise<Batch> {
  const from = since && new Date(since.getTime() - LATE_MS).toISOString();
  const rows = await db().execute<{ now: string; recorded_at: string } & (RunRow | { id: null })>(sql`
    select now() as now, r.* from (select 1) as one left join (
      select ${RUN_COLUMNS}, recorded_at from bot_run
      where project_id = ${projectId}::uuid and recorded_at > ${from ?? null}::timestamptz
      order by recorded_at, id limit ${MOST_AT_ONCE + 1}) as r on true
    order by r.recorded_at, r.id`);
  const now = new Date(toInstant(rows[0]!.now));
  const found = rows.filter((row): row is typeof row & RunRow => row.id !== null);
  if (found.length > MOST_AT_ONCE) return { runs: [], missed: true, upTo: now };
  const runs = await toProjectRuns(projectId, found);
  const recorded = runs.map((run, index) => ({ run, recordedAt: new Date(toInstant(found[index]!.recorded_at)) }));
  return { runs: recorded, missed: false, upTo: now };
}
