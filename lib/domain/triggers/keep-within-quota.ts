import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { Later } from '#lib/infra/jobs/put-off.ts';
import { EVENTS_PER_HOUR, MOST_EVENTS_PER_HOUR } from '#lib/protocol/bots/event-quota.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { projectTag } from '../access/cache-tags.ts';
import { takeRoom } from '../limits/throttle.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

const HOUR_MS = 3_600_000;
/** Taken at once: a thousandth of the quota, so that most events cost no statement, and a process that ends takes little with it. */
const SHARE = 1000;

/** What this process has taken of the hour of a project and not used. */
type Room = {
  hour: number;
  left: number;
  /** The quota at which nothing was left. */
  fullAt?: number;
  taking?: Promise<void>;
};

const rooms = new LRUCache<string, Room>({ max: 20_000 });
const quotas = createLiveCache<number>(5000);

/**
 * Counts an event for a bot of this project that runs for the first time, in the database: of all processes together, also after a restart. One past the
 * quota of the hour waits for the next: throws `Later`.
 */
export async function keepWithinQuota(projectId: string, attempt: number): Promise<void> {
  if (attempt > 1) return;
  const quota = await quotaOf(projectId);
  for (;;) {
    const room = roomOf(projectId);
    if (room.left > 0) {
      room.left -= 1;
      return;
    }
    if (room.fullAt !== undefined && room.fullAt >= quota) throw laterThan(room.hour);
    // Those that come meanwhile wait for the same answer.
    room.taking ??= take(projectId, room, quota).finally(() => {
      room.taking = undefined;
    });
    await room.taking;
  }
}

/** Throws `Later` where this process knows that the hour of the project is full: counts nothing. */
export async function requireQuota(projectId: string, attempt: number): Promise<void> {
  const { hour, left, fullAt } = roomOf(projectId);
  if (attempt > 1 || left > 0 || fullAt === undefined) return;
  if (fullAt >= (await quotaOf(projectId))) throw laterThan(hour);
}

function quotaOf(projectId: string): Promise<number> {
  return quotas.get(projectId, () => loadQuota(projectId));
}

function laterThan(hour: number): Later {
  return new Later(new Date((hour + 1) * HOUR_MS));
}

function roomOf(projectId: string): Room {
  const hour = Math.floor(Date.now() / HOUR_MS);
  const known = rooms.get(projectId);
  if (known?.hour === hour) return known;
  const room = { hour, left: 0 };
  rooms.set(projectId, room);
  return room;
}

async function take(projectId: string, room: Room, quota: number): Promise<void> {
  const by = Math.max(1, Math.floor(quota / SHARE));
  const { count } = await takeRoom(`bot-events:${projectId}:${room.hour}`, HOUR_MS / 1000, quota, by);
  const granted = Math.min(by, quota - (count - by));
  if (granted > 0) room.left += granted;
  else {
    log.warn({ projectId, quota }, 'events for bots wait for the next hour');
    room.fullAt = quota;
  }
}

async function loadQuota(projectId: string): Promise<{ value: number; tags: [string] }> {
  const row = await findRow(projectId, 'Project', projectId);
  const settings = row && !row.deleted ? (toResource<Project>(row).setting ?? []) : [];
  const given = settings.find(({ name }) => name === EVENTS_PER_HOUR)?.valueInteger;
  return { value: given ?? MOST_EVENTS_PER_HOUR, tags: [projectTag(projectId)] };
}
