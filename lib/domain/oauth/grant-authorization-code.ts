import { createHash, timingSafeEqual } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';
import type { Ctx } from '../access/context.ts';
import { type App, findApp } from '../clients/find-app.ts';
import { findLoginByCode } from '../sessions/find-login.ts';
import { grantLogin, refuseReuse } from './grant-login.ts';
import { clientRefused, oauthError } from './oauth-error.ts';
import { proveRequest } from './prove-request.ts';
import { bringsProof, namedClient } from './request-client.ts';
import { requireAllowedGrant } from './require-allowed.ts';
import { requireProofKind } from './require-proof-kind.ts';
import type { TokenResponse } from './sign-tokens.ts';
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
  const app = row.clientId ? await findApp(row.clientId) : undefined;
  if (row.clientId && !app) throw oauthError('invalid_client', 'Invalid client');
  const isProven = await proveHolder(ctx, row, app, request);
  if (app) requireAllowedGrant(app.resource, 'authorization_code');
  return grantLogin(ctx, row, { app, isProven });
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

/**
 * The PKCE verifier, the client's secret or assertion, or both: each that is there must be right, and one must be there. A client with keys of its
 * own always shows them (RFC 6749 §3.2.1), and so does one that has shown who it is before, for this code. Every client here has a secret, and
 * apps in browsers are clients without showing it: a secret alone says nothing of which kind it is. True: it has shown who it is.
 */
async function proveHolder(ctx: Ctx, row: LoginRow, app: App | undefined, request: TokenRequest): Promise<boolean> {
  const isProven = bringsProof(request);
  if (!isProven && row.needsProof) throw clientRefused(request, 'Missing client_secret or client_assertion');
  requireProofKind(app?.resource, request);
  if (isProven && !(await proveRequest(ctx, app?.client, request))) throw clientRefused(request, 'Invalid secret');
  if (row.codeChallenge) proveVerifier(row, request.form.get('code_verifier'));
  else if (request.form.has('code_verifier') && app && app.resource.pkceOptional !== true)
    // RFC 9700 §4.8.2: whoever took the challenge out of the request has put in a code of their own.
    throw oauthError('invalid_grant', 'There was no challenge for this code verifier');
  else if (!isProven && app?.resource.pkceOptional !== true)
    throw oauthError('invalid_request', 'Missing verification context');
  return isProven;
}

function proveVerifier(row: LoginRow, verifier: string | null): void {
  if (!verifier) throw oauthError('invalid_request', 'Missing code verifier');
  const given =
    row.codeChallengeMethod === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [a, b] = [Buffer.from(given), Buffer.from(row.codeChallenge ?? '')];
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw oauthError('invalid_grant', 'Invalid code verifier');
}
