import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Interval } from '#lib/protocol/fhir/index/date-range.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { LIGHT_ONLY, PAGE_BYTES, type WeighedRow, WHOLE, withHeavy } from './page-weight.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';

export type Version = Row & { op: 'create' | 'update' | 'delete' };
type RawVersion = RawRow & { op: Version['op'] };

const KNOWN = sql.raw("r.id, r.version, r.op, r.op = 'delete' as deleted, r.last_updated, r.author");

/** One version; undefined when it never was. */
export async function findVersion(
  projectId: string,
  type: string,
  id: string,
  version: number,
  q: Queryable = db(),
): Promise<Version | undefined> {
  const [raw] = await q.execute<RawVersion>(sql`
    select ${KNOWN}, ${WHOLE} from resource_history r where ${isOf(projectId, type, id)} and r.version = ${version}`);
  return raw && toVersion(projectId, type, raw);
}

export type VersionPage = {
  count: number;
  offset?: number;
  /** Inclusive. */
  since?: Date;
  /** Versions that were current at some time of it. */
  at?: Interval;
  /** Only versions before this one. */
  before?: number;
  /** The open transaction where there is one. */
  tx?: Queryable;
};

/** Newest first; fewer than asked for where they weigh too much together, never none. `more`: there are others after them. */
export async function findHistory(
  projectId: string,
  type: string,
  id: string,
  page: VersionPage,
): Promise<{ versions: Version[]; more: boolean }> {
  const q = page.tx ?? db();
  const before = page.before === undefined ? sql`` : sql`and r.version < ${page.before}`;
  const found = await runSql<RawVersion & WeighedRow>(
    q,
    sql`
    select ${KNOWN}, ${LIGHT_ONLY} from resource_history r where ${isOf(projectId, type, id)} ${isSince(projectId, page)} ${before}
    order by r.version desc limit ${page.count + 1} offset ${page.offset ?? 0}`,
  );
  const { rows, taken } = await withHeavy(found.slice(0, page.count), PAGE_BYTES, (heavy) =>
    fetchWhole(q, { projectId, type, id }, heavy),
  );
  return { versions: rows.map((raw) => toVersion(projectId, type, raw)), more: found.length > taken };
}

type Whose = { projectId: string; type: string; id: string };

function fetchWhole(q: Queryable, { projectId, type, id }: Whose, heavy: WeighedRow[]): Promise<RawVersion[]> {
  const versions = toTextArray(heavy.map(({ version }) => String(version)));
  return runSql(
    q,
    sql`
    select ${KNOWN}, ${WHOLE} from resource_history r where ${isOf(projectId, type, id)}
    and r.version = any(${versions}::int[])`,
  );
}

/** How many versions there are, whatever page is looked at. */
export async function countHistory(
  projectId: string,
  type: string,
  id: string,
  page: Pick<VersionPage, 'since' | 'at' | 'tx'>,
): Promise<number> {
  const [row] = await (page.tx ?? db()).execute<{ total: number }>(sql`
    select count(*)::int as total from resource_history r where ${isOf(projectId, type, id)} ${isSince(projectId, page)}`);
  return row?.total ?? 0;
}

function isOf(projectId: string, type: string, id: string): SQL {
  return sql`r.project_id = ${projectId} and r.type_id = ${typeId(type)} and r.id = ${id}`;
}

function isSince(projectId: string, { since, at }: Pick<VersionPage, 'since' | 'at'>): SQL {
  const from = since ? sql`and r.last_updated >= ${since.toISOString()}::timestamptz` : sql``;
  return at ? sql`${from} and ${wasCurrent(projectId, at)}` : from;
}

/** What came in that time, and what nothing had replaced when it began; a deletion before it leaves nothing. */
function wasCurrent(projectId: string, { lo, hi }: Interval): SQL {
  const start = sql`${lo.toISOString()}::timestamptz`;
  return sql`r.last_updated <= ${hi.toISOString()}::timestamptz and (r.last_updated >= ${start} or r.op <> 'delete' and coalesce(${start} < (
    select n.last_updated from resource_history n where n.project_id = ${projectId} and n.type_id = r.type_id and n.id = r.id
      and n.version = r.version + 1), true))`;
}

function toVersion(projectId: string, type: string, raw: RawVersion): Version {
  return { ...fromRaw(projectId, type, raw), op: raw.op };
}
