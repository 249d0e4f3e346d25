import { LRUCache } from 'lru-cache';
import { takeRoom, tooMany, WINDOW_SECONDS } from './throttle.ts';

/** Whose secret is guessed from where, in what the caller cannot vary, and how often it may be wrong in 15 minutes. */
export type SecretAttempt = { key: string; limit: number };

type Failures = { count: number; until: number };

/** By key. Who is pushed out by others is found again in the database with the next wrong one. */
const failures = new LRUCache<string, Failures>({ max: 10_000 });

/**
 * Whether it is right; or throws 429 without looking, right or not, after so many that were wrong. Programs ask for tokens all day long, so
 * what is right costs no statement: only a wrong one is counted in the database, for all processes, and what came of it is kept
 * here until its time is over. Another process learns of it with the first wrong one that it sees itself: so it may look at one more, and not
 * at ten more. Between the look here, the comparison and the note that it was wrong nothing waits, which is why `isRight` cannot:
 * guesses at once are no more guesses.
 */
export async function attemptSecret({ key, limit }: SecretAttempt, isRight: () => boolean): Promise<boolean> {
  const before = failuresOf(key);
  if (before && before.count >= limit) throw tooMany(secondsUntil(before));
  if (isRight()) return true;
  const noted = before ?? { count: 0, until: Date.now() + WINDOW_SECONDS * 1000 };
  noted.count += 1;
  failures.set(key, noted);
  const { count, wait } = await takeRoom(key, WINDOW_SECONDS, limit);
  noted.count = Math.max(noted.count, count);
  noted.until = Date.now() + wait * 1000;
  if (count > limit) throw tooMany(wait);
  return false;
}

function failuresOf(key: string): Failures | undefined {
  const known = failures.get(key);
  return known && known.until > Date.now() ? known : undefined;
}

function secondsUntil({ until }: Failures): number {
  return Math.ceil((until - Date.now()) / 1000);
}
