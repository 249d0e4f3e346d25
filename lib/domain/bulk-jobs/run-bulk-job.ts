import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { createLane, type Lane } from '#lib/base/lane.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { isConnectionLoss, isStarved } from '#lib/infra/db/errors.ts';
import { poolSizes } from '#lib/infra/db/pool-sizes.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { refreshStatistics } from '#lib/infra/db/statistics.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { type BulkRow, runBulkRow } from './run-row.ts';

/** Rows of one job that are under way at once in one process. A power of two (`claimRow`). */
export const LANES = 8;

/** So many of all jobs together: each is a transaction, and half of the transactions' pool stays for requests. */
let turns: Lane | undefined;
function inTurn<T>(row: () => Promise<T>): Promise<T> {
  turns ??= createLane(Math.min(LANES, Math.ceil(poolSizes().transactions / 2)));
  return turns(row);
}

/** After so many rows in this process the tables are others than the planner knows. */
const MANY = new Set([250, 1000, 4000]);

export type BulkJobRow = typeof bulkJob.$inferSelect;

/** Given by the caller: who a membership is now is known above this room. Throws 401 when it is nobody any more. */
export type ActorOf = (job: BulkJobRow) => Promise<Actor>;

/**
 * Runs what of a job is still waiting, in lanes: each row in one transaction with the note that it was done, so that however often this
 * is started, stopped or killed, each is done once. Rows of one person are in one lane, and so in their order. Rejects when `signal`
 * aborts, or the database fails, after the rows under way have ended; it is then to be run again.
 */
export async function runBulkJob(
  projectId: string,
  jobId: string,
  actorOf: ActorOf,
  signal: AbortSignal,
): Promise<void> {
  const here = and(eq(bulkJob.projectId, projectId), eq(bulkJob.id, jobId));
  const [job] = await db()
    .update(bulkJob)
    .set({ state: 'running', startedAt: sql`coalesce(${bulkJob.startedAt}, ${new Date().toISOString()}::timestamptz)` })
    .where(and(here, inArray(bulkJob.state, ['queued', 'running'])))
    .returning();
  if (!job) return;
  let rows = 0;
  await runLanes(signal, async (lane) => {
    const more = await inTurn(() => runNext(job, lane, actorOf));
    rows += 1;
    if (MANY.has(rows)) await refreshStatistics();
    return more;
  });
  if (rows > Math.min(...MANY)) await refreshStatistics();
  const waiting = db()
    .select({ one: sql`1` })
    .from(bulkJobRow)
    .where(and(eq(bulkJobRow.projectId, projectId), eq(bulkJobRow.jobId, jobId), eq(bulkJobRow.state, 'waiting')));
  // Another process may still be at the last row: then it is that one which finishes.
  await db()
    .update(bulkJob)
    .set({ state: 'done', finishedAt: new Date() })
    .where(and(here, eq(bulkJob.state, 'running'), notExists(waiting)));
}

/** Each lane until it has nothing left, or one of them fails: that failure is thrown when all of them stand still. */
async function runLanes(signal: AbortSignal, next: (lane: number) => Promise<boolean>): Promise<void> {
  const failures: unknown[] = [];
  const runLane = async (lane: number) => {
    try {
      while (failures.length === 0 && (await next(lane))) signal.throwIfAborted();
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)));
  if (failures.length > 0) throw failures[0];
}

class NothingWaits extends Error {}

/** False when there is nothing left to do. */
async function runNext(job: BulkJobRow, lane: number, actorOf: ActorOf): Promise<boolean> {
  const claimed: { row?: BulkRow } = {};
  try {
    const actor = await actorOf(job).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('forbidden', 'Who started this job may do so no longer') : error;
    });
    const ctx: Ctx = { requestId: job.requestId, remoteAddress: job.remoteAddress, userAgent: '', actor };
    const run = async (w: Write, inside: Ctx) => {
      claimed.row = await claimRow(job, lane, w.tx);
      if (!claimed.row) throw new NothingWaits();
      const done = await runBulkRow(inside, job.projectId, job.kind, claimed.row);
      await w.tx
        .update(bulkJobRow)
        .set({ state: 'done', inputSealed: null, ...done })
        .where(isRow(claimed.row));
    };
    await write(ctx, run, { notes: true });
    return true;
  } catch (error) {
    if (error instanceof NothingWaits) return false;
    if (isConnectionLoss(error) || isStarved(error)) throw error;
    const row = claimed.row ?? (await claimRow(job, lane, db()));
    if (!row) return false;
    await noteFailure(job, row, error);
    return true;
  }
}

/** The lane's next row that nobody else is at, locked until the end of the transaction. */
async function claimRow(
  job: BulkJobRow,
  lane: number,
  q: Pick<ReturnType<typeof db>, 'select'>,
): Promise<BulkRow | undefined> {
  const [row] = await q
    .select()
    .from(bulkJobRow)
    .where(
      and(
        eq(bulkJobRow.projectId, job.projectId),
        eq(bulkJobRow.jobId, job.id),
        // Written out: with a parameter the plan could not use the index of waiting rows.
        sql`${bulkJobRow.state} = 'waiting'`,
        // What `who` ends with is the address: "Ann Lee <ann@example.com>".
        sql`hashtextextended(substring(${bulkJobRow.who} from '[^<]*$'), 0) & ${LANES - 1} = ${lane}`,
        // Emptied by a cancel that committed between our snapshot and the lock.
        sql`(${bulkJobRow.membershipId} is not null or ${bulkJobRow.inputSealed} is not null)`,
        // Cancelled meanwhile: what has not begun stays undone.
        sql`exists (select 1 from bulk_job j where j.project_id = ${job.projectId} and j.id = ${job.id} and j.state = 'running')`,
      ),
    )
    .orderBy(bulkJobRow.number)
    .limit(1)
    .for('update', { skipLocked: true });
  return row;
}

/** What the verb refused is the row's result. */
async function noteFailure(job: BulkJobRow, row: BulkRow, error: unknown): Promise<void> {
  const known = error instanceof AppError ? error : undefined;
  const [issue] = known?.issues ?? [];
  await db()
    .update(bulkJobRow)
    .set({
      state: 'failed',
      inputSealed: null,
      outcome: known?.code ?? 'exception',
      field: issue?.expression,
      message: known
        ? known.issues
            .map(({ text }) => text)
            .join('; ')
            .slice(0, 1000)
        : `Internal server error (request ${job.requestId})`,
    })
    .where(and(isRow(row), eq(bulkJobRow.state, 'waiting')));
  if (!known) log.error({ requestId: job.requestId, err: error }, 'a row of a bulk job failed');
}

function isRow({ projectId, jobId, number }: BulkRow) {
  return and(eq(bulkJobRow.projectId, projectId), eq(bulkJobRow.jobId, jobId), eq(bulkJobRow.number, number));
}
