import { eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';

export async function extendLink(tx: Queryable, linkId: string, expiresAt: Date): Promise<void> {
  await tx.update(oneTimeLink).set({ expiresAt }).where(eq(oneTimeLink.id, linkId));
}
