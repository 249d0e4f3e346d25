import { newId, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Write } from '../access/context.ts';
import { createRow } from '../store/create-row.ts';
import { requireValid } from '../store/require-valid.ts';
import type { Row } from '../store/row.ts';
import { requireStorableClient } from './require-storable-client.ts';

export type InsertClientOptions = {
  author: string | undefined;
  id?: string;
  /** Default: 256 random bits. */
  secret?: string;
  /** It has none, and can never sign in by itself. */
  withoutSecret?: boolean;
};

/**
 * Stores a client and the hash of its secret, audited. The secret itself is in the result and nowhere else. Whatever `client` says of
 * secrets is dropped. Without a membership it can do nothing yet. Throws 400 when it is not valid.
 */
export async function insertClient(
  w: Write,
  projectId: string,
  client: ClientApplication,
  options: InsertClientOptions,
): Promise<{ row: Row; secret: string }> {
  const id = options.id ?? newId();
  const secret = options.secret ?? newSecret();
  const { secret: _, retiringSecret: __, ...resource } = client;
  requireValid(resource, 'ClientApplication');
  requireStorableClient(resource);
  const row = await createRow(w, projectId, resource, { author: options.author, id });
  if (!options.withoutSecret)
    await w.tx.insert(clientSecret).values({ clientId: id, projectId, secretHash: hashSecret(secret) });
  w.audit({ projectId, action: 'client.create', target: `ClientApplication/${id}` });
  return { row, secret };
}
