import { clientSecretMatches } from '../clients/client-secret-matches.ts';
import { type Client, findClient } from '../clients/find-client.ts';
import type { TokenRequest } from './issue-token.ts';
import { oauthError } from './oauth-error.ts';

/** The client of a client_credentials request, from the header or the form; a header wins, and the CLI sends both. */
export async function authenticateClient(request: TokenRequest): Promise<Client & { membershipId: string }> {
  const clientId = request.basic?.clientId ?? request.form.get('client_id');
  const secret = request.basic?.secret ?? request.form.get('client_secret');
  if (!clientId) throw oauthError('invalid_request', 'Missing client_id');
  if (!secret) throw oauthError('invalid_request', 'Missing client_secret');
  const client = await findClient(clientId);
  if (!client?.membershipId) throw oauthError('invalid_request', 'Invalid client');
  if (!clientSecretMatches(client, secret)) throw oauthError('invalid_request', 'Invalid secret');
  return { ...client, membershipId: client.membershipId };
}
