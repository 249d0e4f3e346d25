import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { adoptLogin, findLogin } from '../sessions/find-login.ts';

/** How long a started sign-in may wait for its next step. */
const OPEN_MS = 60 * 60_000;

/** A sign-in that waits for its membership, without which it stands in no project. Throws 400 naming `login` when it does not, or no longer. */
export async function requireOpenLogin(loginId: string): Promise<LoginRow> {
  const row = (await findLogin({ projectId: SERVER_SCOPE, id: loginId })) ?? (await adoptLogin(loginId));
  if (!row) throw notOpen('This sign-in is not known, or has its membership already; sign in again');
  requireStillOpen(row);
  return row;
}

/** Throws 400 for one that has ended, or has waited for too long. */
export function requireStillOpen({ revoked, authTime }: LoginRow): void {
  if (revoked) throw notOpen('Login revoked');
  if (Date.now() - authTime.getTime() > OPEN_MS) throw notOpen('Login expired');
}

/** Whoever chooses a moment later than another finds it gone. */
export function notOpen(text: string): AppError {
  return new AppError('invalid', text, { expression: 'login' });
}
