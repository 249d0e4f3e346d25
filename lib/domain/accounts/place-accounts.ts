import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { noteProject } from '../directory/note-project.ts';

const KNOWN = `
  select user_id::text as id from user_login where user_id = any($1::uuid[])
  union select user_id::text from user_project where user_id = any($1::uuid[])
  union select user_id::text from credential where user_id = any($1::uuid[])
  union select user_id::text from factor where user_id = any($1::uuid[])
  union select user_id::text from passkey where user_id = any($1::uuid[])`;
const ABOVE = `select u.id from resource u where u.project_id = $1 and u.type_id = ${typeId('User')} and u.id = any($2::text[])`;

/** Which of these ids are accounts of this server, or were: passwords and sessions are kept by that id alone. */
export async function findTakenUsers(tx: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const list = toTextArray(ids);
  const known = await runText<{ id: string }>(tx, KNOWN, [list]);
  const above = await runText<{ id: string }>(tx, ABOVE, [SERVER_SCOPE, list]);
  return new Set([...known, ...above].map(({ id }) => id));
}

const ADDRESSES = `
  insert into user_login (scope, user_id, email_lower) select $1::uuid, u, e from unnest($2::uuid[], $3::text[]) as n(u, e)`;

export type PlacedAccount = { id: string; email: string | undefined };

/** Accounts of the project alone, whose Users stand there already: where they sign in, with which address. Throws 409 where two have the same. */
export async function placeAccounts(tx: Queryable, projectId: string, all: readonly PlacedAccount[]): Promise<void> {
  if (all.length === 0) return;
  const ids = all.map(({ id }) => id);
  await noteProject(tx, projectId, ids);
  const named = all.filter(({ email }) => email !== undefined);
  const params = [toTextArray(named.map(({ id }) => id)), toTextArray(named.map(({ email = '' }) => email))];
  try {
    await runText(tx, ADDRESSES, [projectId, ...params]);
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    throw new AppError('conflict', 'Two accounts have the same address', { cause });
  }
}
