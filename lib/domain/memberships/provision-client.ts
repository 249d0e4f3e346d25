import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { type InsertClientOptions, insertClient } from '../clients/insert-client.ts';
import { keepProviderSecret, withoutProviderSecret } from '../providers/provider-secrets.ts';
import { requireProvider } from '../providers/require-provider.ts';
import type { Row } from '../store/row.ts';
import type { Access } from './default-access.ts';
import { type InsertOptions, insertMembership } from './insert-membership.ts';

export type ProvisionOptions = InsertClientOptions &
  Pick<InsertOptions, 'ofDirectory'> & { access?: Access; admin?: boolean; invitedBy?: Reference };
export type Provisioned = { row: Row; membership: Row /** Shown this once. */; secret: string };

/** A client that can sign in: the resource, its secret and its membership. The policies of `access` were checked by the caller. */
export async function provisionClient(
  w: Write,
  projectId: string,
  client: ClientApplication,
  options: ProvisionOptions,
): Promise<Provisioned> {
  const { access, admin, invitedBy, author, ofDirectory } = options;
  requireProvider(client.identityProvider, 'ClientApplication.identityProvider');
  const { row, secret } = await insertClient(w, projectId, withoutProviderSecret(client), options);
  await keepProviderSecret(w, projectId, `ClientApplication/${row.id}`, client.identityProvider);
  const reference: Reference = { reference: `ClientApplication/${row.id}`, display: client.name };
  const membership = await insertMembership(
    w,
    projectId,
    { user: reference, profile: reference, ...(invitedBy && { invitedBy }), ...(admin && { admin }), ...access },
    { author, ofDirectory },
  );
  return { row, membership, secret };
}
