import { sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';

export type Version = Row & { op: 'create' | 'update' | 'delete' };
type RawVersion = RawRow & { op: Version['op'] };

const COLUMNS = sql.raw("id, version, op, op = 'delete' as deleted, last_updated, author, meta, content");

/** One version; undefined when it never was. */
export async function findVersion(
  projectId: string,
  type: string,
  id: string,
  version: number,
  q: Queryable = db(),
): Promise<Version | undefined> {
  const [raw] = await q.execute<RawVersion>(sql`
    select ${COLUMNS} from resource_history
    where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id} and version = ${version}`);
  return raw && toVersion(projectId, type, raw);
}

/** Newest first. `since` is inclusive. */
export async function findHistory(
  projectId: string,
  type: string,
  id: string,
  page: { count: number; offset: number; since?: Date },
): Promise<{ versions: Version[]; total: number }> {
  const since = page.since ? sql`and last_updated >= ${page.since.toISOString()}::timestamptz` : sql``;
  const rows = await db().execute<RawVersion & { total: number }>(sql`
    select ${COLUMNS}, count(*) over ()::int as total from resource_history
    where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id} ${since}
    order by version desc limit ${page.count} offset ${page.offset}`);
  return { versions: rows.map((raw) => toVersion(projectId, type, raw)), total: rows[0]?.total ?? 0 };
}

function toVersion(projectId: string, type: string, raw: RawVersion): Version {
  return { ...fromRaw(projectId, type, raw), op: raw.op };
}
