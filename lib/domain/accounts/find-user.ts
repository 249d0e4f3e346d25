import { sql } from 'drizzle-orm';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { User } from '#lib/protocol/fhir/types.ts';

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

// A constant, not a parameter: the index over Users is partial.
const USER = sql.raw(String(typeId('User')));

export type FoundUser = User & { id: string; scope: string };

/** A User of any scope by id: an identity stands above projects. Undefined when unknown or deleted. */
export async function findUser(userId: string, q: Queryable = db()): Promise<FoundUser | undefined> {
  const [row] = await q.execute<{ project_id: string; content: User }>(sql`
    select project_id, content from resource where type_id = ${USER} and id = ${userId} and not deleted`);
  return row && { ...row.content, resourceType: 'User', id: userId, scope: row.project_id };
}
