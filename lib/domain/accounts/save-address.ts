import { type Queryable, runText } from '#lib/infra/db/client.ts';

/** The one address that a User signs in with, in small letters. A unique violation (`uniqueViolation`) where another User of that scope has it. */
export async function saveAddress(tx: Queryable, userId: string, scope: string, emailLower: string): Promise<void> {
  await runText(tx, SAVE, [userId, scope, emailLower]);
}

const SAVE = `
  insert into user_login (user_id, scope, email_lower) values ($1::uuid, $2::uuid, $3)
  on conflict (user_id) do update set email_lower = excluded.email_lower`;
