import { and, eq, lt } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { LoginKey } from './find-login.ts';

/** How exactly "last active" is known. */
const EVERY_MS = 5 * 60_000;

/** When this process last saw a login used, in epoch milliseconds. */
const seen = new LRUCache<string, number>({ max: 20_000 });

/**
 * Notes that a login is in use, at most every five minutes and beside the request: nobody waits for it. `known`: when it was last
 * noted, for a login that was just read.
 */
export function touchLogin({ projectId, id }: LoginKey, known?: Date): void {
  const last = seen.get(id) ?? known?.getTime() ?? 0;
  const now = Date.now();
  const fresh = now - last < EVERY_MS;
  seen.set(id, fresh ? last : now);
  if (fresh) return;
  const stale = and(eq(login.projectId, projectId), eq(login.id, id), lt(login.lastUsedAt, new Date(now)));
  db()
    .update(login)
    .set({ lastUsedAt: new Date(now) })
    .where(stale)
    .catch((err: unknown) => log.warn({ err }, 'the use of a login was not noted'));
}
