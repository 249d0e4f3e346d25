import { LRUCache } from 'lru-cache';
import { cacheGeneration, cacheIsLive, onInvalidate } from '#lib/infra/db/invalidation.ts';
import type { Actor } from '../access/context.ts';

export type Session = { actor: Actor /** What, when it changes, makes this stale. */; keys: string[] };

const sessions = new LRUCache<string, Session>({ max: 20_000, dispose: (session, id) => unlink(id, session) });
const byKey = new Map<string, Set<string>>();

onInvalidate((key) => {
  if (key === undefined) return sessions.clear();
  for (const id of [...(byKey.get(key) ?? [])]) sessions.delete(id);
});

/**
 * The actor of a login or client, loaded once and then kept until LISTEN/NOTIFY names one of its keys. Bypassed while the
 * listening connection is down. What was loaded while a change went by is used for this request and not kept.
 */
export async function cachedActor(id: string, load: () => Promise<Session>): Promise<Actor> {
  const known = cacheIsLive() ? sessions.get(id) : undefined;
  if (known) return known.actor;
  const before = cacheGeneration();
  const session = await load();
  if (cacheIsLive() && cacheGeneration() === before) {
    sessions.set(id, session);
    for (const key of session.keys) link(key, id);
  }
  return session.actor;
}

function link(key: string, id: string): void {
  const ids = byKey.get(key);
  if (ids) ids.add(id);
  else byKey.set(key, new Set([id]));
}

function unlink(id: string, session: Session): void {
  for (const key of session.keys) {
    const ids = byKey.get(key);
    ids?.delete(id);
    if (ids?.size === 0) byKey.delete(key);
  }
}
