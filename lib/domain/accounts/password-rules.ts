import { COMMON_PASSWORDS } from './common-passwords.ts';

export const PASSWORD_MIN_BYTES = 8;
export const PASSWORD_MAX_BYTES = 72;

/**
 * Why a password is refused, or undefined. `personal` are the person's own names and address: a password made of them is the first
 * guess. No composition rules (NIST SP 800-63B §3.1.1.2).
 */
export function passwordProblem(password: string, personal: string[] = []): string | undefined {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes < PASSWORD_MIN_BYTES) return `Password must be at least ${PASSWORD_MIN_BYTES} characters`;
  if (bytes > PASSWORD_MAX_BYTES) return `Password must be at most ${PASSWORD_MAX_BYTES} bytes`;
  const lower = password.toLowerCase();
  if (COMMON_PASSWORDS.has(lower) || /^(.)\1*$/s.test(password))
    return 'Password is one of the most common; choose another';
  const parts = personal.flatMap((value) => [value, ...value.split('@')]).map((value) => value.toLowerCase());
  if (parts.some((part) => part.length >= 4 && lower.replace(/[\W\d_]+$/, '') === part))
    return 'Password must not be your name or e-mail address';
  return undefined;
}
