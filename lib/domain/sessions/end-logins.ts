import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import { login, loginCutoff } from '#lib/infra/db/schema/login.ts';
import { clientTag, loginTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { endKeys } from '../api-keys/key-rows.ts';
import { endViews } from '../views/view-rows.ts';
import { endSignInLinks, takeBackDevices } from './end-begun.ts';
import { isLive } from './live-login.ts';
import { projectsOfUser } from './projects-of-user.ts';

/** Which logins: one; those of a person ("User/id") in every project, but for one of them, or of one browser; of a membership; by or through a client; of a person through one. */
export type LoginsOf = OfPerson | OfProject;
type OfPerson = { user: string; keepLoginId?: string; deviceId?: string };
type OfProject =
  | { projectId: string; loginId: string }
  | { projectId: string; membershipId: string }
  | { projectId: string; clientId: string }
  | { projectId: string; clientId: string; userRef: string };

/**
 * Ends logins that live, with every token made from them: these answer 401 from the commit on, in every process. The refresh secret goes
 * with them. The keys of a membership go with all of its logins, and so does what would become a login yet: devices that were let in, mails to sign in by.
 * Returns how many of all these it ended (of a program's logins, a thousand at most are counted); what is audited of it is the caller's.
 */
export async function endLogins(w: Write, which: LoginsOf): Promise<number> {
  if ('user' in which) return endInEveryProject(w, which);
  const ended = (await endThose(w, which.projectId, isOf(which))) + (await endBegun(w, which));
  if ('membershipId' in which) {
    await endKeys(w, which.projectId, { membershipId: which.membershipId });
    await endViews(w, which.projectId, { membershipId: which.membershipId });
  }
  const program = await findProgram(w, which);
  return program ? ended + (await cutOff(w, which.projectId, program)) : ended;
}

async function endInEveryProject(w: Write, { user, keepLoginId, deviceId }: OfPerson): Promise<number> {
  const kept = keepLoginId === undefined ? undefined : ne(login.id, keepLoginId);
  const ofDevice = deviceId === undefined ? undefined : eq(login.deviceId, deviceId);
  const theirs = and(eq(login.userRef, user), kept, ofDevice);
  // Which devices a browser has let in is not noted, nor does a key belong to one.
  const isAll = deviceId === undefined;
  const userId = user.slice('User/'.length);
  let ended = isAll ? (await takeBackDevices(w, { userId })) + (await endSignInLinks(w, userId)) : 0;
  for (const projectId of await projectsOfUser(w.tx, user)) {
    ended += await endThose(w, projectId, theirs);
    // Whoever is put out has kept nothing; who changes their own password goes on.
    if (isAll && keepLoginId === undefined) await endKeys(w, projectId, { userRef: user });
  }
  return ended;
}

/** By which login a device was let in is not noted: of one login none is known. */
async function endBegun(w: Write, which: OfProject): Promise<number> {
  if ('loginId' in which) return 0;
  if ('membershipId' in which) return takeBackDevices(w, { membershipId: which.membershipId });
  const { clientId } = which;
  const userId = 'userRef' in which ? which.userRef.slice('User/'.length) : undefined;
  return takeBackDevices(w, { clientId, userId });
}

async function endThose(w: Write, projectId: string, those: SQL | undefined): Promise<number> {
  const ended = await w.tx
    .update(login)
    .set({ revoked: true, refreshSealed: null })
    .where(and(eq(login.projectId, projectId), those, eq(login.revoked, false)))
    .returning({ id: login.id });
  for (const { id } of ended) w.invalidate(loginTag(id));
  if (ended.length > 0) await endViews(w, projectId, { logins: ended.map(({ id }) => id) });
  return ended.length;
}

const PROGRAM = 'ClientApplication/';

function isOf(which: OfProject): SQL | undefined {
  if ('loginId' in which) return eq(login.id, which.loginId);
  const ofPerson = ne(login.authMethod, 'client');
  if ('membershipId' in which) return and(ofPerson, eq(login.membershipId, which.membershipId));
  const through = and(ofPerson, eq(login.clientId, which.clientId));
  return 'userRef' in which ? and(through, eq(login.userRef, which.userRef)) : through;
}

/** The program whose own logins are meant. */
async function findProgram(w: Write, which: OfProject): Promise<string | undefined> {
  if ('userRef' in which) return undefined;
  if ('clientId' in which) return `${PROGRAM}${which.clientId}`;
  if ('loginId' in which) return undefined;
  const [row] = await w.tx.execute<{ user_ref: string }>(sql`
    select user_ref from membership_key
    where project_id = ${which.projectId} and membership_id = ${which.membershipId} and user_ref like ${`${PROGRAM}%`}`);
  return row?.user_ref;
}

const MOST_COUNTED = 1000;

/** All that a program has begun up to now, by one row: it has a login for every token. */
async function cutOff(w: Write, projectId: string, userRef: string): Promise<number> {
  const [living] = await w.tx.execute<{ count: number }>(sql`
    select count(*)::int as count from (select from login l
      where l.project_id = ${projectId} and l.user_ref = ${userRef} and ${isLive(projectId)} limit ${MOST_COUNTED}) s`);
  const at = new Date();
  await w.tx
    .insert(loginCutoff)
    .values({ projectId, userRef, at })
    .onConflictDoUpdate({ target: [loginCutoff.projectId, loginCutoff.userRef], set: { at } });
  w.invalidate(clientTag(userRef.slice(PROGRAM.length)));
  return living?.count ?? 0;
}
