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
  /** They have registered it themselves. */
  selfMade: boolean;
};

/** The address of somebody new, and where they are, in one statement. A unique violation as `saveAddress`. */
export async function insertAddress(tx: Queryable, given: NewAddress): Promise<void> {
  const { userId, scope, email, projectId, selfMade } = given;
  const projects = [toTextArray(projectId ? [userId] : []), projectId ?? scope];
  await runText(tx, INSERT, [userId, scope, email, ...projects, selfMade]);
}

const INSERT = `
  with p as (${noted('$4', '$5')})
  insert into user_login (user_id, scope, email_lower, self_made) values ($1::uuid, $2::uuid, $3, $6::boolean)`;

/** Whether somebody has registered their account themselves, in a project. */
export async function isSelfMade(tx: Queryable, userId: string): Promise<boolean> {
  const [row] = await runText<{ self_made: boolean }>(tx, SELF_MADE, [userId]);
  return row?.self_made === true;
}

const SELF_MADE = 'select self_made from user_login where user_id = $1::uuid';
