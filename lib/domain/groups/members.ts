import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** Throws 400 naming the first that is no person of the project. One statement, however many. */
export async function requirePeople(tx: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await runText<{ id: string }>(tx, PEOPLE, [projectId, toTextArray(ids.filter(isUuid))]);
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing === undefined) return;
  throw new AppError('invalid', `There is no User ${missing.slice(0, 80)}`, { expression: 'members.value' });
}

export async function addMembers(
  tx: Queryable,
  projectId: string,
  groupId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await runText(tx, ADD, [projectId, groupId, toTextArray(ids)]);
}

export async function dropMembers(
  tx: Queryable,
  projectId: string,
  groupId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0) await runText(tx, DROP, [projectId, groupId, toTextArray(ids)]);
}

/** For the audit trail: how many, and who the first are. What changed of rights stands with each membership. */
export function told(ids: readonly string[]): { count: number; first: string[] } {
  return { count: ids.length, first: ids.slice(0, 50) };
}

const PEOPLE = `select membership_id::text as id from membership_key
  where project_id = $1 and membership_id = any($2::text::uuid[]) and user_ref like 'User/%' for key share`;

const ADD = `insert into scim_group_member (project_id, group_id, membership_id)
  select $1::uuid, $2::uuid, a.id from unnest($3::text::uuid[]) as a(id) on conflict do nothing`;

const DROP = `delete from scim_group_member
  where project_id = $1 and group_id = $2::uuid and membership_id = any($3::text::uuid[])`;
