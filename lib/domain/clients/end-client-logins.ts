import { clientTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { endLogins } from '../sessions/end-logins.ts';

/** Ends what a client signed in with, and everybody who signed in through it. Its secret opens nothing that was cached. */
export async function endClientLogins(w: Write, projectId: string, clientId: string): Promise<void> {
  await endLogins(w, { projectId, clientId });
  w.invalidate(clientTag(clientId));
}
