import { and, eq, inArray, isNull, ne } from 'drizzle-orm';
import { credential, login, oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { loginKey } from '../access/session-keys.ts';

/**
 * Sets the password, ends every session of the person but `keepLoginId`, and every link that could set another one: it may be in
 * somebody else's hands. Hash before the transaction: it is slow by design.
 */
export async function savePassword(
  w: Write,
  userId: string,
  passwordHash: string,
  keepLoginId?: string,
): Promise<void> {
  const updatedAt = new Date();
  await w.tx
    .insert(credential)
    .values({ userId, passwordHash, updatedAt })
    .onConflictDoUpdate({ target: credential.userId, set: { passwordHash, updatedAt } });
  await w.tx
    .update(oneTimeLink)
    .set({ supersededAt: updatedAt })
    .where(
      and(
        eq(oneTimeLink.userId, userId),
        inArray(oneTimeLink.kind, ['invite', 'reset']),
        isNull(oneTimeLink.usedAt),
        isNull(oneTimeLink.supersededAt),
      ),
    );
  const ended = await w.tx
    .update(login)
    .set({ revoked: true, refreshSealed: null })
    .where(
      and(
        eq(login.userRef, `User/${userId}`),
        eq(login.revoked, false),
        ...(keepLoginId ? [ne(login.id, keepLoginId)] : []),
      ),
    )
    .returning({ id: login.id });
  for (const { id } of ended) w.invalidate(loginKey(id));
}
