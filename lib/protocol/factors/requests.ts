import { z } from 'zod';
import { FACTOR_METHODS } from './answers.ts';

const login = z.uuid({ error: 'login must be a UUID' });
/** Six digits, or a recovery code. Spaces that a person types or copies with it do not count. */
const token = z
  .string({ error: 'The code is required' })
  .max(64, 'The code is too long')
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(z.string().min(6, 'The code has six digits'));
const method = z.enum(FACTOR_METHODS, { error: 'method must be totp or email' });

/** POST /auth/mfa/verify. */
export const verifyFactorRequest = z.object({ login, token });
/** POST /auth/mfa/login-enroll. */
export const enrollAtSignInRequest = z.object({ login, token, method: method.default('totp') });
/** POST /auth/mfa/send-email. */
export const mailSignInCodeRequest = z.object({ login });
/** POST /auth/mfa/enroll. */
export const enrollFactorRequest = z.object({ token, method: method.default('totp') });
/** POST /auth/mfa/disable. */
export const disableFactorRequest = z.object({ token, method: method.optional() });
/** POST /auth/mfa/recovery-codes. */
export const recoveryCodesRequest = z.object({ token });
