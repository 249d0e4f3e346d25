import type { Ctx } from '../access/context.ts';
import { type LiveClient, liveClient } from '../clients/live-client.ts';
import { clientRefused } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { givenAssertion, givenSecrets, namedClient } from './request-client.ts';
import type { TokenRequest } from './token-request.ts';

/** The client of a request that a client must show itself for. Throws what contract §1.2 says of a missing or wrong one, and 429 after many. */
export async function authenticateClient(ctx: Ctx, request: TokenRequest): Promise<LiveClient> {
  const clientId = namedClient(request);
  const refused = (text: string) => clientRefused(request, text);
  if (!clientId) throw refused('Missing client_id');
  if (givenAssertion(request) === undefined && givenSecrets(request).length === 0)
    throw refused('Missing client_secret');
  const client = await liveClient(clientId);
  const isRight = await proveRequest(ctx, client, request);
  if (!client) throw refused('Invalid client');
  if (!isRight) throw refused('Invalid secret');
  return client;
}
