import { AppError } from '#lib/base/errors.ts';
import type { TokenRequest } from './token-request.ts';

type Name =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'slow_down'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

/** RFC 6749 §5.2: the name is for programs, the description has the words that the peer's clients show (contract §1.2). */
export function oauthError(oauth: Name, description: string): AppError {
  return new AppError('invalid', description, { oauth });
}

/** RFC 6749 §5.2: who came with the Authorization header hears 401 and which scheme is meant; who came with the form, 400. */
export function clientRefused({ basic }: TokenRequest, description: string): AppError {
  return new AppError(basic ? 'unauthorized' : 'invalid', description, { oauth: 'invalid_client' });
}
