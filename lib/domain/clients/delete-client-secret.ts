import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { clientNamedSecret, clientSecret } from '#lib/infra/db/schema/clients.ts';

export async function deleteClientSecret(tx: Queryable, projectId: string, clientId: string): Promise<void> {
  await tx
    .delete(clientNamedSecret)
    .where(and(eq(clientNamedSecret.projectId, projectId), eq(clientNamedSecret.clientId, clientId)));
  await tx.delete(clientSecret).where(and(eq(clientSecret.projectId, projectId), eq(clientSecret.clientId, clientId)));
}
