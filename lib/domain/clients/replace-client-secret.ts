import { eq } from 'drizzle-orm';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';

/** At once, without a time in which both work. What was made with the old one is the caller's to end. */
export async function replaceClientSecret(tx: Queryable, clientId: string, secret: string): Promise<void> {
  await tx
    .update(clientSecret)
    .set({ secretHash: hashSecret(secret), retiringHash: null, rotatedAt: new Date() })
    .where(eq(clientSecret.clientId, clientId));
}
