import { decodeJwt, type JWTPayload } from 'jose';
import { AppError } from '#lib/base/errors.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import type { Ctx } from '../access/context.ts';
import { findBounds } from '../bounds/find-bounds.ts';
import { endOf, isYoung } from '../bounds/within-bounds.ts';
import { actorOfLiveClient } from '../clients/actor-of-live-client.ts';
import { actorOfView } from '../sessions/acting/actor-of-view.ts';
import { actorOfLogin } from '../sessions/actor-of-login.ts';
import { findLogin, type LoginKey } from '../sessions/find-login.ts';
import { findRefreshHash, loginStands } from '../sessions/login-stands.ts';
import { isIdle } from '../sessions/touch-login.ts';
import type { ViewKey } from '../views/view-rows.ts';
import { authenticateClient } from './authenticate-client.ts';
import { oauthError } from './oauth-error.ts';
import { readGrant } from './read-grant.ts';
import type { TokenRequest } from './token-request.ts';
import { verifyAccessToken, verifyBearer } from './verify-access-token.ts';

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
  const view = await findStandingView(token);
  if (view) return view.projectId === projectId ? claimsOf(decodeJwt(token), true) : INACTIVE;
  const grant = await readGrant(token);
  if (grant?.login.projectId !== projectId) return INACTIVE;
  const { login, refreshSecret } = grant;
  const isGood =
    refreshSecret === undefined ? await loginStands(login) : secretMatches(refreshSecret, await findRefreshHash(login));
  const claims = decodeJwt(token);
  const isAccess = refreshSecret === undefined;
  return isGood && (await isWithin(login, claims, isAccess)) ? claimsOf(claims, isAccess) : INACTIVE;
}

/** Of a token by which an administrator looks with a member’s eyes, for as long as they do. */
async function findStandingView(token: string): Promise<ViewKey | undefined> {
  try {
    const claims = await verifyBearer(token);
    if (!('view' in claims)) return undefined;
    await actorOfView(claims.view, { quiet: true });
    return claims.view;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  }
}

/** The bounds of the project, which ended it or not without anything that was written. */
async function isWithin(key: LoginKey, { iat = 0, profile }: JWTPayload, isAccess: boolean): Promise<boolean> {
  const bounds = await findBounds(key.projectId);
  const { accessSeconds, refreshSeconds, idleSeconds } = bounds;
  if (!isYoung(isAccess ? accessSeconds : refreshSeconds, iat)) return false;
  // A program is never idle, and its token lives for itself.
  if (String(profile).startsWith('ClientApplication/')) return true;
  return !(await isOver(key, bounds)) && !(await isIdle(key, idleSeconds));
}

async function isOver(key: LoginKey, bounds: SessionBounds): Promise<boolean> {
  if (bounds.sessionSeconds === undefined) return false;
  const row = await findLogin(key);
  return !row || endOf(bounds, row.authTime)! <= Date.now();
}

/** RFC 7662 §2.2 and contract §1.6, which adds the patient. Of a refresh token its secret is not told, and it has no subject. */
function claimsOf({ iat, exp, iss, aud, jti, client_id, ...claims }: JWTPayload, isAccess: boolean): Introspection {
  const common = { active: true, iat, exp, iss, aud, jti, client_id };
  if (!isAccess) return common;
  const { sub, username, scope, profile } = claims;
  // Those of the release before name the patient by the profile alone.
  const [, own] = /^Patient\/(.+)$/.exec(String(profile)) ?? [];
  const patient = claims.patient ?? own;
  // RFC 8693 §4.1: who really acts.
  const more = { ...(patient && { patient }), ...(claims.act !== undefined && { act: claims.act }) };
  return { ...common, token_type: 'Bearer', sub, username, scope, profile, ...more };
}

async function projectOfCaller(ctx: Ctx, request: TokenRequest): Promise<string> {
  const { projectId } = request.bearer
    ? await actorOfLogin((await verifyAccessToken(request.bearer)).login)
    : await actorOfLiveClient(await authenticateClient(ctx, request));
  return projectId;
}
