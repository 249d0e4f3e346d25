import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';

/** A group of a directory that is connected. `members` is there when it was asked for. */
export type Group = {
  id: string;
  connectionId: string;
  clientId: string;
  displayName: string;
  externalId: string | undefined;
  version: number;
  access: AccessEntry[];
  admin: boolean;
  createdAt: string;
  updatedAt: string;
  size: number;
  members?: string[];
};

type Raw = {
  id: string;
  connection_id: string;
  client_id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  access: AccessEntry[];
  admin: boolean;
  created_at: string;
  updated_at: string;
  size: number;
  members: string[] | null;
};

export type AskedGroups = {
  projectId: string;
  /** Of this directory alone. */
  connectionId?: string;
  /** On a row `u`. */
  where?: SQL;
  withMembers?: boolean;
};

/** By name, unless `order` says otherwise. In one statement. Who is no longer there is in no group. */
export async function findGroups(
  asked: AskedGroups,
  { order = sql`lower(u.display_name) collate "C"`, count, offset }: { order?: SQL; count: number; offset: number },
  q: Queryable = db(),
): Promise<Group[]> {
  const members = asked.withMembers
    ? sql`(select coalesce(jsonb_agg(m.membership_id), '[]'::jsonb) ${memberOf(asked)})`
    : sql`null::jsonb`;
  const rows = await runSql<Raw>(
    q,
    sql`select u.*, (select count(*)::int ${memberOf(asked)}) as size, ${members} as members
      ${groups(asked)} order by ${order}, u.id limit ${count} offset ${offset}`,
  );
  return rows.map(toGroup);
}

export async function countGroups(asked: AskedGroups, q: Queryable = db()): Promise<number> {
  const [row] = await runSql<{ total: number }>(q, sql`select count(*)::int as total ${groups(asked)}`);
  return row?.total ?? 0;
}

/** Throws 404 for one that the caller does not see: a directory has its own. */
export async function requireGroup(actor: Actor, id: string, withMembers: boolean, q?: Queryable): Promise<Group> {
  if (!isUuid(id)) throw notFound();
  const { projectId, scim } = actor;
  const connectionId = scim?.connectionId;
  const asked = { projectId, connectionId, where: sql`u.id = ${id}`, withMembers };
  const [group] = await findGroups(asked, { count: 1, offset: 0 }, q);
  if (!group) throw notFound();
  return group;
}

/** The id of the row is that of the outer `u`. */
function memberOf({ projectId }: AskedGroups): SQL {
  return sql`from scim_group_member m
    join membership_key k on k.project_id = ${projectId} and k.membership_id = m.membership_id
    where m.project_id = ${projectId} and m.group_id = u.id`;
}

function groups({ projectId, connectionId, where = sql`true` }: AskedGroups): SQL {
  const own = connectionId === undefined ? sql`true` : sql`g.connection_id = ${connectionId}`;
  return sql`from (
      select g.*, c.client_id from scim_group g
      join scim_connection c on c.project_id = ${projectId} and c.id = g.connection_id
      where g.project_id = ${projectId} and ${own}) as u
    where ${where}`;
}

function toGroup(raw: Raw): Group {
  return {
    id: raw.id,
    connectionId: raw.connection_id,
    clientId: raw.client_id,
    displayName: raw.display_name,
    externalId: raw.external_id ?? undefined,
    version: raw.version,
    access: raw.access,
    admin: raw.admin,
    createdAt: toInstant(raw.created_at),
    updatedAt: toInstant(raw.updated_at),
    size: raw.size,
    ...(raw.members && { members: raw.members.sort() }),
  };
}

/** The names of groups that give a policy, the first twenty. */
export async function groupsGiving(q: Queryable, projectId: string, reference: string): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    q,
    sql`select u.display_name as name
      ${groups({ projectId, where: sql`u.access @> ${JSON.stringify([{ policy: { reference } }])}::text::jsonb` })}
      order by 1 limit 20`,
  );
  return rows.map(({ name }) => name);
}
