import { AppError } from './errors.ts';

/** Rejects with the signal's reason when it is aborted before the turn of `work`, which is not begun then. */
export type Lane = {
  <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  isEmpty(): boolean;
};

type Waiting = { most: number; refusal: string };

/**
 * So much work at once, the rest one after the other. Throws 429 when so many wait already that another would be gone before its turn; by
 * default they all wait.
 */
export function createLane(mostAtOnce: number, { most, refusal }: Waiting = ALL): Lane {
  const waiting = new Set<() => void>();
  let working = 0;

  const lane = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted();
    if (working >= mostAtOnce) await turn(signal);
    else working += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  return Object.assign(lane, { isEmpty: () => working === 0 && waiting.size === 0 });

  function turn(signal: AbortSignal | undefined): Promise<void> {
    if (waiting.size >= most) throw new AppError('too-many-requests', refusal, { retryAfterSeconds: 5 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.add(resolve);
    if (!signal) return promise;
    const givenUp = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    signal.addEventListener('abort', givenUp);
    return promise.finally(() => signal.removeEventListener('abort', givenUp));
  }

  // Who leaves hands the place on.
  function leave(): void {
    const [next] = waiting;
    if (!next) working -= 1;
    else {
      waiting.delete(next);
      next();
    }
  }
}

/** A lane for each name (a project, a network), which is there as long as there is somebody in it. */
export function createLanes(
  mostAtOnce: number,
  waiting?: Waiting,
): <T>(name: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  const lanes = new Map<string, Lane>();
  return async (name, work, signal) => {
    const lane = lanes.get(name) ?? createLane(mostAtOnce, waiting);
    lanes.set(name, lane);
    try {
      return await lane(work, signal);
    } finally {
      if (lane.isEmpty() && lanes.get(name) === lane) lanes.delete(name);
    }
  };
}

const ALL: Waiting = { most: Number.POSITIVE_INFINITY, refusal: '' };
