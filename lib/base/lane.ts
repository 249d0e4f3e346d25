import { AppError } from '#lib/base/errors.ts';

export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Work that takes a core each: so much of it at once, the rest one after the other. Throws 429 when `mostWaiting` wait already: they
 * would be gone before their turn.
 */
export function createLane(mostAtOnce: number, mostWaiting: number): Lane {
  const waiting: (() => void)[] = [];
  let working = 0;

  return async (work) => {
    if (working >= mostAtOnce) await turn();
    else working += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };

  function turn(): Promise<void> {
    if (waiting.length >= mostWaiting) {
      throw new AppError('too-many-requests', 'Too many are signing in at this moment', { retryAfterSeconds: 5 });
    }
    return new Promise((resolve) => waiting.push(resolve));
  }
}
