/** Of the driver (postgres/src/queue.js). Its methods are looked up at each call. */
export type Queue = {
  readonly length: number;
  push(item: unknown): unknown;
  shift(): unknown;
  remove(item: unknown): unknown;
};

const short = new WeakSet<Queue>();

/** From now on it has what it had, and no holes; `enters` hears of each that is in it or comes. */
export function shorten<T>(queue: Queue, enters: (item: T) => void): void {
  if (short.has(queue)) return;
  short.add(queue);
  const items: unknown[] = [];
  const push = (item: unknown) => {
    items.push(item);
    enters(item as T);
    return item;
  };
  const remove = (item: unknown) => {
    const at = items.indexOf(item);
    return at < 0 ? null : items.splice(at, 1)[0];
  };
  const before: unknown[] = [];
  while (queue.length > 0) before.push(queue.shift());
  for (const item of before) push(item);
  Object.defineProperties(queue, {
    length: { get: () => items.length },
    push: { value: push },
    shift: { value: () => items.shift() },
    remove: { value: remove },
  });
}
