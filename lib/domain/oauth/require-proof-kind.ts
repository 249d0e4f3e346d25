import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { clientRefused } from './oauth-error.ts';
import { bringsProof, givenAssertion } from './request-client.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * That a request brings what its client is known by: one with keys of its own shows them, and one that says how it shows itself
 * (`tokenEndpointAuthMethod`, RFC 7591 §2) does so each time. Header or form is one to us. Throws what `clientRefused` says.
 */
export function requireProofKind(client: ClientApplication | undefined, request: TokenRequest): void {
  if (!client) return;
  const { jwksUri, tokenEndpointAuthMethod: method } = client;
  const isAssertion = givenAssertion(request) !== undefined;
  if (method === 'private_key_jwt' && !isAssertion) throw clientRefused(request, 'Missing client_assertion');
  if (method?.startsWith('client_secret') && (isAssertion || !bringsProof(request)))
    throw clientRefused(request, 'Missing client_secret');
  if (jwksUri !== undefined && !bringsProof(request))
    throw clientRefused(request, 'Missing client_secret or client_assertion');
}
