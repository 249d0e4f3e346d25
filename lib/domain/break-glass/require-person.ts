import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, callerOf, requireAccount } from '../access/context.ts';

/** The person who calls, at their own session: no app with scopes for resources, no key, program or bot, and nobody whom they act for. Throws 401, 403. */
export function requirePerson(ctx: Ctx): Actor {
  const actor = requireAccount(ctx);
  const isSelf = callerOf(actor) === actor && !actor.byBot && !actor.key;
  if (isSelf && actor.user.startsWith('User/') && actor.loginId) return actor;
  throw new AppError(
    'forbidden',
    'Emergency access is for people at their own session: not for programs, bots and keys',
  );
}
