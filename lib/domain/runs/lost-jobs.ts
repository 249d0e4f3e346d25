import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { freeLeases } from '#lib/infra/db/single/leases.ts';
import { endCutOff, JOB_LEASE, runsHere } from './async-jobs.ts';

/** A job whose process says nothing, as it was when that was seen first. */
type Suspect = { spokenAt: string; isFree: boolean; since: number };
type Silent = { project_id: string; id: string; spoken_at: string; is_free: boolean };

/** At one look. */
const MOST = 1000;

const suspects = new Map<string, Suspect>();

/** Ends lost jobs, as after a server that was killed, from now on. Resolves to what stops it. */
export async function watchLostJobs(): Promise<() => void> {
  await look();
  const watch = () => look().catch((error) => log.warn({ err: error }, 'lost jobs could not be looked for'));
  const watching = setInterval(watch, pace.lostJobWatchMs).unref();
  return () => {
    clearInterval(watching);
    suspects.clear();
  };
}

/**
 * A killed process holds nothing any more at once, and says nothing. Neither alone is enough: one that lives may be too busy to speak, or lose its
 * connection and what it held. And what counts is how long this process has seen both, not what the row says: after a database was away,
 * everybody has been silent for long, and comes back when they do.
 */
async function look(): Promise<void> {
  const lost: { projectId: string; id: string }[] = [];
  const silent = await findSilent();
  const ids = new Set(silent.map(({ id }) => id));
  for (const id of suspects.keys()) if (!ids.has(id)) suspects.delete(id);
  for (const { project_id: projectId, id, spoken_at: spokenAt, is_free: isFree } of silent) {
    const known = suspects.get(id);
    if (known?.spokenAt !== spokenAt || known.isFree !== isFree) {
      suspects.set(id, { spokenAt, isFree, since: performance.now() });
    } else if (performance.now() - known.since >= (isFree ? pace.jobFreeMs : pace.jobMuteMs))
      lost.push({ projectId, id });
  }
  if (lost.length > 0) await endCutOff(lost, isSilent());
}

/** Whether they hold their leases is asked apart: on a cluster the rows stand on other nodes than the locks. */
async function findSilent(): Promise<Silent[]> {
  const rows = await db().execute<Omit<Silent, 'is_free'>>(sql`
    select ${asyncJob.projectId}, ${asyncJob.id}, ${asyncJob.aliveAt}::text as spoken_at from ${asyncJob}
    where ${asyncJob.finishedAt} is null and ${isSilent()} order by ${asyncJob.aliveAt} limit ${MOST}`);
  const others = rows.filter(({ id }) => !runsHere(id));
  const free = await freeLeases(others.map(({ id }) => JOB_LEASE + id));
  return others.map((row) => ({ ...row, is_free: free.has(JOB_LEASE + row.id) }));
}

function isSilent() {
  return sql`${asyncJob.aliveAt} < now() - make_interval(secs => ${pace.jobBeatMs / 1000})`;
}
