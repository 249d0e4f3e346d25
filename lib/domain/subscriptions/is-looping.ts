import { LRUCache } from 'lru-cache';
import type { Delivery } from './delivery.ts';

/**
 * So often a subscription is told of one resource within this time before it is stopped. What runs have brought about comes round by itself; whatever else
 * changes a record may be a device that says how it does every second: only what goes round by way of a receiver is faster.
 */
const MOST = 100;
const WITHIN_MS = 30_000;
const WITHIN_MS_OF_RUNS = 5 * 60_000;

const counts = new LRUCache<string, { from: number; count: number }>({ max: 20_000, ttl: WITHIN_MS_OF_RUNS });

/**
 * Counted where all deliveries are made, in one process (start-delivery-worker.ts); by when each change was made (`at`), since those that waited are told of at
 * once.
 */
export function isLooping({ projectId, subscriptionId, type, id, depth, replay }: Delivery, at: Date): boolean {
  // Somebody has looked at it, and wants it told.
  if (replay !== undefined) return false;
  const key = `${projectId} ${subscriptionId} ${type}/${id}`;
  const known = counts.get(key);
  if (!known || Math.abs(at.getTime() - known.from) > (depth === '0' ? WITHIN_MS : WITHIN_MS_OF_RUNS)) {
    counts.set(key, { from: at.getTime(), count: 1 });
    return false;
  }
  known.count += 1;
  return known.count > MOST;
}
