import { createHash } from 'node:crypto';

/**
 * The id of the run that is this attempt (from 1) at an event, the same whoever makes it: the same attempt is on record once. Of `told`, by which
 * receivers know the event again. A UUID of version 8.
 */
export function attemptId(key: string, attempt: number | 'dead' | 'told'): string {
  const hash = createHash('sha256').update(`${key} ${attempt}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
