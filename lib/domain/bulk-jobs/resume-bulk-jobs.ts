import { and, eq, isNull, lt } from 'drizzle-orm';
import { db, transaction } from '#lib/infra/db/client.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';

const KEPT_MS = 30 * 24 * 3_600_000;

/**
 * At start-up: queues every unfinished job again, so that one whose process was killed does not wait for its heartbeat to be missed
 * (run twice does no harm), and drops results that are thirty days old.
 */
export async function resumeBulkJobs(): Promise<void> {
  const open = await db()
    .select({ projectId: bulkJob.projectId, id: bulkJob.id })
    .from(bulkJob)
    .where(isNull(bulkJob.finishedAt));
  for (const { projectId, id } of open) await queueJob(db(), 'bulk', { projectId, jobId: id });
  await transaction(async (tx) => {
    const old = await tx
      .delete(bulkJob)
      .where(lt(bulkJob.finishedAt, new Date(Date.now() - KEPT_MS)))
      .returning({ projectId: bulkJob.projectId, id: bulkJob.id });
    for (const { projectId, id } of old) {
      await tx.delete(bulkJobRow).where(and(eq(bulkJobRow.projectId, projectId), eq(bulkJobRow.jobId, id)));
    }
  });
}
