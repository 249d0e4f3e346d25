import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { Actor } from '../access/context.ts';
import { findLogin } from '../sessions/find-login.ts';

/** How a person shows who they are to us, and not to an app. */
const OWN: ReadonlySet<string> = new Set(['password', 'passkey', 'link', 'external']);

/**
 * The caller's own sign-in, with password, with a passkey, by link or at the provider of their address's domain, that no app stands between, and that was
 * not limited to some records: it alone speaks for the person beyond what one app was given. One that a project's own provider began does so only
 * within that project (`within`: the caller sees to that).
 */
export async function findOwnLogin(
  { projectId, loginId, user, caller, policy }: Actor,
  { within = false }: { within?: boolean } = {},
): Promise<LoginRow | undefined> {
  if (!loginId || !user.startsWith('User/') || caller || policy.scope) return undefined;
  const row = await findLogin({ projectId, id: loginId });
  const isOwn = row !== undefined && OWN.has(row.authMethod);
  if (row?.withinProject && !within) return undefined;
  return isOwn && !row.clientId && row.userRef === user ? row : undefined;
}
