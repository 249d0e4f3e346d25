import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { type BulkJobView, readBulkJob } from './read-bulk-job.ts';

/** What has not begun stays undone; what was done stays done. Throws 404, and 409 when the job is over. */
export async function cancelBulkJob(ctx: Ctx, projectId: string, jobId: string): Promise<BulkJobView> {
  await readBulkJob(ctx, projectId, jobId);
  const ofJob = and(eq(bulkJobRow.projectId, projectId), eq(bulkJobRow.jobId, jobId));
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
    const free = w.tx
      .select({ number: bulkJobRow.number })
      .from(bulkJobRow)
      .where(and(ofJob, eq(bulkJobRow.state, 'waiting'), isNotNull(bulkJobRow.inputSealed)))
      .for('update', { skipLocked: true });
    await w.tx
      .update(bulkJobRow)
      .set({ inputSealed: null })
      .where(and(ofJob, inArray(bulkJobRow.number, free)));
    w.audit({ projectId, action: 'job.cancel', target: `Project/${projectId}`, after: { job: jobId } });
  });
  return readBulkJob(ctx, projectId, jobId);
}
