import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { startSealing } from '#lib/domain/audit/seal-soon.ts';
import { flushClientRequests } from '#lib/domain/client-requests/note-client-request.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { stopAsyncJobs } from '#lib/domain/runs/async-jobs.ts';
import { watchLeft } from '#lib/domain/runs/record/record-left.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { checkServer } from '#lib/infra/db/check-server.ts';
import { closeDb, lookAtCluster } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { closeHandOver } from '#lib/infra/db/single/hand-over.ts';
import { checkFiles } from '#lib/infra/files/files.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { watchProcess } from '#lib/infra/metrics/registry.ts';
import { findWalls } from '#lib/infra/sandbox/walls/find-walls.ts';
import { openKeyring } from './open-keyring.ts';
import { stopAll } from './stop-all.ts';
import { startWork } from './work.ts';

const LIMIT_MS = 5000;

/** Starts what runs beside the requests. Resolves to the function that stops it. */
export async function startBackground(): Promise<() => Promise<void>> {
  watchProcess();
  void findWalls();
  await checkServer();
  await checkFiles();
  await lookAtCluster();
  await startInvalidation();
  await openKeyring();
  await ensureSuperAdmin({ requestId: 'start-up', remoteAddress: '', userAgent: '' });
  const stopLeft = watchLeft();
  const isWorking = env().JOBS === 'here';
  if (!isWorking) log.info('jobs are left to workers (npm run worker)');
  const work = isWorking ? await startWork() : {};
  const stopSealing = startSealing();
  return async () => {
    stopLeft();
    await stopAll({
      ...work,
      // Longer than they give themselves.
      asyncJobs: { stop: stopAsyncJobs, limitMs: 25_000 },
      jobs: { stop: stopJobs, limitMs: 2 * LIMIT_MS },
      runner: { stop: stopRunner, limitMs: LIMIT_MS },
      runs: { stop: flushRuns, limitMs: LIMIT_MS },
      failures: { stop: flushFailures, limitMs: LIMIT_MS },
      reads: { stop: flushReads, limitMs: LIMIT_MS },
      requests: { stop: flushClientRequests, limitMs: LIMIT_MS },
      // After everything that still writes.
      seals: { stop: stopSealing, limitMs: LIMIT_MS },
      invalidation: { stop: stopInvalidation, limitMs: LIMIT_MS },
      records: { stop: closeHandOver, limitMs: LIMIT_MS },
      database: { stop: closeDb, limitMs: LIMIT_MS },
    });
  };
}
