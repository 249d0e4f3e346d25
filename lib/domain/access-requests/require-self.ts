import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, callerOf, requireAccount } from '../access/context.ts';

/** The person who calls, and neither whom they act for nor what runs for them. Throws 401, 403. */
export function requireSelf(ctx: Ctx): Actor {
  const actor = requireAccount(ctx);
  const self = callerOf(actor);
  if (!self.user.startsWith('User/') || actor.byBot || self.key)
    throw new AppError('forbidden', 'People ask for access themselves, signed in: programs, bots and keys do not');
  return self;
}
