import { and, eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';

/** How exactly "last used" is known. */
const EVERY_MS = 5 * 60_000;

/** When this process last noted the use of a key, in epoch milliseconds. */
const seen = new LRUCache<string, number>({ max: 20_000 });

/** Notes that a key is in use, at most every five minutes and beside the request: nobody waits for it. */
export function touchKey(projectId: string, id: string): void {
  const now = Date.now();
  if (now - (seen.get(id) ?? 0) < EVERY_MS) return;
  seen.set(id, now);
  db()
    .update(apiKey)
    .set({ lastUsedAt: new Date(now) })
    .where(and(eq(apiKey.projectId, projectId), eq(apiKey.id, id)))
    .catch((err: unknown) => log.warn({ err }, 'the use of a key was not noted'));
}
