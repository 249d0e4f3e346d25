import { AppError } from '#lib/base/errors.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { isResourceScope, splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Ctx } from '../access/context.ts';
import { nextStep, requireStartedLogin } from './started-login.ts';

/** Of the scopes that a sign-in asked for, those that the person gives. Throws 400 for any other, and for none. */
export async function chooseScope(ctx: Ctx, input: { login: string; scope: string }): Promise<LoginResult> {
  const row = await requireStartedLogin(ctx, input.login);
  const asked = splitScopes(row.scope);
  const chosen = splitScopes(input.scope);
  if (chosen.length === 0 || chosen.some((scope) => !asked.includes(scope))) {
    throw refused(`Choose from the scopes that were asked for: ${row.scope}`);
  }
  // Without any the token would not be narrowed at all.
  if (asked.some(isResourceScope) && !chosen.some(isResourceScope)) {
    throw refused('Keep at least one scope for records: without any, the app could do all that you may');
  }
  return nextStep(ctx, row, 'login.scope', chosen.join(' '));
}

function refused(text: string): AppError {
  return new AppError('invalid', text, { expression: 'scope' });
}
