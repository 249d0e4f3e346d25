import { eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';

/** With the person that they were for. */
export async function deleteLinks(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(oneTimeLink).where(eq(oneTimeLink.userId, userId));
}
