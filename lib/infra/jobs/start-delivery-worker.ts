import type { PgBoss } from 'pg-boss';
import { jobs } from './jobs.ts';
import { lead } from './lead.ts';

const AT_ONCE = 10;
/** Of one project, so that whose receiver is slow keeps nobody else waiting. */
const AT_ONCE_OF_GROUP = 3;
const OPTIONS = {
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
  includeMetadata: true,
  localConcurrency: AT_ONCE,
  localGroupConcurrency: AT_ONCE_OF_GROUP,
} as const;

type Run<T> = (data: T, attempt: number, signal: AbortSignal) => Promise<void>;

/**
 * Takes deliveries off the queue, in one process for all, so that those with one `keyOf` come one after the other. One that throws is tried
 * again. Resolves to what ends it here; another process goes on.
 */
export function startDeliveryWorker<T extends object>(
  keyOf: (data: T) => string,
  run: Run<T>,
): Promise<() => Promise<void>> {
  return lead('hook', async () => {
    const boss = await jobs();
    const stopped = new AbortController();
    const last = new Map<string, Promise<void>>();
    await boss.work<T, unknown, typeof OPTIONS>('hook', OPTIONS, async (batch) => {
      goOnAtOnce(boss);
      for (const { data, retryCount, signal } of batch) {
        const key = keyOf(data);
        const before = last.get(key) ?? Promise.resolve();
        const mine = before.then(() => run(data, retryCount + 1, AbortSignal.any([stopped.signal, signal])));
        const settled = mine.catch(() => {});
        last.set(key, settled);
        await mine.finally(() => last.get(key) === settled && last.delete(key));
      }
    });
    return () => {
      stopped.abort(new Error('The server stops'));
      return boss.offWork('hook');
    };
  });
}

/** Whoever is at work looks for more as soon as it is done: with one in each interval a project would be told of six changes a second. */
function goOnAtOnce(boss: PgBoss): void {
  for (const { id, name, count } of boss.getWipData()) {
    if (name === 'hook' && count > 0) boss.notifyWorker(id);
  }
}
