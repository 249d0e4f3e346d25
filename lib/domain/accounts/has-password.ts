import { eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';

/** Whether the person has set a password, which is how an invite is accepted. */
export async function hasPassword(q: Queryable, userId: string): Promise<boolean> {
  const [row] = await q.select({ userId: credential.userId }).from(credential).where(eq(credential.userId, userId));
  return row !== undefined;
}
