import { AppError } from '#lib/base/errors.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { findUser } from './find-user.ts';
import { requirePassword } from './require-password.ts';
import { savePassword } from './save-password.ts';
import { tellPassword } from './tell-password.ts';
import { verifyPassword } from './verify-password.ts';

/** The caller's own password; ends their other sessions. 400 names oldPassword or newPassword. */
export async function changePassword(ctx: Ctx, input: { oldPassword: string; newPassword: string }): Promise<void> {
  const actor = requireAccount(ctx);
  const [type, userId = ''] = actor.user.split('/');
  const user = type === 'User' ? await findUser(userId, actor.projectId) : undefined;
  if (!user || actor.caller) throw new AppError('forbidden', 'Only a person can change their own password');
  await throttle(`password:${userId}`);
  if (!(await verifyPassword(userId, input.oldPassword))) {
    throw new AppError('invalid', 'Incorrect password', { expression: 'oldPassword' });
  }
  await requirePassword(input.newPassword, 'newPassword', [user.firstName, user.lastName, user.email ?? '']);
  const passwordHash = await hashPassword(input.newPassword);
  await write(ctx, async (w) => {
    await savePassword(w, userId, passwordHash, actor.loginId);
    w.audit({ projectId: user.scope, action: 'user.password.change', target: actor.user });
    if (user.email) await tellPassword(w, { scope: user.scope, email: user.email });
  });
}
