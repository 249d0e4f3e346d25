import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { SearchQuery } from '#lib/protocol/fhir/parse-search.ts';
import { and, type Expr } from '#lib/protocol/fhir/search-ir.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { compileFilter, isSelective } from './compile-filter.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';

export type SearchResult = { rows: Row[]; hasMore: boolean; total: number | undefined };

/**
 * The rows of one type in one project that match the query and lie within `reach` (the caller's policy). One round trip; a second
 * only for a total.
 */
export async function searchRows(projectId: string, query: SearchQuery, reach: Expr): Promise<SearchResult> {
  const where = matching(projectId, query.type, and([reach, query.filter]));
  const counting = query.total !== undefined && query.total !== 'none';
  const wantsRows = query.count > 0 && query.summary !== 'count';
  const [raws, total] = await Promise.all([
    wantsRows ? page(where, query) : [],
    counting || !wantsRows ? count(where) : undefined,
  ]);
  const rows = raws.slice(0, query.count).map((raw) => fromRaw(projectId, query.type, raw));
  return { rows, hasMore: raws.length > query.count, total };
}

/** The only place that makes a WHERE for a search: project, type and liveness are always in it. */
function matching(projectId: string, type: string, filter: Expr): SQL {
  const inProject = isSelective(filter) ? sql`r.project_id is not distinct from ${projectId}::uuid` : sql`r.project_id = ${projectId}::uuid`;
  return sql`${inProject} and r.type_id = ${typeId(type)} and not r.deleted and ${compileFilter(projectId, filter)}`;
}

async function page(where: SQL, query: SearchQuery): Promise<RawRow[]> {
  return db().execute<RawRow>(sql`
    select r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content
    from resource r where ${where} order by ${orderBy(query)} limit ${query.count + 1} offset ${query.offset}`);
}

async function count(where: SQL): Promise<number> {
  const [row] = await db().execute<{ total: number }>(sql`select count(*)::int as total from resource r where ${where}`);
  return row?.total ?? 0;
}

/** Missing values last in both directions; the id makes the order total. */
function orderBy(query: SearchQuery): SQL {
  const keys = query.sort.map(({ key, descending }) => {
    const direction = sql.raw(descending ? 'desc' : 'asc');
    return sql`${sortValue(key, descending)} ${direction} nulls last`;
  });
  const base = keys.length > 0 ? keys : [sql`r.last_updated desc`];
  return sql.join([...base, sql`r.id`], sql.raw(', '));
}

type SortKey = SearchQuery['sort'][number]['key'];

/** Of several values the smallest counts when ascending, the largest when descending. */
function sortValue(key: SortKey, descending: boolean): SQL {
  if (key.by === 'id') return sql`r.id`;
  if (key.by === 'lastUpdated') return sql`r.last_updated`;
  const best = sql.raw(descending ? 'max' : 'min');
  if (key.by === 'string') {
    return sql`(select ${best}(s.value) from ix_string s where s.project_id = r.project_id and s.id = r.id and s.param = ${key.param})`;
  }
  const end = sql.raw(descending ? 'd.hi' : 'd.lo');
  return sql`(select ${best}(${end}) from ix_date d where d.project_id = r.project_id and d.id = r.id and d.param = ${key.param})`;
}
