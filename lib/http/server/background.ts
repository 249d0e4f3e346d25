import { flushReads } from '#lib/domain/audit/note-read.ts';
import { startSealing } from '#lib/domain/audit/seal-soon.ts';
import { flushClientRequests } from '#lib/domain/client-requests/note-client-request.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { stopAsyncJobs } from '#lib/domain/runs/async-jobs.ts';
import { watchLostJobs } from '#lib/domain/runs/lost-jobs.ts';
import { flushRuns } from '#lib/domain/runs/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { followMail } from '#lib/domain/standing/follow-mail.ts';
import { startDeliveries } from '#lib/domain/subscriptions/start-deliveries.ts';
import { startLost } from '#lib/domain/subscriptions/start-lost.ts';
import { startEvents } from '#lib/domain/triggers/start-events.ts';
import { checkServer } from '#lib/infra/db/check-server.ts';
import { closeDb, lookAtCluster } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { closeHandOver } from '#lib/infra/db/single/hand-over.ts';
import { checkFiles } from '#lib/infra/files/files.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { startMailWorker } from '#lib/infra/mail/start-mail-worker.ts';
import { watchProcess } from '#lib/infra/metrics/registry.ts';
import { findWalls } from '#lib/infra/sandbox/walls/find-walls.ts';
import { startMllp } from '../mllp/start-mllp.ts';
import { startBulkWorker, stopBulkWorker } from './bulk-worker.ts';
import { openKeyring } from './open-keyring.ts';
import { startImports } from './start-imports.ts';
import { startParams } from './start-params.ts';
import { startSchedules } from './start-schedules.ts';
import { stopAll } from './stop-all.ts';
import { startSweeping, stopSweeping } from './sweeper.ts';
import { startChanges } from './watch-changes.ts';
import { startErasures } from './watch-erasures.ts';
import { startIndexing } from './watch-index.ts';

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
  const stopMail = await startMailWorker(followMail);
  const stopDeliveries = await startDeliveries();
  const stopEvents = await startEvents();
  await startLost();
  const stopSchedules = startSchedules();
  await startBulkWorker();
  const stopWatching = await watchLostJobs();
  startSweeping();
  const stopChanges = startChanges();
  const stopIndexing = startIndexing();
  const stopErasures = startErasures();
  const stopImports = startImports();
  const stopParams = startParams();
  const stopMllp = await startMllp();
  const stopSealing = startSealing();
  return async () => {
    stopBulkWorker();
    stopWatching();
    await stopAll({
      // Longer than they give themselves.
      asyncJobs: { stop: stopAsyncJobs, limitMs: 25_000 },
      changes: { stop: stopChanges, limitMs: LIMIT_MS },
      indexing: { stop: stopIndexing, limitMs: LIMIT_MS },
      erasures: { stop: stopErasures, limitMs: LIMIT_MS },
      imports: { stop: stopImports, limitMs: LIMIT_MS },
      params: { stop: stopParams, limitMs: LIMIT_MS },
      mllp: { stop: stopMllp, limitMs: 2 * LIMIT_MS },
      sweeping: { stop: stopSweeping, limitMs: LIMIT_MS },
      schedules: { stop: stopSchedules, limitMs: LIMIT_MS },
      deliveries: { stop: stopDeliveries, limitMs: LIMIT_MS },
      events: { stop: stopEvents, limitMs: LIMIT_MS },
      mail: { stop: stopMail, limitMs: LIMIT_MS },
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
