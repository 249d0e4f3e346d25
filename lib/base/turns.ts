/** Longer than this, nobody else is answered meanwhile. */
const FOR_MS = 10;

/** To be called between pieces of a long work: every now and then, others come first. */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < FOR_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}

/** What `make` gives of each, at its place; between two of them others come first every now and then. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  make: (item: T) => R,
  turn: () => Promise<void> | undefined = takeTurns(),
): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) {
    await turn();
    made.push(make(item));
  }
  return made;
}
