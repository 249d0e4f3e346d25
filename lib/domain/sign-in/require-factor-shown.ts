import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/identity.ts';
import { findNeed } from './gate.ts';

/**
 * That a session has shown the second factor that the person has by now: one from before they had it may not add another way in, which would
 * go around it. Who has none owes nothing. Throws 403.
 */
export async function requireFactorShown(login: LoginRow): Promise<void> {
  const need = await findNeed(db(), login, {});
  if (need?.kind !== 'verify') return;
  throw new AppError('forbidden', 'This session has not shown your second factor: sign out and in again to do this');
}
