import { AppError } from '#lib/base/errors.ts';
import { passwordProblem } from './password-rules.ts';

/** Throws 400 naming `field` when the password is not acceptable. */
export function requirePassword(password: string, field: string, personal: string[] = []): void {
  const problem = passwordProblem(password, personal);
  if (problem) throw new AppError('invalid', problem, { expression: field });
}
