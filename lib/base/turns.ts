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
