import { and, asc, eq, isNull } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { NewKey } from '#lib/infra/crypto/webauthn.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { passkey } from '#lib/infra/db/schema/passkey.ts';
import type { Write } from '../access/context.ts';

export type PasskeyRow = typeof passkey.$inferSelect;

/** The person's, the oldest first. */
export async function findPasskeys(q: Queryable, userId: string): Promise<PasskeyRow[]> {
  return q.select().from(passkey).where(eq(passkey.userId, userId)).orderBy(asc(passkey.createdAt), asc(passkey.id));
}

/** One that signs in. */
export async function hasPasskey(q: Queryable, userId: string): Promise<boolean> {
  const live = and(eq(passkey.userId, userId), isNull(passkey.endedAt));
  return (await q.select({ id: passkey.id }).from(passkey).where(live).limit(1)).length > 0;
}

/** All of them, and nobody adds or takes out one until the end of the transaction. */
export async function lockPasskeys(w: Write, userId: string): Promise<PasskeyRow[]> {
  await lockName(w.tx, `passkeys:${userId}`);
  return findPasskeys(w.tx, userId);
}

type NewPasskey = Omit<NewKey, 'aaguid'> & { userId: string; userHandle: string; name: string };

/** Throws 409 when some account has it already. */
export async function insertPasskey(w: Write, fields: NewPasskey): Promise<PasskeyRow> {
  try {
    const [row] = await w.tx
      .insert(passkey)
      .values({ id: newId(), ...fields })
      .returning();
    return row!;
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    throw new AppError('conflict', 'This passkey is in use already', { expression: 'response', cause });
  }
}

/** Throws 404 for one that the person does not have. */
export async function savePasskeyName(w: Write, userId: string, id: string, name: string): Promise<PasskeyRow> {
  const [row] = await w.tx
    .update(passkey)
    .set({ name })
    .where(and(eq(passkey.userId, userId), eq(passkey.id, id)))
    .returning();
  if (!row) throw notFound();
  return row;
}

export async function deletePasskey(w: Write, { id }: PasskeyRow): Promise<void> {
  await w.tx.delete(passkey).where(eq(passkey.id, id));
}
