import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { verifyPassword } from '../accounts/verify-password.ts';
import { throttle } from '../limits/throttle.ts';
import { lastProof } from '../proofs/last-proof.ts';
import { isProven } from '../proofs/require-proof.ts';
import type { OwnAccount } from './require-own-account.ts';

/**
 * That whoever is at the keyboard is the person, and not somebody who found it unlocked: they have shown so within the last ten minutes, or type
 * their password again. Throws 400 naming `password`, 403 for who has none and signed in earlier, 429 as for a change of password.
 */
export async function requireRecentProof({ user, login }: OwnAccount, password: string | undefined): Promise<void> {
  if (isProven(lastProof(login))) return;
  if (!(await hasPassword(db(), user.id))) throw new AppError('forbidden', 'Sign out and in again to add a passkey');
  if (password === undefined) {
    throw new AppError('invalid', 'Type your password again to add a passkey', { expression: 'password' });
  }
  await throttle(`password:${user.id}`);
  if (!(await verifyPassword(user.id, password))) {
    throw new AppError('invalid', 'Incorrect password', { expression: 'password' });
  }
}
