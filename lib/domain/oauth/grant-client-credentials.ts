import { newId } from '#lib/base/ids.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import { SCOPE } from '#lib/protocol/requests/auth.ts';
import type { Ctx } from '../access/context.ts';
import { writeOne } from '../audit/write.ts';
import { actorOfLiveClient } from '../clients/actor-of-live-client.ts';
import { ACCESS_SECONDS } from '../sessions/token-lifetimes.ts';
import { authenticateClient } from './authenticate-client.ts';
import { oauthError } from './oauth-error.ts';
import { requireAllowedGrant, requireAllowedPlace, scopeFor } from './require-allowed.ts';
import { signTokens, type TokenResponse } from './sign-tokens.ts';
import type { TokenRequest } from './token-request.ts';

/** RFC 6749 §4.4. No refresh token: the client can ask again. */
export async function grantClientCredentials(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const client = await authenticateClient(ctx, request);
  const { projectId, membershipId, id: clientId } = client;
  requireAllowedGrant(client.resource, 'client_credentials');
  const scope = scopeFor(client.resource, request.form.get('scope'), 'openid');
  if (!SCOPE.test(scope)) throw oauthError('invalid_scope', 'Invalid scope');
  const actor = await actorOfLiveClient(client);
  requireAllowedPlace(ctx, actor);
  const loginId = newId();
  const authTime = new Date();
  const accessSeconds = lifetimeSeconds(client.resource.accessTokenLifetime) ?? ACCESS_SECONDS;
  const params = [
    projectId,
    loginId,
    actor.user,
    authTime.toISOString(),
    membershipId,
    clientId,
    scope,
    ctx.remoteAddress,
    ctx.userAgent,
  ];
  await writeOne(
    { ...ctx, actor: { ...actor, loginId } },
    { parts: INSERTED, params },
    { projectId, action: 'login.client', target: actor.user },
  );
  return signTokens({
    ...{ actor, loginId, scope, authTime, accessSeconds },
    idTokenAlg: client.resource.idTokenSignedResponseAlg,
  });
}

const INSERTED = `
  l as (insert into login (project_id, id, user_ref, auth_method, auth_time, membership_id, client_id, scope, granted, remote_address, user_agent)
  values ($1, $2, $3, 'client', $4, $5, $6, $7, true, $8, $9))`;
