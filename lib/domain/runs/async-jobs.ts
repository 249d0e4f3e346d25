import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { type Lease, tryLease } from '#lib/infra/db/single/leases.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { errorOutput } from './job-output.ts';

export type TrackedJob = { abort: AbortController; done: Promise<void> };
type Running = TrackedJob & { projectId: string; lease?: Lease; isAsking: boolean };

/** Longer than a bot takes that says nothing of its timeout. */
const STOP_LIMIT_MS = 20_000;
/** What a process holds while it runs a job, with the id at its end: whoever else finds it free knows that nobody runs it. */
export const JOB_LEASE = 'async-job:';

const running = new Map<string, Running>();
let beating: NodeJS.Timeout | undefined;

/** Holds a job that runs in this process, and says so in its row, until it is done. */
export function trackJob(projectId: string, id: string, job: TrackedJob): void {
  running.set(id, { ...job, projectId, isAsking: false });
  void hold(id);
  beating ??= setInterval(beat, pace.jobBeatMs).unref();
  void job.done.finally(() => {
    running.get(id)?.lease?.release();
    running.delete(id);
    if (running.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  });
}

export function runsHere(id: string): boolean {
  return running.has(id);
}

export function abortJob(id: string): void {
  running.get(id)?.abort.abort();
}

/** Two ways to be known as living: one says nothing while the process is busy, the other while its connection is away. */
function beat(): void {
  for (const id of running.keys()) void hold(id);
  void speak();
}

/** What could not be had is asked for again with the next beat. */
async function hold(id: string): Promise<void> {
  const job = running.get(id);
  if (!job || job.isAsking || job.lease?.isHeld()) return;
  job.isAsking = true;
  job.lease = await tryLease(`${JOB_LEASE}${id}`, 1).catch(() => undefined);
  job.isAsking = false;
  if (!running.has(id)) job.lease?.release();
}

/** Also learns which of them were cancelled on another instance. Project by project: one whose node is away silences no other. */
async function speak(): Promise<void> {
  for (const [projectId, ids] of byProject([...running].map(([id, job]) => ({ ...job, id })))) {
    try {
      const here = and(isOpen(projectId), isAnyUuidOf(asyncJob.id, ids));
      const open = await db().update(asyncJob).set({ aliveAt: sql`now()` }).where(here).returning({ id: asyncJob.id });
      for (const id of ids) if (!open.some((row) => row.id === id)) abortJob(id);
    } catch (error) {
      log.warn({ err: error }, 'asynchronous jobs could not say that they run');
    }
  }
}

type Job = { projectId: string; id: string };

function byProject(jobs: Job[]): [projectId: string, ids: string[]][] {
  const groups = Map.groupBy(jobs, ({ projectId }) => projectId);
  return [...groups].map(([projectId, own]) => [projectId, own.map(({ id }) => id)]);
}

function isOpen(projectId: string): SQL | undefined {
  return and(eq(asyncJob.projectId, projectId), isNull(asyncJob.finishedAt));
}

/** Waits for the jobs of this process, and ends in their rows those that take too long. */
export async function stopAsyncJobs(limitMs = STOP_LIMIT_MS): Promise<void> {
  const all = Promise.all([...running.values()].map((job) => job.done));
  const limit = new Promise((resolve) => setTimeout(resolve, limitMs).unref());
  await Promise.race([all, limit]);
  const late = [...running].map(([id, job]) => ({ ...job, id }));
  if (late.length === 0) return;
  log.warn({ jobs: late.length }, 'asynchronous jobs were cut off');
  await endCutOff(late);
  for (const { id } of late) abortJob(id);
}

const CUT_OFF = errorOutput('The server was stopped while it ran');
const NOT_BEGUN = errorOutput('The server was stopped before it began: nothing of it was done');

/** A run is not repeated: nobody knows what it had done already. One that waited for its turn did nothing. */
export async function endCutOff(jobs: Job[], also?: SQL): Promise<void> {
  const output = sql`case when ${asyncJob.status} = 'accepted' then ${NOT_BEGUN}::text else ${CUT_OFF} end`;
  for (const [projectId, ids] of byProject(jobs)) {
    await db()
      .update(asyncJob)
      .set({ status: 'error', finishedAt: new Date(), output })
      .where(and(isOpen(projectId), isAnyUuidOf(asyncJob.id, ids), also));
  }
}
