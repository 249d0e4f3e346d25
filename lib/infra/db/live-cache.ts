import { LRUCache } from 'lru-cache';
import { cacheGeneration, cacheIsLive, onInvalidate } from './invalidation.ts';

/** A value and what, when it changes, makes it stale (lib/domain/access/session-keys.ts names the keys). */
export type Loaded<T> = { value: T; keys: string[] };

export type LiveCache<T> = { get(id: string, load: () => Promise<Loaded<T>>): Promise<T> };

/**
 * Values that are loaded once and kept until LISTEN/NOTIFY names one of their keys. Bypassed while the listening connection is down.
 * What was loaded while a change went by serves its request and is not kept.
 */
export function createLiveCache<T>(max: number): LiveCache<T> {
  const byKey = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Loaded<T>>({ max, dispose: (entry, id) => unlink(byKey, entry.keys, id) });

  onInvalidate((key) => {
    if (key === undefined) return entries.clear();
    for (const id of [...(byKey.get(key) ?? [])]) entries.delete(id);
  });

  return {
    async get(id, load) {
      const known = cacheIsLive() ? entries.get(id) : undefined;
      if (known) return known.value;
      const before = cacheGeneration();
      const loaded = await load();
      if (cacheIsLive() && cacheGeneration() === before) {
        entries.set(id, loaded);
        for (const key of loaded.keys) link(byKey, key, id);
      }
      return loaded.value;
    },
  };
}

function link(byKey: Map<string, Set<string>>, key: string, id: string): void {
  const ids = byKey.get(key);
  if (ids) ids.add(id);
  else byKey.set(key, new Set([id]));
}

function unlink(byKey: Map<string, Set<string>>, keys: string[], id: string): void {
  for (const key of keys) {
    const ids = byKey.get(key);
    ids?.delete(id);
    if (ids?.size === 0) byKey.delete(key);
  }
}
