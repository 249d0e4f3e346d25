import { type SQL, sql } from 'drizzle-orm';
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

export type VersionPage = {
  count: number;
  offset?: number;
  /** Inclusive. */
  since?: Date;
  /** Only versions before this one. */
  before?: number;
};

/** Newest first. */
export async function findHistory(projectId: string, type: string, id: string, page: VersionPage): Promise<Version[]> {
  const before = page.before === undefined ? sql`` : sql`and version < ${page.before}`;
  const rows = await db().execute<RawVersion>(sql`
    select ${COLUMNS} from resource_history
    where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id} ${isSince(page)} ${before}
    order by version desc limit ${page.count} offset ${page.offset ?? 0}`);
  return rows.map((raw) => toVersion(projectId, type, raw));
}

/** How many versions there are, whatever page is looked at. */
export async function countHistory(
  projectId: string,
  type: string,
  id: string,
  page: Pick<VersionPage, 'since'>,
): Promise<number> {
  const [row] = await db().execute<{ total: number }>(sql`
    select count(*)::int as total from resource_history
    where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id} ${isSince(page)}`);
  return row?.total ?? 0;
}

function isSince({ since }: Pick<VersionPage, 'since'>): SQL {
  return since ? sql`and last_updated >= ${since.toISOString()}::timestamptz` : sql``;
}

function toVersion(projectId: string, type: string, raw: RawVersion): Version {
  return { ...fromRaw(projectId, type, raw), op: raw.op };
}
