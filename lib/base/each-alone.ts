import { log } from './log.ts';

/**
 * One after the other, until it is told to stop. One with which it fails is said in the log as `what`, and holds up none of those behind it: whoever
 * is due comes again.
 */
export async function eachAlone<T>(
  all: Iterable<T>,
  stopped: AbortSignal | undefined,
  what: string,
  run: (one: T) => Promise<unknown>,
): Promise<void> {
  for (const one of all) {
    if (stopped?.aborted) return;
    try {
      await run(one);
    } catch (err) {
      log.warn({ err }, what);
    }
  }
}
