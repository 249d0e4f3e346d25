import { type Client, findClient } from '../clients/find-client.ts';
import { oauthError } from './oauth-error.ts';
import { givenSecrets, namedClient, provesClient } from './request-client.ts';
import type { TokenRequest } from './token-request.ts';

/** The client of a client_credentials request. Throws what contract §1.2 says of a missing or wrong one. */
export async function authenticateClient(request: TokenRequest): Promise<Client & { membershipId: string }> {
  const clientId = namedClient(request);
  const secrets = givenSecrets(request);
  if (!clientId) throw oauthError('invalid_request', 'Missing client_id');
  if (secrets.length === 0) throw oauthError('invalid_request', 'Missing client_secret');
  const client = await findClient(clientId);
  if (!client?.membershipId) throw oauthError('invalid_request', 'Invalid client');
  if (!provesClient(client, secrets)) throw oauthError('invalid_request', 'Invalid secret');
  return { ...client, membershipId: client.membershipId };
}
