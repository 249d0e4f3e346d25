import { sql } from 'drizzle-orm';
import type { Write } from '../access/context.ts';
import { projectsOfUser } from '../sessions/projects-of-user.ts';

/** What a person ("User/id") let apps have, in every project, ends with their account. Returns of how many apps. */
export async function endConsents(w: Write, userRef: string): Promise<number> {
  let ended = 0;
  for (const projectId of await projectsOfUser(w.tx, userRef)) {
    const gone = await w.tx.execute<{ client_id: string }>(sql`
      delete from consent where project_id = ${projectId} and user_ref = ${userRef} returning client_id`);
    for (const { client_id: id } of gone)
      w.audit({ projectId, action: 'consent.withdraw', target: `ClientApplication/${id}` });
    ended += gone.length;
  }
  return ended;
}
