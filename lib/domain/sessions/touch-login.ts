import { and, eq, lt } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { findLogin, type LoginKey } from './find-login.ts';

/** How exactly "last active" is known, and of a login that ends when it is idle, as a part of that. */
const EVERY_MS = 5 * 60_000;
const IDLE_PARTS = 10;

/** When this process last saw a login used, in epoch milliseconds. */
const seen = new LRUCache<string, number>({ max: 20_000 });

/**
 * Notes that a login is in use, at most every five minutes and beside the request: nobody waits for it. `known`: when it was last
 * noted, for a login that was just read. False, and nothing is noted, of one that was idle for `idleSeconds` and at most a tenth more.
 */
export async function touchLogin(key: LoginKey, known?: Date, idleSeconds?: number): Promise<boolean> {
  if (await isIdle(key, idleSeconds, known)) return false;
  const { projectId, id } = key;
  const last = seen.get(id) ?? known?.getTime() ?? 0;
  const now = Date.now();
  const fresh = now - last < everyMs(idleSeconds);
  seen.set(id, fresh ? last : now);
  if (fresh) return true;
  const stale = and(eq(login.projectId, projectId), eq(login.id, id), lt(login.lastUsedAt, new Date(now)));
  db()
    .update(login)
    .set({ lastUsedAt: new Date(now) })
    .where(stale)
    .catch((err: unknown) => log.warn({ err }, 'the use of a login was not noted'));
  return true;
}

/** Whether it has ended by that. What this process knows of is enough as long as that is new: others may have seen it since. */
export async function isIdle(key: LoginKey, idleSeconds: number | undefined, known?: Date): Promise<boolean> {
  if (idleSeconds === undefined) return false;
  const since = Date.now() - idleSeconds * 1000 - everyMs(idleSeconds);
  const last = Math.max(seen.get(key.id) ?? 0, known?.getTime() ?? 0);
  if (last > since) return false;
  const stored = (await findLogin(key))?.lastUsedAt.getTime() ?? 0;
  if (stored <= since) return true;
  seen.set(key.id, stored);
  return false;
}

function everyMs(idleSeconds: number | undefined): number {
  return Math.min(EVERY_MS, (idleSeconds ?? Number.POSITIVE_INFINITY) * (1000 / IDLE_PARTS));
}
