import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export type EarnedTexts = {
  /** Whether the statement is to be prepared. To be asked once for each time that it is sent. */
  has(text: string): boolean;
};

type Limits = {
  /** Texts that may be prepared at once, and as many again in the time that a connection lives. */
  most: number;
  now?: () => number;
};

/** A text that comes a third time will come again. */
const TIMES = 3;
const MAX_TEXT = 16 * 1024;
/** How many texts are remembered that have not come often enough. */
const SEEN = 5000;
/** The driver replaces a connection, with what it has prepared, after an hour at most. */
const CONNECTION_MS = 60 * 60 * 1000;

/**
 * Which statements are worth preparing. PostgreSQL keeps what is prepared on each connection for as long as that lives, so texts that callers
 * can vary must not all be: a text earns its place by coming again, and places are given out no faster than connections forget.
 */
export function createEarnedTexts({ most, now = Date.now }: Limits): EarnedTexts {
  const seen = new LRUCache<string, number>({ max: SEEN });
  const earned = new LRUCache<string, true>({ max: most });
  const refillMs = CONNECTION_MS / most;
  let free = most;
  let since = now();

  return { has };

  function has(text: string): boolean {
    if (text.length > MAX_TEXT) return false;
    if (earned.get(text)) return true;
    const key = createHash('sha1').update(text).digest('base64');
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    if (times < TIMES || !takePlace()) return false;
    seen.delete(key);
    earned.set(text, true);
    return true;
  }

  function takePlace(): boolean {
    const refilled = Math.floor((now() - since) / refillMs);
    since += refilled * refillMs;
    free = Math.min(most, free + refilled);
    if (free === 0) return false;
    free -= 1;
    return true;
  }
}
