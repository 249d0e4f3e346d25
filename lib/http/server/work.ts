import { pace } from '#lib/base/pace.ts';
import { runClosings } from '#lib/domain/access-reviews/run-closings.ts';
import { watchLostJobs } from '#lib/domain/runs/lost-jobs.ts';
import { followMail } from '#lib/domain/standing/follow-mail.ts';
import { startDeliveries } from '#lib/domain/subscriptions/start-deliveries.ts';
import { startLost } from '#lib/domain/subscriptions/start-lost.ts';
import { startEvents } from '#lib/domain/triggers/start-events.ts';
import { startMailWorker } from '#lib/infra/mail/start-mail-worker.ts';
import { startMllp } from '../mllp/start-mllp.ts';
import { actorOfJob, startBulkWorker, stopBulkWorker } from './bulk-worker.ts';
import { lookAgain } from './look-again.ts';
import { startAlerts } from './start-alerts.ts';
import { startImports } from './start-imports.ts';
import { startParams } from './start-params.ts';
import { startSchedules } from './start-schedules.ts';
import type { Part } from './stop-all.ts';
import { startSweeping, stopSweeping } from './sweeper.ts';
import { startChanges } from './watch-changes.ts';
import { startErasures } from './watch-erasures.ts';
import { startIndexing } from './watch-index.ts';

const LIMIT_MS = 5000;
const REVIEWS = { requestId: 'access-reviews', remoteAddress: '', userAgent: '' };

/**
 * Starts what some process on the database must do, and any can: mail, deliveries and the bots that they run, bulk jobs, imports, sweeps.
 * Resolves to what ends it, in the order in which it is to end.
 */
export async function startWork(): Promise<Record<string, Part>> {
  const stopMail = await startMailWorker(followMail);
  const stopDeliveries = await startDeliveries();
  const stopEvents = await startEvents();
  await startLost();
  const stopSchedules = startSchedules();
  const stopAlerts = startAlerts();
  await startBulkWorker();
  const stopWatching = await watchLostJobs();
  startSweeping();
  const stopChanges = startChanges();
  const stopIndexing = startIndexing();
  const stopErasures = startErasures();
  const stopReviews = lookAgain(pace.reviewWatchMs, 'access reviews could not be looked for', (signal) =>
    runClosings(REVIEWS, actorOfJob, signal),
  );
  const stopImports = startImports();
  const stopParams = startParams();
  const stopMllp = await startMllp();
  // Each lets what runs go on for a moment: together, since all of them have so long before the server is killed.
  const stopRunning = async () => {
    const ends = await Promise.allSettled([stopMllp(), stopDeliveries(), stopEvents()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  const stopBulk = async () => {
    stopBulkWorker();
    stopWatching();
  };
  return {
    bulk: { stop: stopBulk, limitMs: LIMIT_MS },
    changes: { stop: stopChanges, limitMs: LIMIT_MS },
    indexing: { stop: stopIndexing, limitMs: LIMIT_MS },
    erasures: { stop: stopErasures, limitMs: LIMIT_MS },
    reviews: { stop: stopReviews, limitMs: LIMIT_MS },
    imports: { stop: stopImports, limitMs: LIMIT_MS },
    params: { stop: stopParams, limitMs: LIMIT_MS },
    sweeping: { stop: stopSweeping, limitMs: LIMIT_MS },
    alerts: { stop: stopAlerts, limitMs: LIMIT_MS },
    schedules: { stop: stopSchedules, limitMs: LIMIT_MS },
    events: { stop: stopRunning, limitMs: 2 * LIMIT_MS },
    mail: { stop: stopMail, limitMs: LIMIT_MS },
  };
}
