import { LRUCache } from 'lru-cache';
import type { Delivery } from './delivery.ts';

/** So often a subscription is told of one resource within this time before it is stopped: nobody changes a record so often by hand. */
const MOST = 100;
const WITHIN_MS = 5 * 60_000;

const counts = new LRUCache<string, { from: number; count: number }>({ max: 20_000, ttl: WITHIN_MS });

/**
 * Counted where all deliveries are made, in one process (start-delivery-worker.ts); by when each change was made (`at`), since those that waited are told of at
 * once.
 */
export function isLooping({ projectId, subscriptionId, type, id }: Delivery, at: Date): boolean {
  const key = `${projectId} ${subscriptionId} ${type}/${id}`;
  const known = counts.get(key);
  if (!known || Math.abs(at.getTime() - known.from) > WITHIN_MS) {
    counts.set(key, { from: at.getTime(), count: 1 });
    return false;
  }
  known.count += 1;
  return known.count > MOST;
}
