import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { MergeRow } from '#lib/infra/db/schema/account-merge.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { findLogin } from '../sessions/find-login.ts';

/**
 * The sign-in to the other account, if it is whole: password and second step, and nothing has ended it since. The caller's own session stands, too,
 * inside the transaction: of two accounts that take in each other at once, the second finds its session ended. Throws 400 and 409.
 */
export async function requireShown(q: Queryable, row: MergeRow, own: LoginRow): Promise<LoginRow> {
  const other = await findLogin({ projectId: SERVER_SCOPE, id: row.otherLoginId }, q);
  if (!other || other.revoked || other.userRef !== `User/${row.otherUserId}`) {
    throw new AppError('conflict', 'The sign-in to the other account has ended: sign in to it again');
  }
  if (!other.factorAt)
    throw new AppError('invalid', 'Show the second step of the other account first', { expression: 'handle' });
  const present = await findLogin({ projectId: own.projectId, id: own.id }, q);
  if (!present || present.revoked) throw new AppError('conflict', 'Your session has ended: sign in again');
  return other;
}
