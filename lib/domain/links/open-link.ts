import { and, eq, isNull } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';

/** Notes when it was opened first. That spends nothing. */
export async function openLink(linkId: string): Promise<void> {
  await db()
    .update(oneTimeLink)
    .set({ openedAt: new Date() })
    .where(and(eq(oneTimeLink.id, linkId), isNull(oneTimeLink.openedAt)));
}
