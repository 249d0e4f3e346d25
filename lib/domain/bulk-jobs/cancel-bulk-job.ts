import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { bulkJob } from '#lib/infra/db/schema/operations.ts';
import { freeLeases } from '#lib/infra/db/single/leases.ts';
import type { BulkJob } from '#lib/protocol/answers/bulk-jobs.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { readBulkJob } from './read-bulk-job.ts';
import { leaseOf } from './watch-bulk-jobs.ts';

const LAST_ROWS_MS = 5000;

/** What has not begun stays undone; what was done stays done. Throws 404, and 409 when the job is over. */
export async function cancelBulkJob(ctx: Ctx, projectId: string, jobId: string): Promise<BulkJob> {
  await readBulkJob(ctx, projectId, jobId);
  await write(ctx, async (w) => {
    const [stopped] = await w.tx
      .update(bulkJob)
      .set({ state: 'cancelled', finishedAt: new Date() })
      .where(
        and(eq(bulkJob.projectId, projectId), eq(bulkJob.id, jobId), inArray(bulkJob.state, ['queued', 'running'])),
      )
      .returning({ id: bulkJob.id });
    if (!stopped) throw new AppError('conflict', 'The job is over');
    // Rows that are under way are passed by: they empty themselves. Waiting for them, this would go no faster than the job.
    // As an array: joined by number, ten thousand took half a minute while the planner had no statistics of them.
    await w.tx.execute(sql`
      update bulk_job_row set input_sealed = null where project_id = ${projectId} and job_id = ${jobId} and number = any(array(
        select r.number from bulk_job_row r
        where r.project_id = ${projectId} and r.job_id = ${jobId} and r.state = 'waiting' and r.input_sealed is not null
        for update skip locked))`);
    w.audit({ projectId, action: 'job.cancel', target: `Project/${projectId}`, after: { job: jobId } });
  });
  await lastRows(jobId);
  return readBulkJob(ctx, projectId, jobId);
}

/** Rows under way are done in a moment: from then on what the result says stays so. A process that hangs is not waited for. */
export async function lastRows(jobId: string): Promise<void> {
  const deadline = performance.now() + LAST_ROWS_MS;
  const lease = leaseOf(jobId);
  while (!(await freeLeases([lease])).has(lease) && performance.now() < deadline) await pause(20);
}
