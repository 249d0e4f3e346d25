import type { Ctx } from '../access/context.ts';
import { findLogin } from '../sessions/find-login.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { identifyClient } from './identify-client.ts';
import { oauthError } from './oauth-error.ts';
import { readGrant } from './read-grant.ts';
import { bringsProof, namedClient } from './request-client.ts';
import type { TokenRequest } from './token-request.ts';

/**
 * RFC 7009: ends the login of an access or refresh token, and with it every token made from it. Who has the token may end it, as the client that
 * it was made for; a client that shows a secret must show the right one. A token that nobody knows, or that has ended, is none to end.
 */
export async function revokeToken(ctx: Ctx, request: TokenRequest): Promise<void> {
  const clientId = bringsProof(request) ? (await identifyClient(ctx, request)).app.id : namedClient(request);
  const token = request.form.get('token');
  if (!token) throw oauthError('invalid_request', 'Missing token');
  const grant = await readGrant(token);
  const row = grant && (await findLogin(grant.login));
  if (!row || row.revoked) return;
  if ((row.clientId ?? undefined) !== clientId) {
    throw oauthError('invalid_request', 'This token was made for another client');
  }
  await revokeLogin(ctx, row);
}
