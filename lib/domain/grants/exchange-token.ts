import { SCOPE } from '#lib/protocol/requests/auth.ts';
import type { ExchangeRequest } from '#lib/protocol/requests/authorization.ts';
import type { Ctx } from '../access/context.ts';
import { findKnownPerson } from '../external/find-known-person.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { grantLogin } from '../oauth/grant-login.ts';
import { identifyClient } from '../oauth/identify-client.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import { requireAllowedGrant, scopeFor } from '../oauth/require-allowed.ts';
import type { TokenResponse } from '../oauth/sign-tokens.ts';
import type { TokenRequest } from '../oauth/token-request.ts';
import { findClientProvider } from '../providers/find-provider.ts';
import { isTwoFactors } from '../providers/told-strength.ts';
import { verifySubjectToken } from '../providers/verify-identity.ts';
import { findLogin } from '../sessions/find-login.ts';
import { createLogin } from '../sign-in/create-login.ts';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
/** Nobody sits there who could be asked. */
const NO_FACTOR =
  'This person needs a second factor here, and the token says of none: they sign in on the sign-in page instead';
/** Each makes us ask the provider. */
const EXCHANGES_A_NETWORK = 300;

/**
 * RFC 8693, as contract §1.2 has it: an access token of the client's identity provider for tokens of ours, of the person whom it is for. Throws
 * what RFC 6749 §5.2 calls it, and 429 to a network with too many.
 */
export async function exchangeToken(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const { form } = request;
  const subject = form.get('subject_token');
  if (!subject) throw oauthError('invalid_request', 'Missing subject_token');
  if (form.get('subject_token_type') !== ACCESS_TOKEN)
    throw oauthError('invalid_request', `subject_token_type must be ${ACCESS_TOKEN}`);
  if ((form.get('requested_token_type') ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw oauthError('invalid_request', `requested_token_type can only be ${ACCESS_TOKEN}`);
  if (form.has('actor_token')) throw oauthError('invalid_request', 'actor_token is not supported');
  const { app, isProven } = await identifyClient(ctx, request);
  requireAllowedGrant(app.resource, 'urn:ietf:params:oauth:grant-type:token-exchange');
  const scope = scopeFor(app.resource, form.get('scope'), 'openid offline');
  if (!SCOPE.test(scope)) throw oauthError('invalid_scope', 'Invalid scope');
  const provider = await findClientProvider(app.id);
  if (!provider?.settings.userInfoUrl)
    throw oauthError('invalid_request', 'This client has no identity provider with a userInfoUrl');
  await throttle(`exchange-from:${networkOf(ctx.remoteAddress)}`, EXCHANGES_A_NETWORK);
  const identity = await verifySubjectToken(provider, subject);
  const { userId, choices } = await findKnownPerson(ctx, provider, identity, { projectId: provider.projectId });
  const [only, second] = choices;
  if (!only || second) throw oauthError('invalid_grant', 'This person has several memberships in the project');
  const chosen = { projectId: only.projectId, membershipId: only.id };
  const factorAt = isTwoFactors(provider.settings, identity.strength) ? new Date() : null;
  const options = { chosen, authMethod: 'exchange', factorAt, action: 'login.external' } as const;
  const { login, need } = await createLogin(ctx, userId, { clientId: app.id, scope }, options);
  if (need) throw oauthError('invalid_grant', NO_FACTOR);
  const row = await findLogin({ projectId: only.projectId, id: login });
  if (!row) throw oauthError('invalid_grant', 'The login is gone');
  return { ...(await grantLogin(ctx, row, { app, isProven })), issued_token_type: ACCESS_TOKEN };
}

/** The same in JSON, for a public client (contract §1.5). */
export function exchangeExternal(ctx: Ctx, input: ExchangeRequest): Promise<TokenResponse> {
  const { clientId, externalAccessToken, scope } = input;
  const form = new URLSearchParams({
    client_id: clientId,
    subject_token: externalAccessToken,
    subject_token_type: ACCESS_TOKEN,
    ...(scope && { scope }),
  });
  return exchangeToken(ctx, { form, basic: undefined });
}
