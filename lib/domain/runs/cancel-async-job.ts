import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { abortJob } from './async-jobs.ts';
import { readAsyncJob } from './read-async-job.ts';

/**
 * Ends a job that still runs: here at once, in another process within a second or two; its result is not kept. Does nothing to one that was
 * cancelled already. Throws 404 as `readAsyncJob` does, 409 for one that has ended.
 */
export async function cancelAsyncJob(ctx: Ctx, jobId: string): Promise<void> {
  const { projectId } = requireActor(ctx);
  if ((await readAsyncJob(ctx, jobId)).status === 'cancelled') return;
  const here = and(eq(asyncJob.projectId, projectId), eq(asyncJob.id, jobId));
  await write(ctx, async (w) => {
    const [cancelled] = await w.tx
      .update(asyncJob)
      .set({ status: 'cancelled', finishedAt: new Date() })
      .where(and(here, isNull(asyncJob.finishedAt)))
      .returning({ id: asyncJob.id });
    if (!cancelled) throw new AppError('conflict', 'This job has ended already');
    w.audit({ projectId, action: 'bot.job.cancel', target: `AsyncJob/${jobId}` });
    w.afterCommit(() => abortJob(jobId));
  });
}
