import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { newSecret } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { clientSecretMatches } from '../clients/client-secret-matches.ts';
import { findClient } from '../clients/find-client.ts';
import type { TokenRequest } from './issue-token.ts';
import { lifetimeSeconds } from './lifetime-seconds.ts';
import { loadActor } from './load-actor.ts';
import { oauthError } from './oauth-error.ts';
import { revokeLogin } from './revoke-login.ts';
import { signTokens, type TokenResponse } from './sign-tokens.ts';

export type LoginRow = typeof login.$inferSelect;

/** RFC 6749 §4.1.3 with PKCE (RFC 7636 §4.6). A code used twice revokes its login, and with it the tokens already issued (§4.1.2). */
export async function grantAuthorizationCode(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const row = await findByCode(request.form.get('code'));
  const clientId = request.basic?.clientId ?? request.form.get('client_id') ?? undefined;
  if ((clientId ?? null) !== row.clientId && (clientId !== undefined || row.clientId !== null)) {
    throw oauthError('invalid_request', 'Invalid client');
  }
  if (row.granted) {
    await revokeLogin(ctx, row);
    throw oauthError('invalid_grant', 'Token code has already granted a token');
  }
  if (row.revoked) throw oauthError('invalid_grant', 'Token revoked');
  if (row.codeExpiresAt && row.codeExpiresAt < new Date()) throw oauthError('invalid_request', 'Expired code');
  if (row.redirectUri && request.form.get('redirect_uri') !== row.redirectUri)
    throw oauthError('invalid_request', 'Invalid redirect_uri');
  const lifetimes = await proveHolder(row, request);
  return grant(ctx, row, lifetimes);
}

async function findByCode(code: string | null): Promise<LoginRow> {
  if (!code) throw oauthError('invalid_request', 'Missing code');
  const [row] = await db()
    .select()
    .from(login)
    .where(eq(login.codeHash, hashSecret(code)));
  if (!row?.projectId || !row.membershipId) throw oauthError('invalid_request', 'Invalid code');
  return row;
}

type Lifetimes = { accessSeconds?: number; refreshSeconds?: number };

/** The PKCE verifier, the client's secret, or both: each that is there must be right, and one must be there. */
async function proveHolder(row: LoginRow, request: TokenRequest): Promise<Lifetimes> {
  const secret = request.basic?.secret ?? request.form.get('client_secret');
  const client = row.clientId ? await findClient(row.clientId) : undefined;
  if (row.clientId && !client) throw oauthError('invalid_request', 'Invalid client');
  if (secret && !(client && clientSecretMatches(client, secret))) throw oauthError('invalid_request', 'Invalid secret');
  if (row.codeChallenge) proveVerifier(row, request.form.get('code_verifier'));
  else if (!secret && client?.resource.pkceOptional !== true)
    throw oauthError('invalid_request', 'Missing verification context');
  return {
    accessSeconds: lifetimeSeconds(client?.resource.accessTokenLifetime),
    refreshSeconds: lifetimeSeconds(client?.resource.refreshTokenLifetime),
  };
}

function proveVerifier(row: LoginRow, verifier: string | null): void {
  if (!verifier) throw oauthError('invalid_request', 'Missing code verifier');
  const given =
    row.codeChallengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [a, b] = [Buffer.from(given), Buffer.from(row.codeChallenge ?? '')];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw oauthError('invalid_request', 'Invalid code verifier');
}

async function grant(ctx: Ctx, row: LoginRow, lifetimes: Lifetimes): Promise<TokenResponse> {
  const { value: actor } = await loadActor({
    projectId: row.projectId!,
    membershipId: row.membershipId!,
    loginId: row.id,
    clientId: row.clientId ?? undefined,
    scope: row.scope,
  });
  const refreshSecret = wantsRefresh(row, actor) ? newSecret() : undefined;
  await write({ ...ctx, actor }, async (w) => {
    const [won] = await w.tx
      .update(login)
      .set({
        granted: true,
        lastUsedAt: new Date(),
        ...(refreshSecret
          ? { refreshHash: hashSecret(refreshSecret), refreshSealed: seal('refresh', refreshSecret) }
          : {}),
      })
      .where(and(eq(login.id, row.id), eq(login.granted, false), eq(login.revoked, false)))
      .returning({ id: login.id });
    if (!won) throw oauthError('invalid_grant', 'Token code has already granted a token');
    w.audit({ projectId: actor.projectId, action: 'login.grant', target: actor.user });
  });
  const email = actor.user.startsWith('User/') ? (await findUser(actor.user.slice('User/'.length)))?.email : undefined;
  const { id: loginId, scope, nonce, authTime } = row;
  return signTokens({ actor, loginId, scope, nonce, authTime, email, refreshSecret, ...lifetimes });
}

/** Contract §1.3: only when asked for, and never in a super-admin project. */
function wantsRefresh(row: LoginRow, actor: Actor): boolean {
  const scopes = row.scope.split(' ');
  return !actor.superAdmin && (scopes.includes('offline') || scopes.includes('offline_access'));
}
