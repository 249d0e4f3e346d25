import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { membersOf } from '../directory/members-of.ts';
import { hasPasskey } from '../webauthn/own-rows.ts';
import { findNeed } from './gate.ts';

/**
 * That a session has shown the second factor that the person has by now: one from before they had it may not add another way in, which would
 * go around it. Who has none owes nothing. Throws 403.
 */
export async function requireFactorShown(login: LoginRow): Promise<void> {
  const need = await findNeed(db(), login, {});
  if (need?.kind === 'verify') throw notShown();
  await requireShownAtProvider(login);
  await requirePasskeyShown(login);
}

/** Of whom an identity provider has named: where any of their projects asks for their second factor, another way in would go around it. */
async function requireShownAtProvider(login: LoginRow): Promise<void> {
  if (login.authMethod !== 'external' || login.factorAt) return;
  for (const at of await membersOf(login.userRef.slice('User/'.length))) {
    const need = await findNeed(db(), login, at);
    if (need && need.kind !== 'enroll') throw notShown();
  }
}

function notShown(): AppError {
  return new AppError('forbidden', 'This session has not shown your second factor: sign out and in again to do this');
}

/**
 * The same of a passkey, for whom any of their projects asks for more than a password: in another one, which does not, whoever knows the
 * password alone would take the passkey out or set up a factor of theirs, and come in by it here. Throws 403.
 */
export async function requirePasskeyShown(login: LoginRow): Promise<void> {
  if (login.authMethod !== 'password' || login.factorAt) return;
  const userId = login.userRef.slice('User/'.length);
  if (!(await hasPasskey(db(), userId))) return;
  for (const at of await membersOf(userId)) {
    const need = await findNeed(db(), login, at);
    if (need?.kind !== 'passkey') continue;
    throw new AppError('forbidden', 'This session has not shown your passkey: sign in with it to do this');
  }
}
