import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import { projectsArray, projectsOf, toProjects } from '../directory/projects-of.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** `scope` is SERVER_SCOPE or the project of a project-scoped User. Addresses match in lower case. */
export async function findUserByEmail(q: Queryable, scope: string, email: string): Promise<string | undefined> {
  return (await findUsersByEmail(q, [scope], email)).get(scope);
}

const BY_EMAIL = 'select scope, user_id from user_login where scope = any($1::uuid[]) and email_lower = $2';

/** Whose the address is in each of these scopes. */
export async function findUsersByEmail(q: Queryable, scopes: string[], email: string): Promise<Map<string, string>> {
  const rows = await runText<{ scope: string; user_id: string }>(q, BY_EMAIL, [
    toTextArray(scopes),
    email.toLowerCase(),
  ]);
  return new Map(rows.map((row) => [row.scope, row.user_id]));
}

const TO_SIGN_IN = `
  select l.user_id, ${projectsArray('l.user_id')} as projects from user_login l where l.scope = $1::uuid and l.email_lower = $2`;

/** Whose the address is in this scope, and the projects where they may be a member. */
export async function findToSignIn(
  scope: string,
  email: string,
): Promise<{ userId: string; projects: string[] } | undefined> {
  const [row] = await runText<{ user_id: string; projects: string }>(db(), TO_SIGN_IN, [scope, email.toLowerCase()]);
  return row && { userId: row.user_id, projects: toProjects(row.projects) };
}

export type FoundUser = User & { id: string; scope: string };

/** A User by id, above projects or of this one: an identity is looked for where it can be. Undefined when unknown or deleted. */
export async function findUser(
  userId: string,
  projectId: string | undefined,
  q: Queryable = db(),
): Promise<FoundUser | undefined> {
  const own = projectId === undefined ? undefined : await findIn(q, projectId, userId);
  return own ?? (await findIn(q, SERVER_SCOPE, userId));
}

/** A User of any scope, for who may know of all, or who was meant when they stood elsewhere: first where `findUser` looks. */
export async function findUserAnywhere(userId: string, projectId?: string): Promise<FoundUser | undefined> {
  const near = await findUser(userId, projectId);
  if (near) return near;
  for (const scope of await projectsOf(userId)) {
    const found = await findIn(db(), scope, userId);
    if (found) return found;
  }
  return undefined;
}

async function findIn(q: Queryable, scope: string, userId: string): Promise<FoundUser | undefined> {
  const row = await findRow(scope, 'User', userId, q);
  return row && !row.deleted ? { ...toResource<User>(row), id: userId, scope } : undefined;
}
