import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { noted } from '../directory/note-project.ts';

/** The one address that a User signs in with, in small letters. A unique violation (`uniqueViolation`) where another User of that scope has it. */
export async function saveAddress(tx: Queryable, userId: string, scope: string, emailLower: string): Promise<void> {
  await runText(tx, SAVE, [userId, scope, emailLower]);
}

const SAVE = `
  insert into user_login (user_id, scope, email_lower) values ($1::uuid, $2::uuid, $3)
  on conflict (user_id) do update set email_lower = excluded.email_lower`;

export type NewAddress = {
  userId: string;
  scope: string;
  email: string;
  /** Where they will be a member. */
  projectId: string | undefined;
};

/** The address of somebody new, and where they are, in one statement. A unique violation as `saveAddress`. */
export async function insertAddress(tx: Queryable, { userId, scope, email, projectId }: NewAddress): Promise<void> {
  await runText(tx, INSERT, [userId, scope, email, toTextArray(projectId ? [userId] : []), projectId ?? scope]);
}

const INSERT = `
  with p as (${noted('$4', '$5')})
  insert into user_login (user_id, scope, email_lower) values ($1::uuid, $2::uuid, $3)`;
