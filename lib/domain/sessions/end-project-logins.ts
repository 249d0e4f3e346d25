import { sql } from 'drizzle-orm';
import { runText } from '#lib/infra/db/client.ts';
import type { Write } from '../access/context.ts';

/** A program has a login for every token: one row ends all that it has begun. $1 project, $2 when. */
const END_PROGRAMS = `
  insert into login_cutoff (project_id, user_ref, at)
  select distinct $1::uuid, k.user_ref, $2::timestamptz from membership_key k
  where k.project_id = $1::uuid and k.user_ref like 'ClientApplication/%'
  on conflict (project_id, user_ref) do update set at = excluded.at`;

/**
 * Ends every login of a project, of people and of programs, with every token made from them: none comes back when the project does. What is
 * cached of them stands on the project's tag, which the caller names. Returns how many sessions of people it ended.
 */
export async function endProjectLogins(w: Write, projectId: string): Promise<number> {
  const ended = await w.tx.execute(sql`
    update login set revoked = true, refresh_sealed = null
    where project_id = ${projectId} and not revoked and auth_method <> 'client' returning granted`);
  await runText(w.tx, END_PROGRAMS, [projectId, new Date().toISOString()]);
  return ended.filter(({ granted }) => granted === true).length;
}
