import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/identity.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findApp } from '../clients/find-app.ts';
import { findLoginByCode } from '../sessions/find-login.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { SEALED } from '../signing/sealed.ts';
import { findEmail } from './find-email.ts';
import { clientRefused, oauthError } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { bringsProof, namedClient } from './request-client.ts';
import { signTokens, type TokenResponse } from './sign-tokens.ts';
import type { TokenRequest } from './token-request.ts';

/** RFC 6749 §4.1.3 with PKCE (RFC 7636 §4.6). A code used twice revokes its login, and with it the tokens already issued (§4.1.2). */
export async function grantAuthorizationCode(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const row = await findByCode(request.form.get('code'));
  if (namedClient(request) !== (row.clientId ?? undefined)) throw oauthError('invalid_grant', 'Invalid client');
  if (row.granted) return refuseReuse(ctx, row);
  if (row.revoked) throw oauthError('invalid_grant', 'Token revoked');
  if (row.codeExpiresAt && row.codeExpiresAt < new Date()) throw oauthError('invalid_grant', 'Expired code');
  if (row.redirectUri && request.form.get('redirect_uri') !== row.redirectUri)
    throw oauthError('invalid_grant', 'Invalid redirect_uri');
  const lifetimes = await proveHolder(ctx, row, request);
  return grant(ctx, row, lifetimes);
}

async function findByCode(code: string | null): Promise<LoginRow> {
  if (!code) throw oauthError('invalid_request', 'Missing code');
  const row = await findByHash(code.slice(0, Math.max(code.indexOf('.'), 0)), hashSecret(code));
  if (!row?.membershipId) throw oauthError('invalid_grant', 'Invalid code');
  return row;
}

async function findByHash(projectId: string, codeHash: string): Promise<LoginRow | undefined> {
  if (!isUuid(projectId)) return findLoginByCode(codeHash);
  const [row] = await db()
    .select()
    .from(login)
    .where(and(eq(login.projectId, projectId), eq(login.codeHash, codeHash)));
  return row;
}

type Lifetimes = { accessSeconds?: number; refreshSeconds?: number };

/** The PKCE verifier, the client's secret or assertion, or both: each that is there must be right, and one must be there. */
async function proveHolder(ctx: Ctx, row: LoginRow, request: TokenRequest): Promise<Lifetimes> {
  const isProven = bringsProof(request);
  const app = row.clientId ? await findApp(row.clientId) : undefined;
  if (row.clientId && !app) throw oauthError('invalid_client', 'Invalid client');
  if (isProven && !(await proveRequest(ctx, app?.client, request))) throw clientRefused(request, 'Invalid secret');
  if (row.codeChallenge) proveVerifier(row, request.form.get('code_verifier'));
  else if (request.form.has('code_verifier') && app && app.resource.pkceOptional !== true)
    // RFC 9700 §4.8.2: whoever took the challenge out of the request has put in a code of their own.
    throw oauthError('invalid_grant', 'There was no challenge for this code verifier');
  else if (!isProven && app?.resource.pkceOptional !== true)
    throw oauthError('invalid_request', 'Missing verification context');
  return {
    accessSeconds: lifetimeSeconds(app?.resource.accessTokenLifetime),
    refreshSeconds: lifetimeSeconds(app?.resource.refreshTokenLifetime),
  };
}

function proveVerifier(row: LoginRow, verifier: string | null): void {
  if (!verifier) throw oauthError('invalid_request', 'Missing code verifier');
  const given =
    row.codeChallengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [a, b] = [Buffer.from(given), Buffer.from(row.codeChallenge ?? '')];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw oauthError('invalid_grant', 'Invalid code verifier');
}

async function grant(ctx: Ctx, row: LoginRow, lifetimes: Lifetimes): Promise<TokenResponse> {
  const { value: actor } = await loadActor({
    projectId: row.projectId,
    membershipId: row.membershipId!,
    loginId: row.id,
    clientId: row.clientId ?? undefined,
    scope: row.scope,
  });
  const refreshSecret = wantsRefresh(row, actor) ? newSecret() : undefined;
  const won = await write({ ...ctx, actor }, async (w) => {
    const granted = await w.tx
      .update(login)
      .set({
        granted: true,
        lastUsedAt: new Date(),
        ...(refreshSecret
          ? { refreshHash: hashSecret(refreshSecret), refreshSealed: seal(SEALED.login.purpose, refreshSecret) }
          : {}),
      })
      .where(
        and(
          eq(login.projectId, row.projectId),
          eq(login.id, row.id),
          eq(login.granted, false),
          eq(login.revoked, false),
        ),
      )
      .returning({ id: login.id });
    w.audit({
      projectId: actor.projectId,
      action: 'login.grant',
      target: actor.user,
      outcome: granted.length > 0 ? 0 : 4,
    });
    return granted.length > 0;
  });
  if (!won) return refuseReuse(ctx, row);
  const email = await findEmail(actor, row.scope);
  const { id: loginId, scope, nonce, authTime } = row;
  return signTokens({ actor, loginId, scope, nonce, authTime, email, refreshSecret, ...lifetimes });
}

/** Whoever comes second, later or at the same moment, may be the thief or the victim: the tokens of both end (RFC 6749 §4.1.2). */
async function refuseReuse(ctx: Ctx, row: LoginRow): Promise<never> {
  await revokeLogin(ctx, row);
  throw oauthError('invalid_grant', 'Token code has already granted a token');
}

/** Contract §1.3: only when asked for, and never in a super-admin project. */
function wantsRefresh(row: LoginRow, actor: Actor): boolean {
  const scopes = row.scope.split(' ');
  return !actor.superAdmin && (scopes.includes('offline') || scopes.includes('offline_access'));
}
