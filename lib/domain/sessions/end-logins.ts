import { and, eq, ne, or, type SQL } from 'drizzle-orm';
import { login } from '#lib/infra/db/schema/identity.ts';
import { loginTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';

/** Which logins: one; those of a person or program ("User/id"), but for one of them; of a membership; by or through a client. */
export type LoginsOf =
  | { loginId: string }
  | { user: string; keepLoginId?: string }
  | { projectId: string; membershipId: string }
  | { projectId: string; clientId: string };

/**
 * Ends logins that live, with every token made from them: these answer 401 from the commit on, in every process. The refresh secret goes
 * with them. Returns how many it ended; what is audited of it is the caller's.
 */
export async function endLogins(w: Write, which: LoginsOf): Promise<number> {
  const ended = await w.tx
    .update(login)
    .set({ revoked: true, refreshSealed: null })
    .where(and(isOf(which), eq(login.revoked, false)))
    .returning({ id: login.id });
  for (const { id } of ended) w.invalidate(loginTag(id));
  return ended.length;
}

function isOf(which: LoginsOf): SQL | undefined {
  if ('loginId' in which) return eq(login.id, which.loginId);
  if ('user' in which) {
    const { user, keepLoginId } = which;
    return and(eq(login.userRef, user), keepLoginId === undefined ? undefined : ne(login.id, keepLoginId));
  }
  const here = eq(login.projectId, which.projectId);
  if ('membershipId' in which) return and(here, eq(login.membershipId, which.membershipId));
  const { clientId } = which;
  return and(here, or(eq(login.clientId, clientId), eq(login.userRef, `ClientApplication/${clientId}`)));
}
