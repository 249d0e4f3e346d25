import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { passkey } from '#lib/infra/db/schema/passkey.ts';
import type { Write } from '../access/context.ts';

/** The account is deleted: its passkeys sign in nobody, and are kept for as long as it can come back (`over.ts`). */
export async function endPasskeys(w: Write, userId: string): Promise<void> {
  await w.tx
    .update(passkey)
    .set({ endedAt: new Date() })
    .where(and(eq(passkey.userId, userId), isNull(passkey.endedAt)));
}

/** It is back. */
export async function keepPasskeys(w: Write, userId: string): Promise<void> {
  await w.tx
    .update(passkey)
    .set({ endedAt: null })
    .where(and(eq(passkey.userId, userId), isNotNull(passkey.endedAt)));
}

/** For good: they may be somebody else's. Returns what they were called. */
export async function dropPasskeys(w: Write, userId: string): Promise<string[]> {
  const gone = await w.tx.delete(passkey).where(eq(passkey.userId, userId)).returning({ name: passkey.name });
  w.stands({ userId });
  return gone.map(({ name }) => name);
}
