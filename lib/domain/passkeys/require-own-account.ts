import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';

export type OwnAccount = { user: FoundUser; login: LoginRow };

/** Who has signed in themselves: no app, no program and no administrator in their place touches what they sign in with. Throws 403. */
export async function requireOwnAccount(ctx: Ctx): Promise<OwnAccount> {
  const actor = requireAccount(ctx);
  const login = await findOwnLogin(actor);
  const user = login && (await findUser(actor.user.slice('User/'.length), actor.projectId));
  if (!user) throw new AppError('forbidden', 'Only somebody who has signed in themselves does this');
  return { user, login };
}
