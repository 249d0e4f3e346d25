import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { startMailWorker } from '#lib/infra/mail/start-mail-worker.ts';

/** Starts what runs beside the requests. Resolves to the function that stops it. */
export async function startBackground(): Promise<() => Promise<void>> {
  await startInvalidation();
  await ensureSuperAdmin({ requestId: 'start-up', remoteAddress: '', userAgent: '' });
  await startMailWorker();
  return async () => {
    await stopJobs();
    await stopInvalidation();
  };
}
