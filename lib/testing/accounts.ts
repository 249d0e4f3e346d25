import { and, desc, eq } from 'drizzle-orm';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { type Answer, callApi } from './call-api.ts';
import { callAuth } from './call-auth.ts';
import { toLink, waitingMail } from './links.ts';
import { PASSWORD } from './people.ts';
import { db } from './set-up/own-db.ts';
import { anEmail, type World } from './world.ts';

export type Accepted = { id: string; userId: string; email: string; profile: string };

/** A member who has chosen PASSWORD. `project`: the User is the project's own. */
export async function acceptedMember(world: World, scope: 'project' | 'server' = 'project'): Promise<Accepted> {
  const email = anEmail();
  const made = await world.invite({ email, scope });
  const [mail] = await waitingMail(email);
  const answer = await spendLink(mail?.params.url, PASSWORD);
  if (answer.status !== 200) throw new Error(answer.text);
  return { id: made.id, userId: made.user.reference.slice('User/'.length), email, profile: made.profile.reference };
}

export function spendLink(url: string | undefined, password: string): Promise<Answer> {
  return callAuth('POST', '/auth/setpassword', { body: { ...toLink(url), password } });
}

/** The status of a sign-in. */
export async function login(email: string, password: string, projectId?: string): Promise<number> {
  const pkce = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };
  return (await callAuth('POST', '/auth/login', { body: { email, password, projectId, ...pkce } })).status;
}

/** `User/:id/$operation` as `bearer`. */
export function operateUser(bearer: string, userId: string, name: string, body: unknown): Promise<Answer> {
  return callApi(bearer, 'POST', `/fhir/R4/User/${userId}/$${name}`, { body });
}

/** What the project's audit trail says was done to the target, newest first. */
export async function auditOf(projectId: string, target: string): Promise<string[]> {
  const here = and(eq(auditEvent.projectId, projectId), eq(auditEvent.target, target));
  const rows = await db().select().from(auditEvent).where(here).orderBy(desc(auditEvent.at));
  return rows.map(({ action }) => action);
}
