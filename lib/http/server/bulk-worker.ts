import { AppError } from '#lib/base/errors.ts';
import { type ActorOf, runBulkJob } from '#lib/domain/bulk-jobs/run-bulk-job.ts';
import { leaseOf, watchBulkJobs } from '#lib/domain/bulk-jobs/watch-bulk-jobs.ts';
import { findActor } from '#lib/domain/sessions/acting/act-on-behalf-of.ts';
import { loadActor } from '#lib/domain/sessions/load-actor.ts';
import { cachedActor } from '#lib/domain/sessions/session-cache.ts';
import { whileHolding } from '#lib/infra/db/single/leases.ts';
import { startWorker } from '#lib/infra/jobs/start-worker.ts';

/** At a time in one process, so that one project's five thousand rows do not hold up another's five. Their rows take turns (run-bulk-job.ts). */
const CONCURRENCY = 2;

let stopping = new AbortController();
let stopWatching = () => {};

/** Runs bulk jobs in this process, and those that another, which is gone, has left unfinished. */
export async function startBulkWorker(): Promise<void> {
  stopping = new AbortController();
  const { signal: stopped } = stopping;
  await startWorker('bulk', CONCURRENCY, ({ projectId = '', jobId = '' }, signal) =>
    whileHolding(leaseOf(jobId), () => runBulkJob(projectId, jobId, actorOfJob, AbortSignal.any([stopped, signal]))),
  );
  stopWatching = watchBulkJobs();
}

/** Jobs under way stop after their row; the next process goes on with them. */
export function stopBulkWorker(): void {
  stopWatching();
  stopping.abort(new Error('The server stops'));
}

/** The administrator who asked, as they stand now: the job outlives their session, but not their rights. */
export const actorOfJob: ActorOf = async (job) => {
  const { actorProjectId: projectId, actorMembershipId: membershipId } = job;
  const loginId = job.loginId ?? undefined;
  const found = await cachedActor(`bulk:${projectId}:${membershipId}:${loginId}`, () =>
    loadActor({ projectId, membershipId, loginId, scope: 'openid' }),
  );
  const actor = { ...found, askedBefore: true as const };
  if (!job.onBehalfOf) return actor;
  const caller = await findActor(projectId, job.onBehalfOf, 'openid');
  if (!caller?.admin) throw new AppError('unauthorized', 'Only an administrator can act on behalf of another member');
  return { ...actor, caller: { ...caller, loginId } };
};
