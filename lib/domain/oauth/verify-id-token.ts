import type { JWTPayload } from 'jose';
import { AppError } from '#lib/base/errors.ts';
import { verifyToken } from './verify-access-token.ts';

/** Of an ID token as a hint (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2): ours, however old. Throws 401, for other tokens too. */
export async function verifyIdToken(token: string): Promise<JWTPayload> {
  const claims = await verifyToken(token, { evenExpired: true });
  const isOther = 'username' in claims || 'refresh_secret' in claims;
  if (isOther || claims.sub === undefined) throw new AppError('unauthorized', 'Not an ID token');
  return claims;
}
