import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import type { NewUserResult } from '#lib/protocol/answers/login.ts';
import type { NewUserRequest } from '#lib/protocol/requests/auth.ts';
import type { Ctx } from '../access/context.ts';
import { createUser } from '../accounts/create-user.ts';
import { findUserByEmail } from '../accounts/find-user.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { mailVerification } from '../accounts/mail-verification.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { createLogin } from './create-login.ts';

/**
 * Registration of a server-scoped person who then makes a project (contract §1.5). Joining a project that exists goes by invite,
 * so a concrete projectId is refused: registration is closed there. Under VERIFY_EMAIL the address is to be proven before the project.
 */
export async function registerUser(ctx: Ctx, input: NewUserRequest): Promise<NewUserResult> {
  if (input.projectId !== undefined && input.projectId !== 'new') {
    throw new AppError('invalid', 'This project is not open to registration; ask for an invite', {
      expression: 'projectId',
    });
  }
  if (input.clientId)
    throw new AppError('invalid', 'Registration does not go through a client', { expression: 'clientId' });
  const { firstName, lastName, email, password } = input;
  await requirePassword(password, 'password', [firstName, lastName, email]);
  await throttle(`register-from:${networkOf(ctx.remoteAddress)}`, 60);
  const passwordHash = await hashPassword(password);
  return write(ctx, async (w, inside) => {
    await lockAddresses(w.tx, [email]);
    if (await findUserByEmail(w.tx, SERVER_SCOPE, email)) {
      throw new AppError(
        'invalid',
        'This address cannot be registered. If it is yours, sign in or reset your password',
        { expression: 'email' },
      );
    }
    const row = await createUser(w, { scope: SERVER_SCOPE, firstName, lastName, email, passwordHash });
    const { login } = await createLogin(inside, row.id, { ...input, projectId: undefined });
    if (!env().VERIFY_EMAIL) return { login };
    await mailVerification(w, row.id, email);
    return { login, emailVerificationRequired: true };
  });
}
