import { AppError } from '#lib/base/errors.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { isUnlimited } from '../access/policy.ts';

/**
 * An administrator whom a policy limits cannot lift that limit: not on the membership at hand, not by a further one, not by bringing
 * back an earlier one, and not in somebody else's name. Another administrator can. `user`: whose membership it is. Throws 403.
 */
export function requireOwnAccessKept(actor: Actor, user: string | undefined): void {
  const caller = callerOf(actor);
  if (user !== caller.user || (isUnlimited(caller.policy) && !caller.policy.places)) return;
  throw new AppError('forbidden', 'You cannot change your own access; ask another administrator');
}
