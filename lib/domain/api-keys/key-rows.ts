import { and, asc, eq } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';
import { keyTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { makeKey } from './key-token.ts';

export type ApiKey = typeof apiKey.$inferSelect;

/** Whose keys: one of them, or all of a membership or of a person in the project. */
export type KeysOf = { membershipId: string; id?: string } | { userRef: string };

export async function findKey(projectId: string, id: string): Promise<ApiKey | undefined> {
  const [row] = await db()
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.projectId, projectId), eq(apiKey.id, id)));
  return row;
}

/** The oldest first, those too that have expired. */
export async function keysOf(q: Queryable, projectId: string, membershipId: string): Promise<ApiKey[]> {
  return q
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.projectId, projectId), eq(apiKey.membershipId, membershipId)))
    .orderBy(asc(apiKey.createdAt), asc(apiKey.id));
}

export type NewKey = Pick<ApiKey, 'projectId' | 'membershipId' | 'userRef' | 'name' | 'scope' | 'expiresAt'>;

/** The key itself is in the result and nowhere else. */
export async function insertKey(w: Write, key: NewKey): Promise<{ row: ApiKey; token: string }> {
  const { id, token } = makeKey(key.projectId);
  const hint = token.slice(-4);
  const values = { ...key, id, hint, secretHash: hashSecret(token) };
  const [row] = await w.tx.insert(apiKey).values(values).returning();
  return { row: row!, token };
}

/** They work no longer, from the commit on. What is audited of it is the caller's. Returns those that are gone. */
export async function endKeys(w: Write, projectId: string, which: KeysOf): Promise<ApiKey[]> {
  if ('id' in which && which.id !== undefined && !isUuid(which.id)) return [];
  const those =
    'userRef' in which
      ? eq(apiKey.userRef, which.userRef)
      : and(eq(apiKey.membershipId, which.membershipId), which.id === undefined ? undefined : eq(apiKey.id, which.id));
  const gone = await w.tx
    .delete(apiKey)
    .where(and(eq(apiKey.projectId, projectId), those))
    .returning();
  for (const { id } of gone) w.invalidate(keyTag(id));
  return gone;
}
