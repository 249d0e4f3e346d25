import { notifyManager } from '@tanstack/react-query';

/** How many writes are under way about each thing, by its id; under EVERYTHING all of them. */
const underWay = new Map<string, number>();
const EVERYTHING = '';

const listeners = new Set<() => void>();

/**
 * Marks `work` as not confirmed, and what it is `about` (ids), from this very call until it settles. Requests that write (api.ts) and
 * mutations (mark-mutations.ts) are marked by themselves: this is for work in several steps, and for what shows before the server has it.
 */
export async function whilePending<T>(work: () => Promise<T>, ...about: readonly string[]): Promise<T> {
  const release = holdPending(about);
  try {
    return await work();
  } finally {
    release();
  }
}

/** The same for what is no promise. Returns the end of it. */
export function holdPending(about: readonly string[] = []): () => void {
  const things = new Set([EVERYTHING, ...about]);
  count(things, 1);
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    // React Query tells its readers by this same queue: what the answer changed is drawn before the mark goes.
    notifyManager.schedule(() => count(things, -1));
  };
}

/** Whether anything that was done here is not confirmed yet, or anything about the one thing with this id. */
export function isPending(about = EVERYTHING): boolean {
  return underWay.has(about);
}

/** Calls `changed` whenever a mark may have come or gone, until the returned function is called. */
export function watchPending(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

function count(things: ReadonlySet<string>, step: 1 | -1): void {
  for (const thing of things) {
    const now = (underWay.get(thing) ?? 0) + step;
    if (now > 0) underWay.set(thing, now);
    else underWay.delete(thing);
  }
  for (const changed of listeners) changed();
}
