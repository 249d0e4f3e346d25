import type { Ctx } from '../access/context.ts';
import type { Client } from '../clients/find-client.ts';
import { assertionFault } from '../clients/prove-assertion.ts';
import { countProof, proveClient } from '../clients/prove-client.ts';
import { clientRefused, oauthError } from './oauth-error.ts';
import { givenAssertion, givenSecrets, namedClient } from './request-client.ts';
import type { TokenRequest } from './token-request.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Whether the secret that came with a request is the client's; or, when an assertion came, whether that proves the client, and if not, throws what
 * is wrong with it. Throws 429 after many that were wrong.
 */
export async function proveRequest(ctx: Ctx, client: Client | undefined, request: TokenRequest): Promise<boolean> {
  const assertion = givenAssertion(request);
  if (assertion === undefined) return proveClient(ctx, client, givenSecrets(request));
  if (request.form.get('client_assertion_type') !== JWT_BEARER) {
    throw oauthError('invalid_request', `client_assertion_type of a client assertion must be ${JWT_BEARER}`);
  }
  const named = request.form.get('client_id')?.toLowerCase() ?? namedClient(request);
  const fault =
    client && named === client.id
      ? await assertionFault(client, assertion)
      : 'Invalid client assertion: iss and sub must be the client';
  if (!(await countProof(ctx, client, () => fault === undefined)))
    throw clientRefused(request, fault ?? 'Invalid client');
  return true;
}
