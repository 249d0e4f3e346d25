import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { mailVerification } from '../accounts/mail-verification.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { isRegistering } from './open-project.ts';
import { notOpen, requireOpenLogin } from './require-open-login.ts';

/** Mails a fresh link and code to who registers and waits. Throws 400 for a login that does not wait or an address that is proven, 429 after five. */
export async function sendVerification(ctx: Ctx, loginId: string): Promise<void> {
  const { userRef, limitedTo } = await requireOpenLogin(loginId);
  const userId = userRef.slice('User/'.length);
  const user = await findUser(userId, limitedTo ?? undefined);
  if (!user?.email) throw notOpen('Unknown login');
  // A person of one project is known to its administrators, who invite them by mail; but for who registers there.
  const registers = user.scope === SERVER_SCOPE || (await isRegistering(userId, user.scope));
  const asksForIt = env().VERIFY_EMAIL && registers;
  if (!asksForIt) throw notOpen('This server does not ask for the address to be confirmed');
  if (user.emailVerified) throw new AppError('invalid', 'This address is confirmed already', { expression: 'email' });
  await throttle(`verify:${userId}`, 5);
  const { email, scope } = user;
  await write(ctx, (w) => mailVerification(w, userId, email, scope));
}
