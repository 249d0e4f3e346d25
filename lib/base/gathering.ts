import { setTimeout as pause } from 'node:timers/promises';

type Gathered<T, R> = { items: T[]; result: Promise<R> };

type Options = {
  /** At most so many go together. */
  most?: number;
  /** How long others are waited for. Default: one turn of the event loop. */
  forMs?: number;
};

/**
 * A function to be called with one item, which runs `run` once for all items that came under one key within a moment, after the last of them,
 * and answers each with what came of it.
 */
export function gathering<T, R, K = string>(
  run: (key: K, items: T[]) => Promise<R>,
  { most = Number.POSITIVE_INFINITY, forMs }: Options = {},
): (key: K, item: T) => Promise<R> {
  const open = new Map<K, Gathered<T, R>>();
  const begin = (key: K) => {
    const items: T[] = [];
    const result = (forMs === undefined ? new Promise(setImmediate) : pause(forMs)).then(() => {
      if (open.get(key)?.items === items) open.delete(key);
      return run(key, items);
    });
    const begun = { items, result };
    open.set(key, begun);
    return begun;
  };
  return (key, item) => {
    const { items, result } = open.get(key) ?? begin(key);
    items.push(item);
    if (items.length >= most) open.delete(key);
    return result;
  };
}
