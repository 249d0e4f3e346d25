import { AppError } from '#lib/base/errors.ts';
import { isBreached } from '#lib/infra/net/is-breached.ts';
import { passwordProblem } from '#lib/protocol/password-rules.ts';

/** Throws 400 naming `field` when the password is not acceptable: too short or long, too common, the person's own name, or leaked. */
export async function requirePassword(password: string, field: string, personal: string[] = []): Promise<void> {
  const problem = passwordProblem(password, personal) ?? ((await isBreached(password)) ? BREACHED : undefined);
  if (problem) throw new AppError('invalid', problem, { expression: field });
}

const BREACHED = 'This password was found in leaks of other sites; choose another';
