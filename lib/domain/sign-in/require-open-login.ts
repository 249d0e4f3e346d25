import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/identity.ts';

/** How long a started sign-in may wait for its next step. */
const OPEN_MS = 60 * 60_000;

/** A sign-in that waits for its membership. Throws 400 naming `login` when it does not, or no longer. */
export async function requireOpenLogin(loginId: string): Promise<LoginRow> {
  const [row] = await db().select().from(login).where(eq(login.id, loginId));
  const problem = !row
    ? 'Unknown login'
    : row.revoked
      ? 'Login revoked'
      : row.granted
        ? 'Login already granted'
        : row.membershipId
          ? 'Login already has a membership'
          : Date.now() - row.authTime.getTime() > OPEN_MS
            ? 'Login expired'
            : undefined;
  if (!row || problem) throw new AppError('invalid', problem ?? 'Unknown login', { expression: 'login' });
  return row;
}
