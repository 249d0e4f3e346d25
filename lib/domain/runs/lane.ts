/** Lets so many through at once; the others wait, in order, until they are given up. */
export type Lane = {
  /** Resolves to what its caller calls at the end; rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
  isEmpty(): boolean;
};

export function createLane(mostAtOnce: number): Lane {
  let atWork = 0;
  const waiting = new Set<() => void>();
  return { enter, isEmpty: () => atWork === 0 && waiting.size === 0 };

  async function enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (atWork < mostAtOnce) atWork += 1;
    else await turn(signal);
    return leave;
  }

  function turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const givenUp = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', givenUp);
    return promise.finally(() => signal.removeEventListener('abort', givenUp));
  }

  // Who leaves hands the place on.
  function leave(): void {
    const [next] = waiting;
    if (!next) atWork -= 1;
    else {
      waiting.delete(next);
      next();
    }
  }
}
