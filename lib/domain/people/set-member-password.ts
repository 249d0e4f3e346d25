import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Ctx, requireActor, requireProjectAdmin, requireSuperAdmin } from '../access/context.ts';
import { findUser, findUserByEmail } from '../accounts/find-user.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { savePassword } from '../accounts/save-password.ts';
import { tellPassword } from '../accounts/tell-password.ts';
import { write } from '../audit/write.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRecoveryWait } from './find-recovery-wait.ts';

/**
 * Sets the password of a User that is scoped to a project, by its administrator: to others the person belongs alone. With
 * `scope: 'server'`, by a super-admin, of a server-scoped User. Ends the person's sessions, and mails them. Throws 400 when there is no such User, and
 * 409 where the project lets what administrators change of an account wait (`recoveryWait`): who knows the password does not wait.
 */
export async function setMemberPassword(
  ctx: Ctx,
  input: { email: string; password: string; scope: { projectId: string } | 'own' | 'server' },
): Promise<void> {
  const scope = authorize(ctx, input.scope);
  await requireProof(ctx.actor);
  const userId = await findUserByEmail(db(), scope, input.email);
  const user = userId === undefined ? undefined : await findUser(userId, scope);
  if (!user) throw new AppError('invalid', 'User not found', { expression: 'email' });
  if ((await findRecoveryWait(db(), user)).waitMs > 0) throw itWaits();
  await requirePassword(input.password, 'password', [user.firstName, user.lastName, input.email]);
  const passwordHash = await hashPassword(input.password);
  await write(ctx, async (w) => {
    await savePassword(w, user.id, passwordHash);
    w.audit({ projectId: scope, action: 'user.password.set-by-admin', target: `User/${user.id}` });
    if (user.email) await tellPassword(w, { scope, email: user.email });
  });
}

function itWaits(): AppError {
  return new AppError(
    'conflict',
    'This project lets changes of how somebody signs in wait: mail them a link to choose a password themselves',
  );
}

function authorize(ctx: Ctx, scope: { projectId: string } | 'own' | 'server'): string {
  if (scope === 'own') return requireProjectAdmin(ctx, requireActor(ctx).projectId).projectId;
  requireSuperAdmin(ctx);
  return scope === 'server' ? SERVER_SCOPE : scope.projectId;
}
