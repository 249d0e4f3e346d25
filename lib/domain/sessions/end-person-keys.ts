import type { Write } from '../access/context.ts';
import { endKeys } from '../api-keys/key-rows.ts';
import { projectsOfUser } from './projects-of-user.ts';

/** The API keys of a person ("User/id"), in every project. Returns how many there were; what is audited of it is the caller's. */
export async function endPersonKeys(w: Write, userRef: string): Promise<number> {
  let ended = 0;
  for (const projectId of await projectsOfUser(w.tx, userRef))
    ended += (await endKeys(w, projectId, { userRef })).length;
  return ended;
}
