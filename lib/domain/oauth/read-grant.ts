import { AppError } from '#lib/base/errors.ts';
import type { LoginKey } from '../sessions/find-login.ts';
import { readLogin, verifyAccessToken, verifyToken } from './verify-access-token.ts';

export type Grant = {
  login: LoginKey;
  /** Of a refresh token, whether or not it was rotated away since. */
  refreshSecret?: string;
};

/** What granted an access or refresh token of ours, whether or not that was ended since. Undefined for whatever else, an id token too. */
export async function readGrant(token: string): Promise<Grant | undefined> {
  const access = await verifyAccessToken(token).catch(ifInvalid);
  if (access) return { login: access.login };
  const claims = await verifyToken(token).catch(ifInvalid);
  const login = typeof claims?.refresh_secret === 'string' ? await readLogin(claims) : undefined;
  return login && { login, refreshSecret: String(claims?.refresh_secret) };
}

/** A database that fails says nothing of the token. */
function ifInvalid(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unauthorized') return undefined;
  throw error;
}
