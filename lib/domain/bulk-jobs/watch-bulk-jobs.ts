import { isNull, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, transaction } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { bulkJob } from '#lib/infra/db/schema/operations.ts';
import { freeLeases } from '#lib/infra/db/single/leases.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';

type Open = { projectId: string; id: string };

/** What a process holds while it is at a job. */
export const leaseOf = (jobId: string) => `bulk-job:${jobId}`;

/**
 * Goes on, from now on, with jobs whose process is gone, in whichever process is free: the queue would miss its heartbeat only after half a
 * minute. Returns what stops it.
 */
export function watchBulkJobs(): () => void {
  /** Since when nobody was seen at a job. */
  const suspects = new Map<string, number>();
  let isLooking = false;
  const watching = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look(suspects).catch((err: unknown) => log.warn({ err }, 'bulk jobs could not be looked at'));
    isLooking = false;
  }, pace.lostJobWatchMs).unref();
  return () => clearInterval(watching);
}

async function look(suspects: Map<string, number>): Promise<void> {
  const open = await db()
    .select({ projectId: bulkJob.projectId, id: bulkJob.id })
    .from(bulkJob)
    .where(isNull(bulkJob.finishedAt));
  const free = open.length > 0 ? await freeLeases(open.map(({ id }) => leaseOf(id))) : new Set<string>();
  const lost = open.filter(({ id }) => free.has(leaseOf(id)));
  for (const id of suspects.keys()) if (!lost.some((job) => job.id === id)) suspects.delete(id);
  for (const job of lost) {
    const since = suspects.get(job.id) ?? performance.now();
    suspects.set(job.id, since);
    if (performance.now() - since < pace.jobFreeMs) continue;
    suspects.delete(job.id);
    await queueAgain(job);
  }
}

/** Unless it waits for its turn already: several processes see the same. */
async function queueAgain({ projectId, id }: Open): Promise<void> {
  await transaction(async (tx) => {
    await lockName(tx, leaseOf(id));
    const [waiting] = await tx.execute(sql`
      select 1 from pgboss.job where name = 'bulk' and state < 'active' and data->>'jobId' = ${id} limit 1`);
    if (!waiting) await queueJob(tx, 'bulk', { projectId, jobId: id });
  });
}
