import { AppError } from '#lib/base/errors.ts';
import { isPickedOften } from '#lib/infra/crypto/is-picked-often.ts';
import { isBreached } from '#lib/infra/net/is-breached.ts';
import { COMMON, passwordProblem } from '#lib/protocol/password-rules.ts';

/** Throws 400 naming `field` when the password is not acceptable: too short or long, too common, the person's own name, or leaked. */
export async function requirePassword(password: string, field: string, personal: string[] = []): Promise<void> {
  const problem = passwordProblem(password, personal) ?? (await findKnown(password));
  if (problem) throw new AppError('invalid', problem, { expression: field });
}

const BREACHED = 'This password was found in leaks of other sites; choose another';

async function findKnown(password: string): Promise<string | undefined> {
  if (await isPickedOften(password)) return COMMON;
  return (await isBreached(password)) ? BREACHED : undefined;
}
