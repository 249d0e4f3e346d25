import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { login, loginCutoff } from '#lib/infra/db/schema/identity.ts';
import { clientTag, loginTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { LIVE_LOGIN } from './live-login.ts';

/** Which logins: one; those of a person or program ("User/id"), but for one of them; of a membership; by or through a client. */
export type LoginsOf =
  | { loginId: string }
  | { user: string; keepLoginId?: string }
  | { projectId: string; membershipId: string }
  | { projectId: string; clientId: string };

/**
 * Ends logins that live, with every token made from them: these answer 401 from the commit on, in every process. The refresh secret goes
 * with them. Returns how many it ended (of a program's, a thousand at most are counted); what is audited of it is the caller's.
 */
export async function endLogins(w: Write, which: LoginsOf): Promise<number> {
  const ended = await w.tx
    .update(login)
    .set({ revoked: true, refreshSealed: null })
    .where(and(isOf(which), eq(login.revoked, false)))
    .returning({ id: login.id });
  for (const { id } of ended) w.invalidate(loginTag(id));
  const program = await findProgram(w, which);
  return program ? ended.length + (await cutOff(w, program)) : ended.length;
}

const PROGRAM = 'ClientApplication/';

function isOf(which: LoginsOf): SQL | undefined {
  if ('loginId' in which) return eq(login.id, which.loginId);
  const ofPerson = ne(login.authMethod, 'client');
  if ('user' in which) {
    const { user, keepLoginId } = which;
    return and(ofPerson, eq(login.userRef, user), keepLoginId === undefined ? undefined : ne(login.id, keepLoginId));
  }
  const here = and(ofPerson, eq(login.projectId, which.projectId));
  if ('membershipId' in which) return and(here, eq(login.membershipId, which.membershipId));
  return and(here, eq(login.clientId, which.clientId));
}

/** The program whose own logins are meant. */
async function findProgram(w: Write, which: LoginsOf): Promise<string | undefined> {
  if ('clientId' in which) return `${PROGRAM}${which.clientId}`;
  if ('user' in which) return which.user.startsWith(PROGRAM) ? which.user : undefined;
  if ('loginId' in which) return undefined;
  const [row] = await w.tx.execute<{ user_ref: string }>(sql`
    select user_ref from membership_key
    where project_id = ${which.projectId} and membership_id = ${which.membershipId} and user_ref like ${`${PROGRAM}%`}`);
  return row?.user_ref;
}

const MOST_COUNTED = 1000;

/** All that a program has begun up to now, by one row: it has a login for every token. */
async function cutOff(w: Write, userRef: string): Promise<number> {
  const [living] = await w.tx.execute<{ count: number }>(sql`
    select count(*)::int as count from (select from login l where l.user_ref = ${userRef} and ${LIVE_LOGIN} limit ${MOST_COUNTED}) s`);
  const at = new Date();
  await w.tx
    .insert(loginCutoff)
    .values({ userRef, at })
    .onConflictDoUpdate({ target: loginCutoff.userRef, set: { at } });
  w.invalidate(clientTag(userRef.slice(PROGRAM.length)));
  return living?.count ?? 0;
}
