import { type SQL, sql } from 'drizzle-orm';
import type { SearchQuery, Sort } from '#lib/protocol/fhir/search/parse-search.ts';
import { contentValue, isByContent } from './indexes/sort-by-content.ts';
import { datedWalks, isPrincipal, isPrincipalParam } from './principal-date.ts';
import { isInRow, type OrderKey } from './search-cursor.ts';

type Ordered = Pick<SearchQuery, 'type' | 'sort' | 'filter'> & { projectId: string };

function orderKeys({ projectId, type, sort }: Omit<Ordered, 'filter'>): OrderKey[] {
  if (sort.length === 0)
    return [{ value: sql`r.last_updated`, descending: true, type: 'timestamptz', isThere: true, isInRow: true }];
  return sort.map((key) => ({
    value: sortValue(projectId, type, key),
    descending: key.descending,
    type: typeOf(key),
    isThere: isInRow(key),
    isInRow: isInRow(key),
  }));
}

function typeOf({ param: { type } }: Sort): OrderKey['type'] {
  if (type === 'date') return 'timestamptz';
  return type === 'number' || type === 'quantity' ? 'float8' : 'text';
}

/** Rows of an order that follow all those of the piece before. `dates`: of an order that begins with a date, those that have or lack it. */
export type Piece = { where: SQL; keys: OrderKey[]; dates: 'any' | 'there' | 'missing' };

/**
 * An order that begins with the type's principal date, for which there is an index, is walked in pieces: those with a date first, and of them
 * no more than the filter asks for. Every other order is one piece; so is that of rows which a selective token finds first (`isLed`): no index is
 * walked for them, and each piece would find the same ones again.
 */
export function piecesOf({ projectId, type, sort, filter }: Ordered, isLed: boolean): Piece[] {
  const keys = orderKeys({ projectId, type, sort });
  const [first, ...rest] = keys;
  const begins = sort[0] && isPrincipalParam(type, sort[0].param);
  if (!first || !begins || isLed) return [{ where: sql``, keys, dates: 'any' }];
  const walks = datedWalks(type, filter);
  const pieces = (first.descending ? walks.toReversed() : walks).map(({ where, key }): Piece => {
    return { where: sql` and ${where}`, keys: [{ ...first, value: key, isThere: true }, ...rest], dates: 'there' };
  });
  const asked = filter.op === 'and' ? filter.args : [filter];
  if (asked.some((part) => isPrincipal(type, part))) return pieces;
  const undated = [{ ...first, value: sql`null::timestamptz` }, ...rest];
  return [...pieces, { where: sql` and r.sort_date is null`, keys: undated, dates: 'missing' }];
}

/** Missing values last in both directions; the id makes the order total. */
export function orderBy(keys: OrderKey[]): SQL {
  return ordered(
    keys.map(({ value }) => value),
    keys,
  );
}

/** The same of rows that have come with `keyColumns`. */
export function orderAgain(keys: OrderKey[]): SQL {
  return ordered(
    keys.map(({ value, isInRow }, at) => (isInRow ? value : keyAt(at))),
    keys,
  );
}

function ordered(values: SQL[], keys: OrderKey[]): SQL {
  const parts = keys.map(({ descending, isThere }, at) => {
    return sql`${values[at]} ${sql.raw(`${descending ? 'desc' : 'asc'}${isThere ? '' : ' nulls last'}`)}`;
  });
  return sql.join([...parts, sql`r.id`], sql.raw(', '));
}

/** What the row does not tell by itself of its place in the order. */
export function keyColumns(keys: OrderKey[]): SQL {
  const told = keys.flatMap(({ value, isInRow }, at) => (isInRow ? [] : [sql`, ${value} as ${sql.raw(`key${at}`)}`]));
  return sql.join(told);
}

/** The same as texts, for a cursor. */
export function keyTexts(keys: OrderKey[]): SQL {
  const told = keys.flatMap(({ isInRow }, at) =>
    isInRow ? [] : [sql`, ${keyAt(at)}::text as ${sql.raw(`key${at}`)}`],
  );
  return sql.join(told);
}

function keyAt(at: number): SQL {
  return sql.raw(`r.key${at}`);
}

/** Whether rows are put into this order by a table that stands beside theirs. */
export function isBeside(type: string, key: Sort): boolean {
  const { param } = key;
  return !isInRow(key) && !isPrincipalParam(type, param) && !param.sortedBy && !isByContent(param);
}

/** Of a text that people order by: it must fit into a cursor. */
const SORTED_CHARACTERS = 256;

/**
 * Of several values the smallest counts when ascending, the largest when descending; of the type's principal date always the first; of `sortedBy`
 * the text itself, as people order names (Unicode's own order, whatever their language; members' has an index).
 * The parameter must not be an index condition: before the planner has statistics (after a first import, until autovacuum) it would
 * walk all values of the parameter for every row, which took eight seconds for 10,000 members.
 */
function sortValue(projectId: string, type: string, { param, descending }: Sort): SQL {
  if (param.code === '_id') return sql`r.id`;
  if (param.code === '_lastUpdated') return sql`r.last_updated`;
  if (isPrincipalParam(type, param)) return sql`r.sort_date`;
  if (param.sortedBy) {
    return sql.raw(
      `left(coalesce(${param.sortedBy.map(textAt).join(', ')}), ${SORTED_CHARACTERS}) collate "und-x-icu"`,
    );
  }
  if (isByContent(param)) return contentValue(param, descending);
  const best = sql.raw(descending ? 'max' : 'min');
  if (param.type === 'number' || param.type === 'quantity') {
    const end = sql.raw(descending ? 'coalesce(q.base_hi, q.hi)' : 'coalesce(q.base_lo, q.lo)');
    return sql`(select ${best}(${end}) from ix_quantity q where q.project_id = ${projectId}::uuid and q.id = r.id and q.param + 0 = any(${`{${param.indexedAs.join(',')}}`}::int[]))`;
  }
  if (param.type === 'string') {
    return sql`(select ${best}(s.value) from ix_string s where s.project_id = ${projectId}::uuid and s.id = r.id and s.param is not distinct from ${param.id})`;
  }
  const end = sql.raw(descending ? 'd.hi' : 'd.lo');
  return sql`(select ${best}(${end}) from ix_date d where d.project_id = ${projectId}::uuid and d.id = r.id and d.param is not distinct from ${param.id})`;
}

/** A text of the resource itself. The path is ours, never a caller's. */
function textAt(path: string): string {
  return `r.content #>> '{${path.replaceAll('.', ',')}}'`;
}
