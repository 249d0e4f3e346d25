import { tooManyRuns } from '../runs/gate.ts';

export type Line = {
  /** Resolves when it is one's turn, to what hands it on. Throws 429 when it is not by then, or too many wait. */
  enter(until: number): Promise<() => void>;
  isEmpty(): boolean;
};

/** A place for one at a time, in the order in which they came. */
export function createLine(most: number): Line {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return { enter, isEmpty: () => !isTaken && waiting.length === 0 };

  async function enter(until: number): Promise<() => void> {
    if (isTaken) await turn(until);
    isTaken = true;
    return leave;
  }

  async function turn(until: number): Promise<void> {
    if (waiting.length >= most) throw tooManyRuns('Too many dry runs are waiting');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const late = setTimeout(
      () => {
        const at = waiting.indexOf(resolve);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(tooManyRuns('Too many dry runs are waiting'));
      },
      Math.max(until - Date.now(), 0),
    ).unref();
    return promise.finally(() => clearTimeout(late));
  }

  function leave(): void {
    const next = waiting.shift();
    // It stays taken: who comes meanwhile is behind.
    if (next) next();
    else isTaken = false;
  }
}
