import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import { KEPT, keptOf } from '../access/access-weight.ts';
import { clientTag, loginTag } from '../access/cache-tags.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { writeOne } from '../audit/write.ts';
import { endOf, isYoung } from '../bounds/within-bounds.ts';
import { findApp } from '../clients/find-app.ts';
import { findLogin, type LoginKey } from '../sessions/find-login.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { isIdle } from '../sessions/touch-login.ts';
import { SEALED } from '../signing/sealed.ts';
import { findEmail } from './find-email.ts';
import { clientRefused, oauthError } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { bringsProof, namedClient } from './request-client.ts';
import { requireAllowedGrant, requireAllowedPlace, requireAllowedScope } from './require-allowed.ts';
import { requireProofKind } from './require-proof-kind.ts';
import { signTokens, type TokenInput, type TokenResponse } from './sign-tokens.ts';
import type { TokenRequest } from './token-request.ts';
import { readLogin, verifyToken } from './verify-access-token.ts';

/** For so long the secret before the current one is taken for a second tab, not for a thief (contract §1.2). */
const GRACE_MS = 60_000;

/** RFC 6749 §6, with rotation. A secret that was rotated longer ago means theft: the login is revoked. */
export async function grantRefreshToken(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const { login: key, secret, issuedAtSeconds } = await readRefreshToken(request.form.get('refresh_token'));
  // Before the rotation: what fails here must not cost the caller the secret.
  const session = await refreshable(key);
  const { actor } = session;
  const row = secretMatches(secret, session.row.refreshHash) ? session.row : await requireLogin(key);
  const { id: loginId, scope, nonce, authTime, launch } = row;
  if (row.revoked) throw oauthError('invalid_grant', 'Token revoked');
  requireAllowedPlace(ctx, actor);
  const { refreshSeconds, idleSeconds } = actor.bounds;
  if (!isYoung(refreshSeconds, issuedAtSeconds)) throw oauthError('invalid_grant', 'Invalid refresh token');
  if (await isIdle(key, idleSeconds, row.lastUsedAt))
    throw oauthError('invalid_grant', 'This session was not used for too long');
  const end = endOf(actor.bounds, authTime);
  if (end !== undefined && end <= Date.now())
    throw oauthError('invalid_grant', 'This session has come to its end: sign in again');
  const lifetimes = await checkClient(ctx, row, request);
  const refreshSecret = secretMatches(secret, row.refreshHash) ? await rotate(ctx, row) : await reuse(ctx, row, secret);
  session.row = { ...row, refreshHash: hashSecret(refreshSecret) };
  const email = await findEmail(actor, scope);
  return signTokens({ actor, loginId, scope, nonce, authTime, proof: row, launch, email, refreshSecret, ...lifetimes });
}

async function readRefreshToken(
  token: string | null,
): Promise<{ login: LoginKey; secret: string; issuedAtSeconds: number }> {
  if (!token) throw oauthError('invalid_request', 'Invalid refresh token');
  const claims = await verifyToken(token).catch((cause) => {
    throw Object.assign(oauthError('invalid_grant', 'Invalid refresh token'), { cause });
  });
  const key = await readLogin(claims);
  if (!key || typeof claims.refresh_secret !== 'string') throw oauthError('invalid_grant', 'Invalid refresh token');
  return { login: key, secret: claims.refresh_secret, issuedAtSeconds: claims.iat ?? 0 };
}

/** `row`: as this process last saw it, with the secret that is to come next. */
type Session = { row: LoginRow; actor: Actor };

const sessions = createLiveCache<Session>(20_000, { most: KEPT, sizeOf: ({ actor }) => keptOf(actor.policy) });

/**
 * Whose login it is: without a query when nothing has changed that it stands on, so that a refresh is one statement. What is not told of it, its secrets,
 * is compared where they are changed; that a membership has come to its end nobody tells, so it is looked at each time.
 */
async function refreshable({ projectId, id }: LoginKey): Promise<Session> {
  const session = await sessions.get(`${projectId}/${id}`, async () => {
    const row = await requireLogin({ projectId, id });
    const clientId = row.clientId ?? undefined;
    const { membershipId, scope, launch } = row;
    const of = { projectId, membershipId: membershipId!, loginId: id, clientId, scope, launch };
    const { value: actor, tags } = await loadActor(of);
    const client = clientId ? [clientTag(clientId)] : [];
    return { value: { row, actor }, tags: [...tags, loginTag(id), ...client] };
  });
  const { until } = session.actor;
  if (until !== undefined && until <= Date.now()) throw new AppError('unauthorized', 'This membership is not active');
  return session;
}

async function requireLogin(key: LoginKey): Promise<LoginRow> {
  const row = await findLogin(key);
  if (!row?.refreshHash) throw oauthError('invalid_grant', 'Invalid token');
  return row;
}

/** Rotates by compare-and-swap: of two tabs at once one wins, and the other gets the winner's successor. */
async function rotate(ctx: Ctx, row: LoginRow): Promise<string> {
  const next = newSecret();
  const { projectId, id, userRef, refreshHash } = row;
  const params = [
    projectId,
    id,
    refreshHash,
    hashSecret(next),
    seal(SEALED.login.purpose, next),
    new Date().toISOString(),
  ];
  const entry = { projectId, action: 'login.refresh', target: userRef } as const;
  if ((await writeOne(ctx, { parts: ROTATED, params, counted: 'r' }, entry)) > 0) return next;
  const current = await findLogin(row);
  if (!current?.refreshSealed || current.revoked) throw oauthError('invalid_grant', 'Token revoked');
  return unseal(SEALED.login.purpose, current.refreshSealed);
}

const ROTATED = `
  r as (update login set refresh_hash = $4, refresh_sealed = $5, previous_refresh_hash = $3, refresh_rotated_at = $6, last_used_at = $6
  where project_id = $1 and id = $2 and refresh_hash = $3 and not revoked returning id)`;

async function reuse(ctx: Ctx, row: LoginRow, secret: string): Promise<string> {
  const fresh = row.refreshRotatedAt !== null && Date.now() - row.refreshRotatedAt.getTime() < GRACE_MS;
  if (fresh && row.refreshSealed && secretMatches(secret, row.previousRefreshHash))
    return unseal(SEALED.login.purpose, row.refreshSealed);
  await revokeLogin(ctx, row, { isReuse: true });
  throw oauthError('invalid_grant', 'Invalid token');
}

async function checkClient(
  ctx: Ctx,
  row: LoginRow,
  request: TokenRequest,
): Promise<Pick<TokenInput, 'accessSeconds' | 'refreshSeconds' | 'idTokenAlg'>> {
  const app = row.clientId ? await findApp(row.clientId) : undefined;
  const named = namedClient(request);
  if (named !== undefined && named !== row.clientId) throw oauthError('invalid_grant', 'Incorrect client');
  if (row.clientId && !app) throw oauthError('invalid_client', 'Incorrect client');
  const isProven = request.basic !== undefined || bringsProof(request);
  // RFC 6749 §6: what was given to a client that showed who it is goes on with that alone.
  if (row.needsProof && !isProven) throw clientRefused(request, 'Missing client secret or assertion');
  if (isProven && !(await proveRequest(ctx, app?.client, request))) {
    throw clientRefused(request, 'Incorrect client secret');
  }
  // Keys were asked for when the code was redeemed.
  if (app?.resource.tokenEndpointAuthMethod) requireProofKind(app.resource, request);
  if (app) {
    requireAllowedGrant(app.resource, 'refresh_token');
    requireAllowedScope(app.resource, row.scope);
  }
  return {
    accessSeconds: lifetimeSeconds(app?.resource.accessTokenLifetime),
    refreshSeconds: lifetimeSeconds(app?.resource.refreshTokenLifetime),
    idTokenAlg: app?.resource.idTokenSignedResponseAlg,
  };
}
