import { and, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { errorOutput } from './job-output.ts';

export type AsyncJobRow = typeof asyncJob.$inferSelect;

export type TrackedJob = { abort: AbortController; done: Promise<void> };

/** Longer than a bot takes that says nothing of its timeout. */
const STOP_LIMIT_MS = 20_000;

const running = new Map<string, TrackedJob>();
let beating: NodeJS.Timeout | undefined;

/** Holds a job that runs in this process, and says so in its row, until it is done. */
export function trackJob(id: string, job: TrackedJob): void {
  running.set(id, job);
  beating ??= setInterval(() => void beat(), pace.jobBeatMs).unref();
  void job.done.finally(() => {
    running.delete(id);
    if (running.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  });
}

export function abortJob(id: string): void {
  running.get(id)?.abort.abort();
}

/** Also learns which of them were cancelled on another instance. */
async function beat(): Promise<void> {
  try {
    const ids = [...running.keys()];
    const here = and(inArray(asyncJob.id, ids), isNull(asyncJob.finishedAt));
    const open = await db().update(asyncJob).set({ aliveAt: sql`now()` }).where(here).returning({ id: asyncJob.id });
    for (const id of ids) if (!open.some((row) => row.id === id)) abortJob(id);
  } catch (error) {
    log.warn({ err: error }, 'asynchronous jobs could not say that they run');
  }
}

/** Nobody says any more that it runs. */
export function isLost({ finishedAt, aliveAt }: AsyncJobRow): boolean {
  return finishedAt === null && aliveAt.getTime() < Date.now() - pace.jobLostMs;
}

/** Ends jobs whose process was killed. Their run is not repeated: nobody knows what it had done already. */
export async function endLostJobs(which?: SQL): Promise<void> {
  await endOpen(
    and(lt(asyncJob.aliveAt, new Date(Date.now() - pace.jobLostMs)), which),
    'The server was stopped while it ran',
  );
}

/** Ends lost jobs now, as after a server that was killed, and every few seconds from now on. Resolves to what stops it. */
export async function watchLostJobs(): Promise<() => void> {
  await endLostJobs();
  const watch = () => endLostJobs().catch((error) => log.warn({ err: error }, 'lost jobs could not be looked for'));
  const watching = setInterval(watch, pace.lostJobWatchMs).unref();
  return () => clearInterval(watching);
}

/** Waits for the jobs of this process, and ends in their rows those that take too long. */
export async function stopAsyncJobs(limitMs = STOP_LIMIT_MS): Promise<void> {
  const all = Promise.all([...running.values()].map((job) => job.done));
  const late = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  await Promise.race([all, late]);
  const ids = [...running.keys()];
  if (ids.length === 0) return;
  log.warn({ jobs: ids.length }, 'asynchronous jobs were cut off');
  await endOpen(inArray(asyncJob.id, ids), 'The server was stopped while it ran');
  for (const id of ids) abortJob(id);
}

async function endOpen(which: SQL | undefined, text: string): Promise<void> {
  await db()
    .update(asyncJob)
    .set({ status: 'error', finishedAt: new Date(), output: errorOutput(text) })
    .where(and(isNull(asyncJob.finishedAt), which));
}
