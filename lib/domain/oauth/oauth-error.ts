import { AppError } from '#lib/base/errors.ts';

/** RFC 6749 §5.2, always 400: contract §1.2 lists which name goes with which mistake. */
export function oauthError(
  oauth: 'invalid_request' | 'invalid_grant' | 'invalid_scope' | 'access_denied',
  description: string,
): AppError {
  return new AppError('invalid', description, { oauth });
}
