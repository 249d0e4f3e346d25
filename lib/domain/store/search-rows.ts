import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { principalDate } from '#lib/protocol/fhir/index/search-params.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery, Sort } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { compileFilter, isSelective } from './compile-filter.ts';
import { countFitting, LIGHT_ONLY, type WeighedRow, WHOLE, withHeavy } from './page-weight.ts';
import { fromRaw, type Row } from './row.ts';
import { formatCursor, isAfter, isInRow, type OrderKey, type Place, parseCursor } from './search-cursor.ts';

/** What of a SearchQuery decides which rows come back. */
export type RowQuery = Pick<SearchQuery, 'type' | 'filter' | 'count' | 'offset' | 'sort'> &
  Partial<Pick<SearchQuery, 'total' | 'summary' | 'cursor'>> & {
    /** What the rows `r` must fulfil besides: a room's own condition, over its own tables. */
    also?: SQL;
    /** What the rows may weigh together, in bytes, about: the page ends before it would be more, but never without a row. */
    mostBytes?: number;
  };

/** `next`: the cursor of the page after this one, if there is one. */
export type SearchResult = { rows: Row[]; next: string | undefined; total: number | undefined };

/**
 * The rows of one type in one project that match the query and lie within `reach` (the caller's policy). One round trip; a second
 * one only for the total of more than a page. `q` is the open transaction where there is one.
 */
export async function searchRows(
  projectId: string,
  query: RowQuery,
  reach: Expr,
  q: Queryable = db(),
): Promise<SearchResult> {
  const found = matching(projectId, query.type, and([reach, query.filter]));
  const where = query.also ? sql`${found} and ${query.also}` : found;
  const counting = query.total !== undefined && query.total !== 'none';
  const wantsRows = query.count > 0 && query.summary !== 'count';
  const raws = wantsRows ? await page(q, where, query) : [];
  const known = wantsRows ? totalOf(query, raws) : undefined;
  const total = counting || !wantsRows ? (known ?? (await count(q, where))) : undefined;
  const shown = raws.slice(0, Math.min(query.count, countFitting(raws, query.mostBytes)));
  const { rows, taken } =
    query.mostBytes === undefined
      ? { rows: shown, taken: shown.length }
      : await withHeavy(shown, query.mostBytes, (heavy) => fetchWhole(q, projectId, query.type, heavy));
  const last = raws.length > taken ? shown[taken - 1] : undefined;
  return {
    rows: rows.map((raw) => fromRaw(projectId, query.type, raw)),
    next: last && formatCursor(query.type, query.sort, placeOf(query, last)),
    total,
  };
}

/** A page that is not full tells by itself how many there are. */
function totalOf({ count, offset, cursor }: RowQuery, raws: KeyedRow[]): number | undefined {
  const isLast = raws.length <= count && (raws.length > 0 || offset === 0);
  return cursor === undefined && isLast ? offset + raws.length : undefined;
}

/** As they are now. */
function fetchWhole(q: Queryable, projectId: string, type: string, rows: WeighedRow[]): Promise<WeighedRow[]> {
  const ids = rows.map(({ id }) => id);
  return runSql(
    q,
    sql`
    select r.id, r.version, r.last_updated, r.author, ${WHOLE} from resource r
    where r.project_id = ${projectId} and r.type_id = ${sql.raw(String(typeId(type)))} and ${isAnyOf(sql`r.id`, ids)} and not r.deleted`,
  );
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

/** Of a text that people order by: it must fit into a cursor. */
const SORTED_CHARACTERS = 256;

type KeyedRow = WeighedRow & Record<`key${number}`, string | null>;

async function page(q: Queryable, where: SQL, query: RowQuery): Promise<KeyedRow[]> {
  const keys = orderKeys(query);
  const after = query.cursor ? sql`and ${isAfter(keys, parseCursor(query.type, query.sort, query.cursor))}` : sql``;
  const offset = query.offset > 0 ? sql`offset ${query.offset}` : sql``;
  const texts = query.mostBytes === undefined ? WHOLE : LIGHT_ONLY;
  return runSql<KeyedRow>(
    q,
    sql`
    select r.id, r.version, r.last_updated, r.author, ${texts}${keyColumns(keys)}
    from resource r where ${where} ${after} order by ${orderBy(keys)} limit ${query.count + 1} ${offset}`,
  );
}

/** What the row does not tell by itself of its place in the order. */
function keyColumns(keys: OrderKey[]): SQL {
  const told = keys.flatMap(({ value, isInRow }, at) => {
    return isInRow ? [] : [sql`, (${value})::text as ${sql.raw(`key${at}`)}`];
  });
  return sql.join(told);
}

function placeOf({ sort }: RowQuery, raw: KeyedRow): Place {
  if (sort.length === 0) return { values: [raw.last_updated], id: raw.id };
  const values = sort.map((key, at) => {
    if (!isInRow(key)) return raw[`key${at}`] ?? null;
    return key.param.code === '_id' ? raw.id : raw.last_updated;
  });
  return { values, id: raw.id };
}

async function count(q: Queryable, where: SQL): Promise<number> {
  const [row] = await runSql<{ total: number }>(q, sql`select count(*)::int as total from resource r where ${where}`);
  return row?.total ?? 0;
}

function orderKeys({ type, sort }: RowQuery): OrderKey[] {
  if (sort.length === 0) return [{ value: sql`r.last_updated`, descending: true, type: 'timestamptz', isInRow: true }];
  return sort.map((key) => ({
    value: sortValue(type, key),
    descending: key.descending,
    type: key.param.type === 'date' ? 'timestamptz' : 'text',
    isInRow: isInRow(key),
  }));
}

/** Missing values last in both directions; the id makes the order total. */
function orderBy(keys: OrderKey[]): SQL {
  const parts = keys.map(({ value, descending, isInRow }) => {
    return sql`${value} ${sql.raw(`${descending ? 'desc' : 'asc'}${isInRow ? '' : ' nulls last'}`)}`;
  });
  return sql.join([...parts, sql`r.id`], sql.raw(', '));
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
  if (param.sortedBy) {
    return sql.raw(
      `left(coalesce(${param.sortedBy.map(textAt).join(', ')}), ${SORTED_CHARACTERS}) collate "und-x-icu"`,
    );
  }
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
