import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginCode } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { registerProject } from '../projects/register-project.ts';
import { attachMembership } from '../sign-in/choose-profile.ts';
import { findNeed } from '../sign-in/gate.ts';
import { notOpen, requireOpenLogin } from '../sign-in/require-open-login.ts';

/** The second step of registration: the project with its owner's membership, and the code of the waiting login, all or nothing. */
export async function startProject(ctx: Ctx, input: { login: string; projectName: string }): Promise<LoginCode> {
  const row = await requireOpenLogin(input.login);
  if (row.limitedTo) throw notOpen('This login is for a project that is there');
  const userId = row.userRef.slice('User/'.length);
  const user = await findUser(userId, undefined);
  if (!user?.email) throw notOpen('Unknown login');
  if (env().VERIFY_EMAIL && user.emailVerified !== true) {
    throw new AppError('invalid', 'Confirm your e-mail address first', { expression: 'email' });
  }
  if (await findNeed(db(), row, {})) throw notOpen('Prove your second factor first');
  const { firstName, lastName, email } = user;
  return write(ctx, async (_, inside) => {
    const made = await registerProject(inside, { userId, firstName, lastName, email, projectName: input.projectName });
    const { login, code } = await attachMembership(inside, row, made);
    if (code === undefined) throw notOpen('Prove your second factor first');
    return { login, code };
  });
}
