import { and, eq } from 'drizzle-orm';
import { newSecret } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/identity.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findApp } from '../clients/find-app.ts';
import { findLogin, type LoginKey } from '../sessions/find-login.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { SEALED } from '../signing/sealed.ts';
import { findEmail } from './find-email.ts';
import { clientRefused, oauthError } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { bringsProof, namedClient } from './request-client.ts';
import { signTokens, type TokenResponse } from './sign-tokens.ts';
import type { TokenRequest } from './token-request.ts';
import { readLogin, verifyToken } from './verify-access-token.ts';

/** For so long the secret before the current one is taken for a second tab, not for a thief (contract §1.2). */
const GRACE_MS = 60_000;

/** RFC 6749 §6, with rotation. A secret that was rotated longer ago means theft: the login is revoked. */
export async function grantRefreshToken(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const { login: key, secret } = await readRefreshToken(request.form.get('refresh_token'));
  const row = await findLogin(key);
  if (!row?.refreshHash) throw oauthError('invalid_grant', 'Invalid token');
  const { projectId, id: loginId, membershipId, scope, nonce, authTime } = row;
  const clientId = row.clientId ?? undefined;
  // Before the rotation: what fails here must not cost the caller the secret.
  const { value: actor } = await loadActor({
    projectId,
    membershipId: membershipId!,
    loginId,
    clientId,
    scope,
  });
  if (row.revoked) throw oauthError('invalid_grant', 'Token revoked');
  const lifetimes = await checkClient(ctx, row, request);
  const refreshSecret = secretMatches(secret, row.refreshHash) ? await rotate(ctx, row) : await reuse(ctx, row, secret);
  const email = await findEmail(actor, scope);
  return signTokens({ actor, loginId, scope, nonce, authTime, email, refreshSecret, ...lifetimes });
}

async function readRefreshToken(token: string | null): Promise<{ login: LoginKey; secret: string }> {
  if (!token) throw oauthError('invalid_request', 'Invalid refresh token');
  const claims = await verifyToken(token).catch((cause) => {
    throw Object.assign(oauthError('invalid_grant', 'Invalid refresh token'), { cause });
  });
  const key = await readLogin(claims);
  if (!key || typeof claims.refresh_secret !== 'string') throw oauthError('invalid_grant', 'Invalid refresh token');
  return { login: key, secret: claims.refresh_secret };
}

/** Rotates by compare-and-swap: of two tabs at once one wins, and the other gets the winner's successor. */
async function rotate(ctx: Ctx, row: LoginRow): Promise<string> {
  const next = newSecret();
  const won = await write(ctx, async (w) => {
    w.audit({ projectId: row.projectId, action: 'login.refresh', target: row.userRef });
    const updated = await w.tx
      .update(login)
      .set({
        refreshHash: hashSecret(next),
        refreshSealed: seal(SEALED.login.purpose, next),
        previousRefreshHash: row.refreshHash,
        refreshRotatedAt: new Date(),
        lastUsedAt: new Date(),
      })
      .where(
        and(
          eq(login.projectId, row.projectId),
          eq(login.id, row.id),
          eq(login.refreshHash, row.refreshHash!),
          eq(login.revoked, false),
        ),
      )
      .returning({ id: login.id });
    return updated.length > 0;
  });
  if (won) return next;
  const current = await findLogin(row);
  if (!current?.refreshSealed || current.revoked) throw oauthError('invalid_grant', 'Token revoked');
  return unseal(SEALED.login.purpose, current.refreshSealed);
}

async function reuse(ctx: Ctx, row: LoginRow, secret: string): Promise<string> {
  const fresh = row.refreshRotatedAt !== null && Date.now() - row.refreshRotatedAt.getTime() < GRACE_MS;
  if (fresh && row.refreshSealed && secretMatches(secret, row.previousRefreshHash))
    return unseal(SEALED.login.purpose, row.refreshSealed);
  await revokeLogin(ctx, row);
  throw oauthError('invalid_grant', 'Invalid token');
}

async function checkClient(
  ctx: Ctx,
  row: LoginRow,
  request: TokenRequest,
): Promise<{ accessSeconds?: number; refreshSeconds?: number }> {
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
  return {
    accessSeconds: lifetimeSeconds(app?.resource.accessTokenLifetime),
    refreshSeconds: lifetimeSeconds(app?.resource.refreshTokenLifetime),
  };
}
