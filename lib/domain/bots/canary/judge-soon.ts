import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { judgeCanary } from './judge-canary.ts';

const due = new Map<string, NodeJS.Timeout>();

/**
 * A run of the version that is tried has failed: it is looked at soon, once for all failures until then. The record of a run is sent, and nobody waits
 * until it is there; one that comes later still is counted when the next one fails.
 */
export function judgeSoon(projectId: string, botId: string, canaryId: string): void {
  if (due.has(canaryId)) return;
  const judge = async () => {
    due.delete(canaryId);
    try {
      await judgeCanary(projectId, botId, canaryId);
    } catch (error) {
      log.warn({ err: error }, 'a version that is tried could not be judged');
    }
  };
  due.set(canaryId, setTimeout(judge, pace.canaryLookMs).unref());
}
