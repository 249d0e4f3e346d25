import { AppError } from '#lib/base/errors.ts';

/** RFC 6749 §5.2, always 400: contract §1.2 lists which name goes with which mistake. */
export function oauthError(
  oauth: 'invalid_request' | 'invalid_grant' | 'access_denied' | 'unsupported_grant_type',
  description: string,
): AppError {
  return new AppError('invalid', description, { oauth });
}
