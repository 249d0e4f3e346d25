import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { foldString, toEntries } from '#lib/protocol/fhir/index/normalize.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';

/** A person's membership, and the record that it stands on, where that is still there. */
export type Person = {
  id: string;
  content: ProjectMembership;
  version: number;
  last_updated: string;
  profile_ref: string;
  record: Omit<Resource, 'resourceType'> | null;
  record_version: number | null;
  record_updated: string | null;
  /** Those of its directories, by name. */
  groups: { id: string; name: string; connection: string }[];
};

/** As SQL what `userNameOf` says (to-user.ts). */
export const MEMBER_NAME = sql`coalesce(u.content->>'userName',
  case when position('@' in u.content#>>'{user,display}') > 0 then u.content#>>'{user,display}' end, u.external_id, u.id)`;

const RECORDS = ['Patient', 'Practitioner', 'RelatedPerson'];

export type Asked = {
  projectId: string;
  /** On a row `u`. */
  where?: SQL;
  /** Only these can fulfil it. */
  among?: SQL;
};

export type Paged = { order?: SQL; count: number; offset: number };

/** In one statement; by id, which is the order in which they came, unless `order` says otherwise. */
export function findPeople(asked: Asked, { order, count, offset }: Paged, q: Queryable = db()): Promise<Person[]> {
  const by = order ? sql`${order}, u.id` : sql`u.id`;
  return runSql<Person>(
    q,
    sql`select u.id, u.content, u.version, u.last_updated, u.profile_ref, u.record, u.record_version, u.record_updated, ${groupsOf(asked.projectId)} as groups
      ${people(asked)} order by ${by} limit ${count} offset ${offset}`,
  );
}

export async function countPeople(asked: Asked, q: Queryable = db()): Promise<number> {
  const [row] = await runSql<{ total: number }>(q, sql`select count(*)::int as total ${people(asked)}`);
  return row?.total ?? 0;
}

/** One of them; undefined for none, for one that was removed and for a program. */
export async function findPerson(projectId: string, id: string, q?: Queryable): Promise<Person | undefined> {
  const [person] = await findPeople(
    { projectId, among: isAnyUuidOf(sql`k.membership_id`, [id]) },
    { count: 1, offset: 0 },
    q,
  );
  return person;
}

/** Whose name it may be, as the index of names and addresses tells: a few, of which the exact condition leaves one or none. */
export function namedLike(projectId: string, name: string): SQL {
  const params = ['user-name', 'name', 'external-id'].map((code) => searchParam('ProjectMembership', code)!.id);
  return sql`k.membership_id = any(array(select s.id::uuid from ix_string s where s.project_id = ${projectId}
    and s.param = any(${`{${params}}`}::int[]) and s.value = ${toEntries(foldString(name)).head}))`;
}

/** Of whom is shown, and not of all who are looked through. */
function groupsOf(projectId: string): SQL {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.display_name, 'connection', g.connection_id) order by lower(g.display_name), g.id)
    from scim_group_member gm join scim_group g on g.project_id = ${projectId} and g.id = gm.group_id
    join scim_connection c on c.project_id = ${projectId} and c.id = g.connection_id
    where gm.project_id = ${projectId} and gm.membership_id = u.id::uuid), '[]'::jsonb)`;
}

/** The record is looked for by its key: its type stands in the text, so that PostgreSQL plans one partition. */
function recordOf(projectId: string): SQL {
  const cases = RECORDS.map(
    (type) => sql`when ${sql.raw(`'${type}'`)} then (
      select jsonb_build_object('content', p.content, 'version', p.version, 'at', p.last_updated) from resource p
      where p.project_id = ${projectId} and p.type_id = ${sql.raw(String(typeId(type)))}
        and p.id = split_part(k.profile_ref, '/', 2) and not p.deleted)`,
  );
  return sql`case split_part(k.profile_ref, '/', 1) ${sql.join(cases, sql.raw(' '))} end`;
}

function people({ projectId, where = sql`true`, among = sql`true` }: Asked): SQL {
  return sql`from (
    select x.*, x.found->'content' as record, (x.found->>'version')::int as record_version, (x.found->>'at')::timestamptz as record_updated
    from (
      select k.membership_id::text as id, k.external_id, k.active, k.profile_ref, m.content, m.version, m.last_updated, ${recordOf(projectId)} as found
      from membership_key k
      join resource m on m.project_id = ${projectId} and m.type_id = ${sql.raw(String(typeId('ProjectMembership')))}
        and m.id = k.membership_id::text and not m.deleted
      where k.project_id = ${projectId} and k.user_ref like 'User/%' and ${among}) as x) as u
    where ${where}`;
}
