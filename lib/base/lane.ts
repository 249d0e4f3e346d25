import { AppError } from './errors.ts';

export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

type Waiting = { most: number; refusal: string };

/**
 * So much work at once, the rest one after the other. Throws 429 when so many wait already that another would be gone before its turn; by
 * default they all wait.
 */
export function createLane(mostAtOnce: number, { most, refusal }: Waiting = ALL): Lane {
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
    if (waiting.length >= most) throw new AppError('too-many-requests', refusal, { retryAfterSeconds: 5 });
    return new Promise((resolve) => waiting.push(resolve));
  }
}

const ALL: Waiting = { most: Number.POSITIVE_INFINITY, refusal: '' };
