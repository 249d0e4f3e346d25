import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { countRunning, trackJob } from './async-jobs.ts';
import { errorOutput, type JobEnd, toOutput } from './job-output.ts';

/** Of one project in one process, as published (contract §5.8). */
const MOST_RUNNING = 50;

/**
 * Notes a job of the caller's and runs it in this process; returns its id at once. Whatever `run` throws is the job's result. Throws 429
 * while fifty jobs of the project run.
 */
export async function startAsyncJob(
  ctx: Ctx,
  request: string,
  run: (signal: AbortSignal) => Promise<JobEnd>,
): Promise<string> {
  const { projectId, membershipId } = requireActor(ctx);
  if (countRunning(projectId) >= MOST_RUNNING) {
    throw new AppError('too-many-requests', 'Too many jobs of this project are running', { retryAfterSeconds: 5 });
  }
  const id = newId();
  await write(ctx, async (w) => {
    await w.tx.insert(asyncJob).values({ projectId, id, membershipId, status: 'accepted', request });
    w.audit({ projectId, action: 'bot.job.start', target: `AsyncJob/${id}` });
    w.afterCommit(() => {
      const abort = new AbortController();
      trackJob(id, { projectId, abort, done: runJob(ctx, id, () => run(abort.signal)) });
    });
  });
  return id;
}

async function runJob(ctx: Ctx, id: string, run: () => Promise<JobEnd>): Promise<void> {
  const { projectId } = requireActor(ctx);
  const open = and(eq(asyncJob.projectId, projectId), eq(asyncJob.id, id), isNull(asyncJob.finishedAt));
  try {
    await db().update(asyncJob).set({ status: 'active', aliveAt: new Date() }).where(open);
    const { ok, output } = await endOf(ctx, run);
    await db()
      .update(asyncJob)
      .set({ status: ok ? 'completed' : 'error', finishedAt: new Date(), output })
      .where(open);
  } catch (error) {
    // The row says nothing any more, and is found to be lost.
    log.error({ requestId: ctx.requestId, err: error }, 'the result of a job was not kept');
  }
}

async function endOf(ctx: Ctx, run: () => Promise<JobEnd>): Promise<{ ok: boolean; output: string }> {
  try {
    const { ok, output } = await run();
    return { ok, output: toOutput(output) };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, output: errorOutput(error) };
    log.error({ requestId: ctx.requestId, err: error }, 'a job failed');
    return { ok: false, output: errorOutput(`Internal server error (request ${ctx.requestId})`) };
  }
}
