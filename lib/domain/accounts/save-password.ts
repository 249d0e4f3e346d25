import { credential } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { endLogins } from '../sessions/end-logins.ts';

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
    .onConflictDoUpdate({ target: credential.userId, set: { passwordHash, updatedAt, endedAt: null } });
  w.stands({ userId });
  await supersedeLinks(w, { userId, kinds: ['invite', 'reset'] });
  await endLogins(w, { user: `User/${userId}`, keepLoginId });
}
