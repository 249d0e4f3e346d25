type Gathered<T, R> = { items: T[]; result: Promise<R> };

/**
 * A function to be called with one item, which runs `run` once for all items that came under one key in one turn of the event loop, after the
 * last of them, and answers each with what came of it. At most `most` go together.
 */
export function gathering<T, R>(
  run: (key: string, items: T[]) => Promise<R>,
  most = Number.POSITIVE_INFINITY,
): (key: string, item: T) => Promise<R> {
  const open = new Map<string, Gathered<T, R>>();
  const begin = (key: string) => {
    const items: T[] = [];
    const result = new Promise(setImmediate).then(() => {
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
