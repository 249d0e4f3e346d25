import type { LoginRow } from '#lib/infra/db/schema/identity.ts';
import type { Actor } from '../access/context.ts';
import { findLogin } from '../sessions/find-login.ts';

/**
 * The caller's sign-in, with password or at the provider of their address's domain, that no app stands between, and that was not limited to some records: it alone speaks for the person beyond
 * what one app was given.
 */
export async function findOwnLogin({ projectId, loginId, user, caller, policy }: Actor): Promise<LoginRow | undefined> {
  if (!loginId || !user.startsWith('User/') || caller || policy.scope) return undefined;
  const row = await findLogin({ projectId, id: loginId });
  const isOwn = row?.authMethod === 'password' || row?.authMethod === 'external';
  return isOwn && !row.clientId && row.userRef === user ? row : undefined;
}
