import { AppError } from '#lib/base/errors.ts';
import { type Actor, callerOf } from './context.ts';
import { isUnlimited } from './policy.ts';

/** Whether no policy limits them to a part of the project; whoever acts for such a one has to be one, too. */
export function hasAll(actor: Actor): boolean {
  return [actor, callerOf(actor)].every(({ policy }) => isUnlimited(policy));
}

/** Throws 403. `does`: what only those may, as in "exports it". */
export function requireAll(actor: Actor, does: string): void {
  if (hasAll(actor)) return;
  throw new AppError('forbidden', `A policy limits you to a part of the project; who has all of it ${does}`);
}
