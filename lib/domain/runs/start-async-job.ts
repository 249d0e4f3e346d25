import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { refuseInRehearsal } from '#lib/infra/db/rehearsing.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { trackJob } from './async-jobs.ts';
import type { RunningJob } from './bot-request.ts';
import { tooManyRuns } from './gate.ts';
import { errorOutput, type JobEnd, toOutput } from './job-output.ts';
import { erasedSince } from './record/erased-since.ts';

/** Of one project, in all processes: fifty that run (gate.ts), and as many that wait. */
const MOST_OPEN = 100;

/**
 * Notes a job of the caller's and runs it in this process, when it is its turn; returns its id at once. Whatever `run` throws is the job's
 * result. Throws 403 for who may read no bot, and 429 while a hundred jobs of the project are open.
 */
export async function startAsyncJob(
  ctx: Ctx,
  request: string,
  run: (job: RunningJob) => Promise<JobEnd>,
): Promise<string> {
  refuseInRehearsal('run another bot');
  const actor = requireActor(ctx);
  const { projectId, membershipId } = actor;
  // Who may run nothing takes nobody's place; whether there is this bot is the job's to say.
  reach(actor, 'Bot', 'read');
  const id = newId();
  await write(ctx, async (w) => {
    await requireRoom(w.tx, projectId);
    await w.tx.insert(asyncJob).values({ projectId, id, membershipId, status: 'accepted', request });
    w.audit({ projectId, action: 'bot.job.start', target: `AsyncJob/${id}` });
    w.afterCommit(() => {
      const abort = new AbortController();
      trackJob(projectId, id, {
        abort,
        done: runJob(ctx, { id, request }, (begin) => run({ signal: abort.signal, begin })),
      });
    });
  });
  return id;
}

/** Their number stands while this is asked and answered. */
async function requireRoom(tx: Queryable, projectId: string): Promise<void> {
  await lockName(tx, `async-jobs:${projectId}`);
  const open = and(eq(asyncJob.projectId, projectId), isNull(asyncJob.finishedAt));
  const [row] = await tx.select({ count: count() }).from(asyncJob).where(open);
  if (row!.count >= MOST_OPEN) throw tooManyRuns('Too many jobs of this project are open');
}

async function runJob(
  ctx: Ctx,
  { id, request }: { id: string; request: string },
  run: (begin: RunningJob['begin']) => Promise<JobEnd>,
): Promise<void> {
  const startedAt = new Date();
  const { projectId } = requireActor(ctx);
  const open = and(eq(asyncJob.projectId, projectId), eq(asyncJob.id, id), isNull(asyncJob.finishedAt));
  try {
    const begin = async () => {
      await db().update(asyncJob).set({ status: 'active', aliveAt: sql`now()` }).where(open);
    };
    const { ok, output } = await endOf(ctx, () => run(begin));
    const erased = await erasedSince(projectId, startedAt);
    // As an erasure does with those that have ended.
    const isOfErased = erased.some((name) => `${request}${output}`.includes(name));
    const end = { status: ok ? ('completed' as const) : ('error' as const), finishedAt: new Date(), output };
    await (isOfErased ? db().delete(asyncJob).where(open) : db().update(asyncJob).set(end).where(open));
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
