import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { findApp } from '../clients/find-app.ts';
import { readLogin } from '../oauth/verify-access-token.ts';
import { verifyIdToken } from '../oauth/verify-id-token.ts';
import { findLogin } from '../sessions/find-login.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { endCurrentLogin } from '../sessions/revoke-own-login.ts';

import { redirectUrisOf } from './authorize-request.ts';

/**
 * OpenID Connect RP-Initiated Logout 1.0: ends the app's login that the ID token names, and the session of this browser (`ctx.actor`) if it is
 * the same person's; where the browser goes then. Without a token of ours nothing ends: the person is asked. Throws 400, for them to read,
 * when the app wants them sent to an address that is not its own.
 */
export async function endSession(ctx: Ctx, params: URLSearchParams): Promise<string> {
  const hint = await readHint(params.get('id_token_hint'));
  const next = await readNext(params, hint?.clientId);
  if (!hint) return '/signout';
  const key = await readLogin(hint.claims);
  const login = key && (await findLogin(key));
  if (login && !login.revoked) await revokeLogin(ctx, login);
  if (ctx.actor?.user === `User/${hint.claims.sub}`) await endCurrentLogin(ctx);
  return next ?? '/signin?reason=signed-out';
}

async function readHint(token: string | null) {
  if (!token) return undefined;
  const claims = await verifyIdToken(token).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  });
  return claims && { claims, clientId: typeof claims.client_id === 'string' ? claims.client_id : undefined };
}

/** Only to an address that the app has for sign-in too, so nobody is sent elsewhere by a link to us. */
async function readNext(params: URLSearchParams, ofToken: string | undefined): Promise<string | undefined> {
  const given = params.get('client_id')?.toLowerCase();
  if (ofToken && given && given !== ofToken)
    throw new AppError('invalid', 'client_id is not that of the id_token_hint');
  const uri = params.get('post_logout_redirect_uri');
  if (!uri) return undefined;
  const clientId = ofToken ?? given;
  const app = clientId === undefined ? undefined : await findApp(clientId);
  if (!app || !redirectUrisOf(app).includes(uri))
    throw new AppError('invalid', 'This post_logout_redirect_uri is not one of the app’s own addresses');
  const url = new URL(uri);
  const state = params.get('state');
  if (state) url.searchParams.set('state', state);
  return url.href;
}
