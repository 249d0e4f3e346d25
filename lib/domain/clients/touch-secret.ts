import { eq } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientNamedSecret } from '#lib/infra/db/schema/clients.ts';

/** How exactly "last used" is known. */
const EVERY_MS = 5 * 60_000;

/** When this process last noted the use of a secret, in epoch milliseconds. */
const seen = new LRUCache<string, number>({ max: 20_000 });

/** Notes that a secret is in use, at most every five minutes and beside the request: nobody waits for it. */
export function touchSecret(id: string): void {
  const now = Date.now();
  if (now - (seen.get(id) ?? 0) < EVERY_MS) return;
  seen.set(id, now);
  db()
    .update(clientNamedSecret)
    .set({ lastUsedAt: new Date(now) })
    .where(eq(clientNamedSecret.id, id))
    .catch((err: unknown) => log.warn({ err }, 'the use of a secret was not noted'));
}
