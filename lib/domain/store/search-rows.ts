import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { principalDate } from '#lib/protocol/fhir/index/search-params.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery, Sort } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { compileFilter, isSelective } from './compile-filter.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';

/** What of a SearchQuery decides which rows come back. */
export type RowQuery = Pick<SearchQuery, 'type' | 'filter' | 'count' | 'offset' | 'sort'> &
  Partial<Pick<SearchQuery, 'total' | 'summary'>>;

export type SearchResult = { rows: Row[]; hasMore: boolean; total: number | undefined };

/**
 * The rows of one type in one project that match the query and lie within `reach` (the caller's policy). One round trip; a second
 * one, at the same time, only for a total. `q` is the open transaction where there is one.
 */
export async function searchRows(
  projectId: string,
  query: RowQuery,
  reach: Expr,
  q: Queryable = db(),
): Promise<SearchResult> {
  const where = matching(projectId, query.type, and([reach, query.filter]));
  const counting = query.total !== undefined && query.total !== 'none';
  const wantsRows = query.count > 0 && query.summary !== 'count';
  const [raws, total] = await Promise.all([
    wantsRows ? page(q, where, query) : [],
    counting || !wantsRows ? count(q, where) : undefined,
  ]);
  const rows = raws.slice(0, query.count).map((raw) => fromRaw(projectId, query.type, raw));
  return { rows, hasMore: raws.length > query.count, total };
}

/** The only place that makes a WHERE for a search: project, type and liveness are always in it. */
function matching(projectId: string, type: string, filter: Expr): SQL {
  const inProject = isSelective(filter)
    ? sql`r.project_id is not distinct from ${projectId}::uuid`
    : sql`r.project_id = ${projectId}::uuid`;
  // As text: then the planner sees one partition, and its statistics.
  const ofType = sql.raw(`r.type_id = ${typeId(type)}`);
  return sql`${inProject} and ${ofType} and not r.deleted and ${compileFilter(projectId, filter)}`;
}

async function page(q: Queryable, where: SQL, query: RowQuery): Promise<RawRow[]> {
  const offset = query.offset > 0 ? sql`offset ${query.offset}` : sql``;
  return runSql<RawRow>(
    q,
    sql`
    select r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content
    from resource r where ${where} order by ${orderBy(query)} limit ${query.count + 1} ${offset}`,
  );
}

async function count(q: Queryable, where: SQL): Promise<number> {
  const [row] = await runSql<{ total: number }>(q, sql`select count(*)::int as total from resource r where ${where}`);
  return row?.total ?? 0;
}

/** Missing values last in both directions; the id makes the order total. */
function orderBy({ type, sort }: RowQuery): SQL {
  const keys = sort.map((key) => sql`${sortValue(type, key)} ${sql.raw(key.descending ? 'desc' : 'asc')} nulls last`);
  const base = keys.length > 0 ? keys : [sql`r.last_updated desc`];
  return sql.join([...base, sql`r.id`], sql.raw(', '));
}

/**
 * Of several values the smallest counts when ascending, the largest when descending; of the type's principal date always the first; of `sortedBy`
 * the text itself, as people order names (Unicode's own order, whatever their language).
 * The parameter must not be an index condition: before the planner has statistics (after a first import, until autovacuum) it would
 * walk all values of the parameter for every row, which took eight seconds for 10,000 members.
 */
function sortValue(type: string, { param, descending }: Sort): SQL {
  if (param.code === '_id') return sql`r.id`;
  if (param.code === '_lastUpdated') return sql`r.last_updated`;
  if (param.id === principalDate(type)?.id) return sql`r.sort_date`;
  if (param.sortedBy) return sql.raw(`coalesce(${param.sortedBy.map(textAt).join(', ')}) collate "und-x-icu"`);
  const best = sql.raw(descending ? 'max' : 'min');
  if (param.type === 'string') {
    return sql`(select ${best}(s.value) from ix_string s where s.project_id = r.project_id and s.id = r.id and s.param is not distinct from ${param.id})`;
  }
  const end = sql.raw(descending ? 'd.hi' : 'd.lo');
  return sql`(select ${best}(${end}) from ix_date d where d.project_id = r.project_id and d.id = r.id and d.param is not distinct from ${param.id})`;
}

/** A text of the resource itself. The path is ours, never a caller's. */
function textAt(path: string): string {
  return `r.content #>> '{${path.replaceAll('.', ',')}}'`;
}
