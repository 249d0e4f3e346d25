import { and, eq, or } from 'drizzle-orm';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { clientKey, loginKey } from '../access/session-keys.ts';

/** Ends what a client signed in with, and everybody who signed in through it: their tokens answer 401 from the commit on. */
export async function endClientLogins(w: Write, projectId: string, clientId: string): Promise<void> {
  const ended = await w.tx
    .update(login)
    .set({ revoked: true, refreshSealed: null })
    .where(
      and(
        eq(login.projectId, projectId),
        or(eq(login.clientId, clientId), eq(login.userRef, `ClientApplication/${clientId}`)),
        eq(login.revoked, false),
      ),
    )
    .returning({ id: login.id });
  for (const { id } of ended) w.invalidate(loginKey(id));
  w.invalidate(clientKey(clientId));
}
