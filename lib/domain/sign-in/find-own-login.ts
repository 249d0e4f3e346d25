import type { LoginRow } from '#lib/infra/db/schema/identity.ts';
import type { Actor } from '../access/context.ts';
import { findLogin } from '../sessions/find-login.ts';

/**
 * The caller's sign-in with password that no app stands between, and that was not limited to some records: it alone speaks for the person beyond
 * what one app was given.
 */
export async function findOwnLogin({ projectId, loginId, user, caller, policy }: Actor): Promise<LoginRow | undefined> {
  if (!loginId || !user.startsWith('User/') || caller || policy.scope) return undefined;
  const row = await findLogin({ projectId, id: loginId });
  return row?.authMethod === 'password' && !row.clientId && row.userRef === user ? row : undefined;
}
