import { PgBoss, type Queue } from 'pg-boss';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { directAddress } from '../db/address.ts';
import { poolSizes } from '../db/pool/pool-sizes.ts';

export type JobName = 'mail' | 'bulk' | 'hook' | 'ordered' | 'event' | 'lost';

type QueueSettings = Pick<
  Queue,
  | 'retryLimit'
  | 'retryDelay'
  | 'retryBackoff'
  | 'retryDelayMax'
  | 'expireInSeconds'
  | 'heartbeatSeconds'
  | 'retentionSeconds'
  | 'deleteAfterSeconds'
  | 'deadLetter'
  | 'policy'
>;

/** What was accepted waits for as long as nobody runs it. */
const FOR_YEARS = 10 * 365 * 24 * 3600;
/** Of tens of thousands an hour: what they came to stands elsewhere. */
const A_DAY = 24 * 3600;

/** Longer than any bot may take, who says that it lives; who decides how often it is tried is who runs it: never more than this. */
const RUNS: QueueSettings = {
  retryLimit: 18,
  retryDelay: pace.hookRetrySeconds,
  retryBackoff: true,
  retryDelayMax: 3600,
  heartbeatSeconds: 10,
  expireInSeconds: 1800,
  retentionSeconds: FOR_YEARS,
  deleteAfterSeconds: A_DAY,
  // Who dies of it each time says nothing.
  deadLetter: 'lost',
};

/** Retries back off from five seconds; what fails for good stays visible in the row of the mail. A bulk job goes on where it was. */
const QUEUES: Record<JobName, QueueSettings> = {
  mail: { retryLimit: 6, retryDelay: 5, retryBackoff: true, heartbeatSeconds: 10 },
  // Before those whose jobs come into it.
  lost: { retryLimit: 50, retryDelay: 5, retryBackoff: true, retryDelayMax: 3600, retentionSeconds: FOR_YEARS },
  hook: RUNS,
  // Of one key one after the other, whatever waits to be tried again.
  ordered: { ...RUNS, policy: 'key_strict_fifo' },
  event: RUNS,
  bulk: {
    retryLimit: 50,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds: 6 * 3600,
    heartbeatSeconds: 30,
  },
};

let starting: Promise<PgBoss> | undefined;

/** pg-boss on its own small pool, with its schema and our queues made. It is asleep until `work` is called. */
export function jobs(): Promise<PgBoss> {
  starting ??= start().catch((error) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

export async function stopJobs(): Promise<void> {
  const boss = await starting?.catch(() => undefined);
  starting = undefined;
  await boss?.stop({ graceful: true, timeout: 5000 });
}

async function start(): Promise<PgBoss> {
  const boss = new PgBoss({
    ...directAddress(),
    max: poolSizes().jobs,
    useListenNotify: true,
    application_name: 'gatehouse-jobs',
    superviseIntervalSeconds: pace.jobWatchSeconds,
    monitorIntervalSeconds: pace.jobWatchSeconds,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  await boss.start();
  for (const [name, { policy, ...options }] of Object.entries(QUEUES)) {
    if (await boss.getQueue(name)) await boss.updateQueue(name, { ...options, notify: true });
    else await boss.createQueue(name, { ...options, policy, notify: true });
  }
  return boss;
}
