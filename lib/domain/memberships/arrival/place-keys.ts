import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { recountMembers } from '../../standing/recount-members.ts';
import { refreshAllShares } from '../../standing/refresh-shares.ts';
import { claim, dateColumns, keyColumns } from '../membership-key.ts';

export type PlacedKey = { id: string; user: string; further: boolean };

/** $1 project; $2 membership, $3 user_ref, $4 slot. */
const PLACE = `
  insert into membership_key (project_id, membership_id, user_ref, slot, profile_ref, active)
  select $1::uuid, i, u, s, '', false from unnest($2::uuid[], $3::text[], $4::text[]) as n(i, u, s)`;

/** Keys of memberships that were never here, which nobody enters by, until `fillKeys` says on what they stand. Throws 409 for a person who has one. */
export async function placeKeys(tx: Queryable, projectId: string, keys: readonly PlacedKey[]): Promise<void> {
  const column = (of: (key: PlacedKey) => string) => toTextArray(keys.map(of));
  const params = [column(({ id }) => id), column(({ user }) => user), column((key) => (key.further ? key.id : ''))];
  await claim(() => runText(tx, PLACE, [projectId, ...params]));
}

export type FilledKey = { id: string; of: ProjectMembership };
/** How the invitations of people stand: all of them are asked anew, at this moment. */
export type AskedAnew = { at: Date; until: Date };

/** By its key: an index of profiles would have it look at all that wait, each time. */
const FILL = `
  update membership_key k set profile_ref = v.p, external_id = v.x, active = v.a, admin = v.m, limited = v.l, name = v.n,
    not_before = v.f, not_after = v.t,
    invite_status = case when v.a and k.user_ref like 'User/%' then 'pending' else 'none' end,
    invited_at = case when v.a and k.user_ref like 'User/%' then $12::timestamptz end,
    invite_ends = case when v.a and k.user_ref like 'User/%' then $13::timestamptz end
  from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::boolean[], $9::text[], $10::timestamptz[],
    $11::timestamptz[]) as v(i, u, p, x, a, m, l, n, f, t)
  where k.project_id = $1::uuid and k.membership_id = v.i and k.user_ref = v.u
    and k.membership_id = any($2::uuid[]) and k.profile_ref || '' = ''
  returning k.membership_id::text as id`;

/** Returns which of them had a key of this person, that waited for it. */
export async function fillKeys(
  tx: Queryable,
  projectId: string,
  filled: readonly FilledKey[],
  asked: AskedAnew,
): Promise<Set<string>> {
  const rows = filled.map(({ id, of }) => [id, ...keyColumns(of), ...dateColumns(of)]);
  const columns = rows[0]?.map((_, at) => toTextArray(rows.map((row) => toText(row[at])))) ?? [];
  if (columns.length === 0) return new Set();
  const params = [projectId, ...columns, asked.at.toISOString(), asked.until.toISOString()];
  const found = await claim(() => runText<{ id: string }>(tx, FILL, params));
  return new Set(found.map(({ id }) => id));
}

function toText(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

const DROP = `delete from membership_key k where k.project_id = $1::uuid and k.profile_ref = ''`;

/** Without those that were never filled: of members who came while the file was made. Says what is counted of the others. */
export async function settleKeys(tx: Queryable, projectId: string): Promise<void> {
  await runText(tx, DROP, [projectId]);
  await refreshAllShares(tx, projectId);
  await recountMembers(projectId, tx);
}

const OF_PAGE = `
  select k.membership_id::text as id, k.user_ref as user from membership_key k
  where k.project_id = $1::uuid and k.membership_id > $2::uuid order by k.membership_id limit $3::int`;
const THERE = `
  select r.id from resource r where r.project_id = $1::uuid and r.type_id = $2::smallint and r.id = any($3::text[]) and not r.deleted`;
const PAGE = 1000;

/** A membership of nobody who is there. Page by page, each person by their key: one statement over all would be planned for few. */
export async function findStranger(tx: Queryable, projectId: string): Promise<Stranger | undefined> {
  let after = SERVER_SCOPE;
  while (true) {
    const keys = await runText<Stranger>(tx, OF_PAGE, [projectId, after, PAGE]);
    for (const [type, of] of Map.groupBy(keys, ({ user }) => user.split('/')[0]!)) {
      const ids = of.map(({ user }) => user.slice(type.length + 1));
      const found = await runText<{ id: string }>(tx, THERE, [projectId, typeId(type), toTextArray(ids)]);
      const there = new Set(found.map(({ id }) => `${type}/${id}`));
      const stranger = of.find(({ user }) => !there.has(user));
      if (stranger) return stranger;
    }
    const last = keys.at(-1);
    if (!last || keys.length < PAGE) return undefined;
    after = last.id;
  }
}

type Stranger = { id: string; user: string };

const ARRIVED = `
  select k.membership_id::text as id, substr(k.user_ref, 6) as user, k.admin from membership_key k
  where k.project_id = $1::uuid and k.active and k.user_ref like 'User/%' and k.membership_id > $2::uuid order by k.membership_id limit $3::int`;

export type ArrivedMember = { id: string; user: string; admin: boolean };

/** The people among them, page by page. */
export function listArrived(tx: Queryable, projectId: string, after: string, most: number): Promise<ArrivedMember[]> {
  return runText<ArrivedMember>(tx, ARRIVED, [projectId, after, most]);
}

const ELSEWHERE = `
  select k.membership_id::text as id, k.user_ref from membership_key k
  where (k.membership_id = any($1::uuid[]) or k.user_ref = any($2::text[])) and k.project_id <> $3::uuid limit 1`;

/** Whether another project has one of these memberships, people or programs: they are found by their ids alone. */
export async function findElsewhere(
  tx: Queryable,
  projectId: string,
  keys: readonly PlacedKey[],
): Promise<string | undefined> {
  const params = [toTextArray(keys.map(({ id }) => id)), toTextArray(keys.map(({ user }) => user)), projectId];
  const [found] = await runText<{ id: string; user_ref: string }>(tx, ELSEWHERE, params);
  return found && (keys.some(({ id }) => id === found.id) ? `ProjectMembership/${found.id}` : found.user_ref);
}
