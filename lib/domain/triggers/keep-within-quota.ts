import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { Later } from '#lib/infra/jobs/put-off.ts';
import { EVENTS_PER_HOUR, MOST_EVENTS_PER_HOUR } from '#lib/protocol/bots/event-quota.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { projectTag } from '../access/cache-tags.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

const HOUR_MS = 3_600_000;

const counts = new LRUCache<string, { hour: number; count: number }>({ max: 20_000 });
const quotas = createLiveCache<number>(5000);

/**
 * Counts an event for a bot of this project that runs for the first time, in the one process that runs them (start-delivery-worker.ts). One past the
 * quota of the hour waits for the next: throws `Later`.
 */
export async function keepWithinQuota(projectId: string, attempt: number): Promise<void> {
  if (attempt > 1) return;
  const hour = Math.floor(Date.now() / HOUR_MS);
  const known = counts.get(projectId);
  const counted = known?.hour === hour ? known : { hour, count: 0 };
  const quota = await quotas.get(projectId, () => loadQuota(projectId));
  if (counted.count >= quota) {
    if (counted.count === quota) log.warn({ projectId, quota }, 'events for bots wait for the next hour');
    counts.set(projectId, { hour, count: quota + 1 });
    throw new Later(new Date((hour + 1) * HOUR_MS));
  }
  counts.set(projectId, { hour, count: counted.count + 1 });
}

async function loadQuota(projectId: string): Promise<{ value: number; tags: [string] }> {
  const row = await findRow(projectId, 'Project', projectId);
  const settings = row && !row.deleted ? (toResource<Project>(row).setting ?? []) : [];
  const given = settings.find(({ name }) => name === EVENTS_PER_HOUR)?.valueInteger;
  return { value: given ?? MOST_EVENTS_PER_HOUR, tags: [projectTag(projectId)] };
}
