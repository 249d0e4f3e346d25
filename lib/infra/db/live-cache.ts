import { LRUCache } from 'lru-cache';
import { cacheGeneration, cacheIsLive, onInvalidate } from './invalidation.ts';
import { isRehearsing } from './rehearsing.ts';

/**
 * A value and what, when it changes, makes it stale (lib/domain/access/cache-tags.ts names the tags). "Nothing" is a value, too: something
 * will end it, so it has tags as well.
 */
export type Loaded<T> = { value: T; tags: [string, ...string[]] };

export type LiveCache<T> = {
  get(id: string, load: () => Promise<Loaded<T>>): Promise<T>;
  /** What is kept of it just now. */
  peek(id: string): T | undefined;
};

/** Beside their number: how much of `sizeOf`, a whole number above 0, all that is kept may have. */
type Bound<T> = { most: number; sizeOf: (value: T) => number };

/**
 * Values that are loaded once and kept until LISTEN/NOTIFY names one of their tags. Bypassed while the listening connection is down.
 * What was loaded while a change went by serves its request and is not kept.
 */
export function createLiveCache<T>(max: number, bound?: Bound<T>): LiveCache<T> {
  const byTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Loaded<T>>({
    max,
    ...(bound && { maxSize: bound.most, sizeCalculation: ({ value }: Loaded<T>) => bound.sizeOf(value) }),
    dispose: (entry, id) => unlink(byTag, entry.tags, id),
  });

  onInvalidate((tag) => {
    if (tag === undefined) return entries.clear();
    for (const id of [...(byTag.get(tag) ?? [])]) entries.delete(id);
  });

  return {
    peek: (id) => (cacheIsLive() && !isRehearsing() ? entries.peek(id)?.value : undefined),
    async get(id, load) {
      // What a dry run has changed is nobody else's.
      if (isRehearsing()) return (await load()).value;
      const known = cacheIsLive() ? entries.get(id) : undefined;
      if (known) return known.value;
      const before = cacheGeneration();
      const loaded = await load();
      if (cacheIsLive() && cacheGeneration() === before) {
        entries.set(id, loaded);
        // What is too large is not kept.
        if (entries.has(id)) for (const tag of loaded.tags) link(byTag, tag, id);
      }
      return loaded.value;
    },
  };
}

function link(byTag: Map<string, Set<string>>, tag: string, id: string): void {
  const ids = byTag.get(tag);
  if (ids) ids.add(id);
  else byTag.set(tag, new Set([id]));
}

function unlink(byTag: Map<string, Set<string>>, tags: string[], id: string): void {
  for (const tag of tags) {
    const ids = byTag.get(tag);
    ids?.delete(id);
    if (ids?.size === 0) byTag.delete(tag);
  }
}
