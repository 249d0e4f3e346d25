import { decodeJwt, type JWTPayload } from 'jose';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Ctx } from '../access/context.ts';
import { actorOfLiveClient } from '../clients/actor-of-live-client.ts';
import { actorOfLogin } from '../sessions/actor-of-login.ts';
import { findRefreshHash, loginStands } from '../sessions/login-stands.ts';
import { authenticateClient } from './authenticate-client.ts';
import { oauthError } from './oauth-error.ts';
import { readGrant } from './read-grant.ts';
import type { TokenRequest } from './token-request.ts';
import { verifyAccessToken } from './verify-access-token.ts';

/** RFC 7662 §2.2: of a token that is good, its claims; of any other, nothing. */
export type Introspection = { active: boolean } & JWTPayload;

const INACTIVE: Introspection = { active: false };

/**
 * What a token is good for just now, told to programs and members of its own project; for everybody else it is one that nobody knows.
 * Throws 401 for a caller who does not show who they are, and 400 without a token.
 */
export async function introspectToken(ctx: Ctx, request: TokenRequest): Promise<Introspection> {
  const projectId = await projectOfCaller(ctx, request);
  const token = request.form.get('token');
  if (!token) throw oauthError('invalid_request', 'Missing token');
  const grant = await readGrant(token);
  if (grant?.login.projectId !== projectId) return INACTIVE;
  const { login, refreshSecret } = grant;
  const isGood =
    refreshSecret === undefined ? await loginStands(login) : secretMatches(refreshSecret, await findRefreshHash(login));
  return isGood ? claimsOf(decodeJwt(token), refreshSecret === undefined) : INACTIVE;
}

/** RFC 7662 §2.2 and contract §1.6, which adds the patient. Of a refresh token its secret is not told, and it has no subject. */
function claimsOf({ iat, exp, iss, aud, jti, client_id, ...claims }: JWTPayload, isAccess: boolean): Introspection {
  const common = { active: true, iat, exp, iss, aud, jti, client_id };
  if (!isAccess) return common;
  const { sub, username, scope, profile } = claims;
  const [, patient] = /^Patient\/(.+)$/.exec(String(profile)) ?? [];
  return { ...common, token_type: 'Bearer', sub, username, scope, profile, ...(patient && { patient }) };
}

async function projectOfCaller(ctx: Ctx, request: TokenRequest): Promise<string> {
  const { projectId } = request.bearer
    ? await actorOfLogin((await verifyAccessToken(request.bearer)).login)
    : await actorOfLiveClient(await authenticateClient(ctx, request));
  return projectId;
}
