import { eq } from 'drizzle-orm';
import { passwordMatches } from '#lib/infra/crypto/password.ts';
import { db } from '#lib/infra/db/client.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';

/** Takes the same time whether the person is known, has a password, or neither. */
export async function verifyPassword(userId: string | undefined, password: string): Promise<boolean> {
  const [row] = userId ? await db().select().from(credential).where(eq(credential.userId, userId)) : [];
  return passwordMatches(password, row?.passwordHash);
}
