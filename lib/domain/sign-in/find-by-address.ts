import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { findToSignIn } from '../accounts/find-user.ts';

/** Who signs in with an address: the project's own User first, then the server-wide one. */
export async function findByAddress(projectId: string | undefined, email: string) {
  const scoped = isUuid(projectId) ? await findToSignIn(projectId, email) : undefined;
  return scoped ?? findToSignIn(SERVER_SCOPE, email);
}
