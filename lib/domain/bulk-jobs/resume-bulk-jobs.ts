import { isNull } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { bulkJob } from '#lib/infra/db/schema/operations.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';

/**
 * At start-up: queues every unfinished job again, so that one whose process was killed does not wait for its heartbeat to be missed
 * (run twice does no harm).
 */
export async function resumeBulkJobs(): Promise<void> {
  const open = await db()
    .select({ projectId: bulkJob.projectId, id: bulkJob.id })
    .from(bulkJob)
    .where(isNull(bulkJob.finishedAt));
  for (const { projectId, id } of open) await queueJob(db(), 'bulk', { projectId, jobId: id });
}
