import { type SQL, sql } from 'drizzle-orm';
import { db, type Queryable, runSql, searches } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { type Asked, compileFilter, isSelective } from './compile-filter.ts';
import { briefly, type Dear, isTooDear, refuseDear } from './cost/foretell.ts';
import { requireRaised } from './indexes/raise-index.ts';
import { requireSortable } from './indexes/sort-by-content.ts';
import { findKnown } from './known/find-known.ts';
import { type KeyedRow, pageOf } from './known/page-of.ts';
import { countFitting, type WeighedRow, WHOLE, withHeavy } from './page-weight.ts';
import { hasOneWay } from './planner/has-one-way.ts';
import { inProject, ofType } from './planner/in-project.ts';
import { isFrequent } from './planner/is-frequent.ts';
import { fromRaw, type RawRow, type Row } from './row.ts';
import { formatCursor, isAfter, isInRow, type Place, parseCursor } from './search-cursor.ts';
import { isBeside, orderBy, type Piece, piecesOf } from './search-order.ts';

/** What of a SearchQuery decides which rows come back. */
export type RowQuery = Pick<SearchQuery, 'type' | 'filter' | 'count' | 'offset' | 'sort'> &
  Partial<Pick<SearchQuery, 'total' | 'summary' | 'cursor'>> & {
    /** What the rows `r` must fulfil besides: a room's own condition, over its own tables. */
    also?: SQL;
    /** Tells how many there are without finding them, and of how many, where a room has counted its own; in the open transaction where there is one. */
    countBy?: (q?: Queryable) => Promise<{ total: number; all: number }>;
    /** Where the page before ended, for who has cursors of their own. */
    after?: Place;
    /** What the rows may weigh together, in bytes, about: the page ends before it would be more, but never without a row. */
    mostBytes?: number;
    /** What of `also` is dear to ask of a row. */
    dear?: Dear;
  };

/** Where one row of so many fits, a page is soon full of the newest. */
const MOST_OF = 4;

/** `next`: the cursor of the page after this one, if there is one. */
export type SearchResult = { rows: Row[]; next: string | undefined; total: number | undefined };

/**
 * The rows of one type in one project that match the query and lie within `reach` (the caller's policy). One round trip; a second
 * one for the total of more than a page, and for what a room has counted. `tx` is the open transaction where there is one.
 */
export async function searchRows(
  projectId: string,
  query: RowQuery,
  reach: Expr,
  tx?: Queryable,
): Promise<SearchResult> {
  await requireRaised(query);
  const filter = and([reach, query.filter]);
  const counted = await query.countBy?.(tx);
  const walked =
    counted !== undefined && !query.also && query.sort.length === 0 && counted.total * MOST_OF >= counted.all;
  const isLed = isSelective(filter);
  // Where there is one way only, it needs no plan for its values.
  const q = tx ?? (walked || hasOneWay(filter) ? db() : searches());
  const counting = query.total !== undefined && query.total !== 'none';
  const wantsRows = query.count > 0 && query.summary !== 'count';
  const quickly = wantsRows && !tx && !counting ? await findKnown(projectId, query, filter) : undefined;
  const correlated = isLed || quickly !== undefined || (await isFrequent(q, projectId, filter));
  const found = matching({ projectId, type: query.type, correlated, walked }, filter);
  const where = query.also ? sql`${found} and ${query.also}` : found;
  if (wantsRows) await requireSortable(q, where, query.sort);
  // In a transaction the work of others waits behind it, and its condition names what few have.
  const dear = tx || isLed ? undefined : dearOf(query);
  const isTooMuch =
    dear && (await isTooDear(q, { projectId, type: query.type, where, also: orderOf(projectId, query), dear }));
  if (isTooMuch && (counting || !wantsRows || isOrdered(query))) refuseDear(dear, true);
  const find = (on: Queryable) => page(on, where, { ...query, projectId, walked, isLed });
  const raws = quickly ?? (!wantsRows ? [] : await (isTooMuch ? briefly(dear, q, find) : find(q)));
  const known = wantsRows ? totalOf(query, raws) : undefined;
  const total = counting || !wantsRows ? (known ?? counted?.total ?? (await count(q, where))) : undefined;
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

/** By the links that are asked of each row, and by an order of which each row's place stands elsewhere. */
function dearOf(query: RowQuery): Dear | undefined {
  const { names = [], types = [], isNested = false } = query.dear ?? {};
  if (isOrdered(query)) return { names: [...names, '_sort'], types, isNested };
  return query.dear;
}

function isOrdered({ type, sort: [first] }: RowQuery): boolean {
  return first !== undefined && isBeside(type, first);
}

function orderOf(projectId: string, query: RowQuery): SQL | undefined {
  return isOrdered(query) ? piecesOf({ ...query, projectId }, false)[0]?.keys[0]?.value : undefined;
}

/** A page that is not full tells by itself how many there are. */
function totalOf({ count, offset, cursor, after }: RowQuery, raws: KeyedRow[]): number | undefined {
  const isLast = raws.length <= count && (raws.length > 0 || offset === 0);
  return cursor === undefined && after === undefined && isLast ? offset + raws.length : undefined;
}

/** As they are now. */
export function fetchWhole(q: Queryable, projectId: string, type: string, rows: WeighedRow[]): Promise<WeighedRow[]> {
  const ids = rows.map(({ id }) => id);
  return runSql(
    q,
    sql`
    select r.id, r.version, r.last_updated, r.author, ${WHOLE} from resource r
    where r.project_id = ${projectId} and ${ofType(type)} and ${isAnyOf(sql`r.id`, ids)} and not r.deleted`,
  );
}

/** The only place that makes a WHERE for a search: project, type and liveness are always in it. */
export function matching(asked: Asked, filter: Expr): SQL {
  const { projectId, type } = asked;
  return sql`${inProject(projectId, isSelective(filter))} and ${ofType(type)} and not r.deleted and ${compileFilter(asked, filter)}`;
}

/** One row more than asked for tells that there is another page. */
async function page(q: Queryable, where: SQL, query: Asking): Promise<KeyedRow[]> {
  const place = query.cursor ? parseCursor(query.type, query.sort, query.cursor) : query.after;
  const isPastDates = place?.values[0] === null;
  const rows: KeyedRow[] = [];
  let { offset } = query;
  const pieces = piecesOf(query, query.isLed);
  for (const piece of pieces) {
    // With a place among those that lack the date, all that have one are past; with one among these, the others are still to come.
    if (isPastDates && piece.dates === 'there') continue;
    const after = piece.dates === 'missing' && !isPastDates ? undefined : place;
    const found = await select(q, where, query, { ...piece, after, offset, wanted: query.count + 1 - rows.length });
    rows.push(...found);
    if (rows.length > query.count || piece === pieces.at(-1)) break;
    if (offset > 0) offset = found.length > 0 ? 0 : offset - (await count(q, sql`${where}${piece.where}`));
  }
  return rows;
}

type Asking = RowQuery & { projectId: string; walked: boolean; isLed: boolean };
type Part = Piece & { after: Place | undefined; offset: number; wanted: number };

function select(q: Queryable, where: SQL, query: Asking, part: Part): Promise<KeyedRow[]> {
  const { keys, after, offset, wanted } = part;
  // A plan that is kept must know it: of one that does not, PostgreSQL thinks it reads a tenth of all, and makes one each time instead.
  const limit = query.walked ? sql.raw(String(wanted)) : sql`${wanted}`;
  const rows = sql`from resource r where ${where}${part.where} ${after ? sql`and ${isAfter(keys, after)}` : sql``}
      order by ${orderBy(keys)} limit ${limit} ${offset > 0 ? sql`offset ${offset}` : sql``}`;
  return runSql<KeyedRow>(q, pageOf(keys, rows, query.mostBytes !== undefined));
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

/** Of each token, so many rows at most. */
type EachToken = { type: string; tokens: readonly bigint[]; most: number };

/**
 * The rows within `reach` that have each of many selective tokens, and at which place that stands. Each is looked up in the index by itself:
 * asked for any of hundreds, PostgreSQL would rather compare these with every row that there is. The limit stands outside of what it limits
 * for the same reason: a walk is no shorter where one row fits.
 */
export async function findByEachToken(
  projectId: string,
  { type, tokens, most }: EachToken,
  reach: Expr,
  tx: Queryable,
): Promise<{ row: Row; at: number }[]> {
  const raws = await runSql<RawRow & { at: number }>(
    tx,
    sql`
    with found as materialized (
      select (n - 1)::int as at, id from unnest(${`{${tokens.join(',')}}`}::bigint[]) with ordinality as w(token, n)
      cross join lateral (
        with fitting as materialized (
          select r.id from resource r where ${inProject(projectId, true)} and ${ofType(type)} and not r.deleted and r.tokens @> array[w.token]
          and ${compileFilter({ projectId, type, correlated: true }, reach)})
        select id from fitting limit ${most}) as fits)
    select found.at, r.id, r.version, r.last_updated, r.author, ${WHOLE} from found
    join resource r on r.project_id = ${projectId}::uuid and ${ofType(type)} and r.id = found.id`,
  );
  return raws.map((raw) => ({ row: fromRaw(projectId, type, raw), at: raw.at }));
}
