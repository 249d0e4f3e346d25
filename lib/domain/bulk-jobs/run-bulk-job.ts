import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { createLane, type Lane } from '#lib/base/lane.ts';
import { db } from '#lib/infra/db/client.ts';
import { isConnectionLoss, isStarved } from '#lib/infra/db/errors.ts';
import { poolSizes } from '#lib/infra/db/pool/pool-sizes.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { refreshStatistics } from '#lib/infra/db/statistics.ts';
import { together } from '#lib/infra/db/together.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { claimRows, noteDone, noteFailure, requireApart } from './claim-rows.ts';
import { LANES } from './rows.ts';
import { type BulkJobRow, type ClaimedRow, runBulkRow } from './run-row.ts';

/**
 * So many rows of new people are done side by side in one transaction: most of what a row costs is its share of statements, of going back and
 * forth between them, and of the commit. Where one is refused, each of them is done again by itself.
 */
const MOST_TOGETHER = 8;

type JobLane = { number: number /** So many of its next rows are done by themselves. */; alone: number };

/** So many lanes of all jobs together: each is a transaction, and half of the transactions' pool stays for requests. */
let turns: Lane | undefined;
function inTurn<T>(row: () => Promise<T>): Promise<T> {
  turns ??= createLane(Math.min(LANES, Math.ceil(poolSizes().transactions / 2)));
  return turns(row);
}

/** After so many rows in this process the tables are others than the planner knows. */
const MANY = [250, 1000, 4000];

/** Given by the caller: who a membership is now is known above this room. Throws 401 when it is nobody any more. */
export type ActorOf = (
  job: Pick<BulkJobRow, 'actorProjectId' | 'actorMembershipId' | 'loginId' | 'onBehalfOf'>,
) => Promise<Actor>;

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
    const before = rows;
    rows += more;
    if (MANY.some((many) => before < many && rows >= many)) await refreshStatistics();
    return more > 0;
  });
  if (rows > MANY[0]!) await refreshStatistics();
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
async function runLanes(signal: AbortSignal, next: (lane: JobLane) => Promise<boolean>): Promise<void> {
  const failures: unknown[] = [];
  const runLane = async (lane: JobLane) => {
    try {
      while (failures.length === 0 && (await next(lane))) signal.throwIfAborted();
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, number) => runLane({ number, alone: 0 })));
  if (failures.length > 0) throw failures[0];
}

class NothingWaits extends Error {}

/** How many rows have been done with; 0 when none is left. */
async function runNext(job: BulkJobRow, lane: JobLane, actorOf: ActorOf): Promise<number> {
  let claimed: ClaimedRow[] = [];
  try {
    const actor = await actorOf(job).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('forbidden', 'Who started this job may do so no longer') : error;
    });
    const ctx: Ctx = { requestId: job.requestId, remoteAddress: job.remoteAddress, userAgent: '', actor };
    const run = async (w: Write, inside: Ctx) => {
      claimed = await claimRows(job, lane.number, w.tx, lane.alone > 0 ? 1 : MOST_TOGETHER);
      if (claimed.length === 0) throw new NothingWaits();
      const done = await together(...claimed.map((row) => runBulkRow(inside, job, row)));
      requireApart(done);
      await noteDone(w.tx, job, done);
    };
    await write(ctx, run, { notes: true });
  } catch (error) {
    if (error instanceof NothingWaits) return 0;
    if (isConnectionLoss(error) || isStarved(error)) throw error;
    if (claimed.length > 1) {
      lane.alone = claimed.length;
      return runNext(job, lane, actorOf);
    }
    const [row] = claimed.length > 0 ? claimed : await claimRows(job, lane.number, db());
    if (!row) return 0;
    await noteFailure(job, row, error);
  }
  lane.alone = Math.max(0, lane.alone - 1);
  return Math.max(1, claimed.length);
}
