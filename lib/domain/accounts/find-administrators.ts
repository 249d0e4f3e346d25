import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { IN_TIME } from '../standing/in-time.ts';
import { findUser } from './find-user.ts';

const MOST = 20;
/** Not everybody has an address. */
const LOOKED_AT = 200;

/** The addresses of people who administer the project just now, as far as they have one. At most 20. */
export async function findAdministrators(tx: Queryable, projectId: string): Promise<string[]> {
  const rows = await tx.execute<{ user_ref: string }>(sql`
    select user_ref from membership_key
    where project_id = ${projectId} and admin and active and ${IN_TIME} and user_ref like 'User/%' order by membership_id limit ${LOOKED_AT}`);
  const addresses = new Set<string>();
  for (const { user_ref: reference } of rows) {
    const user = await findUser(reference.slice('User/'.length), projectId, tx);
    if (user?.email) addresses.add(user.email);
    if (addresses.size === MOST) break;
  }
  return [...addresses];
}

const BY_ADDRESS = `
  select user_id, email_lower from user_login where scope = any($1::uuid[]) and email_lower = any($2::text[])`;

/** Which of these addresses, in lower case, are of people who administer the project just now. */
export async function findAdministratorsAt(tx: Queryable, projectId: string, addresses: string[]): Promise<string[]> {
  const scopes = toTextArray([projectId, SERVER_SCOPE]);
  const logins = await runText<{ user_id: string; email_lower: string }>(tx, BY_ADDRESS, [
    scopes,
    toTextArray(addresses),
  ]);
  if (logins.length === 0) return [];
  const references = toTextArray(logins.map(({ user_id: id }) => `User/${id}`));
  const rows = await tx.execute<{ user_ref: string }>(sql`
    select user_ref from membership_key
    where project_id = ${projectId} and admin and active and ${IN_TIME} and user_ref = any(${references}::text[])`);
  const known = new Set(rows.map(({ user_ref: reference }) => reference));
  const found = logins.filter(({ user_id: id }) => known.has(`User/${id}`));
  return [...new Set(found.map(({ email_lower: address }) => address))];
}
