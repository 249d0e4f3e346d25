import { LRUCache } from 'lru-cache';

/**
 * How the first page of a search is found: `walk`, since many of the newest rows fit; `fetch`, since few rows fit at all; by a `plan` for its values,
 * since it is neither; `asked`, when it has been asked once.
 */
export type Way = 'asked' | 'walk' | 'fetch' | 'plan';

/** What is written meanwhile makes no way wrong, and none much longer: a walk ends, and of what is fetched there are a few more. */
const KEPT_MS = 60_000;

/** No more than a hint: whichever way is gone, the rows are the same. */
export const ways = new LRUCache<string, Way>({ max: 10_000, ttl: KEPT_MS });
