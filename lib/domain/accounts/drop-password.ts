import { eq } from 'drizzle-orm';
import { credential } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';

/** For good: it signs in nobody any more, even if the account came back. */
export async function dropPassword(w: Write, userId: string): Promise<void> {
  await w.tx.delete(credential).where(eq(credential.userId, userId));
}
