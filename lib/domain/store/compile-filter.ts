import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import {
  contextPattern,
  type DateRange,
  type Expr,
  type InstantRange,
  type StringMatch,
  unresolved,
} from '#lib/protocol/fhir/search/ir.ts';
import { isFetched, leadOf } from './cost/lead-of.ts';
import { measures, places } from './indexes/compile-measures.ts';
import { compileRelated } from './links/compile-related.ts';
import { hasToken } from './planner/has-one-way.ts';
import { mayHold } from './planner/may-hold.ts';
import { type ByDate, datesWithin, IS_UNTOLD, isPrincipal } from './principal-date.ts';
import { compileWords } from './words/compile-words.ts';

const TRUE = sql.raw('true');
const FALSE = sql.raw('false');

/** Of which rows a filter is asked, and how it meets the index tables. */
export type Asked = {
  projectId: string;
  type: string;
  /**
   * Row by row, by the row's id: right when something else has left few rows, or when so many fit that a page is soon full. Otherwise all that
   * fits is fetched first (data.md, planner lessons 6 and 14).
   */
  correlated: boolean;
  /** The order leads from row to row, of which most fit: their tokens are looked at, and no index is asked for them. */
  walked?: boolean;
};

/** A filter as a predicate over the row `r` of one project. The twin of `evaluate` (search-ir.ts): a test holds them together. */
export function compileFilter(asked: Asked, expr: Expr): SQL {
  switch (expr.op) {
    case 'all':
      return TRUE;
    case 'none':
      return FALSE;
    case 'and':
    case 'or':
      return group(asked, expr);
    case 'not':
      // Of what it excludes nothing is fetched: each row would be compared with all of that.
      return sql`not ${compileFilter({ ...asked, correlated: true }, expr.arg)}`;
    case 'token':
      return byToken(asked, expr);
    case 'string':
      return byString(asked, expr);
    case 'date':
      return isPrincipal(asked.type, expr) ? byPrincipalDate(asked, expr) : byDate(asked, expr);
    case 'quantity':
      return inIndex(asked, 'ix_quantity', 'q', expr.params, measures(expr));
    case 'near':
      return inIndex(asked, 'ix_quantity', 'q', [expr.param], places(expr));
    case 'words':
      return compileWords(asked, expr);
    case 'concepts':
    case 'linked':
      throw unresolved(expr);
    case 'related':
      return compileRelated(asked.projectId, asked.type, expr.links, (type, filter) => {
        return compileFilter({ projectId: asked.projectId, type, correlated: true, walked: true }, filter);
      });
    case 'unguarded':
      return expr.of ? byContext(expr.of) : sql`not r.content ? 'securityContext'`;
    case 'id':
      return sql`r.id = any(${toTextArray(expr.anyOf)}::text[])`;
    case 'lastUpdated':
      return inInstants(expr.ranges);
  }
}

function byContext(types: readonly string[]): SQL {
  const context = sql`r.content -> 'securityContext' ->> 'reference'`;
  return sql`(${context} is null or ('/' || (${context})) !~ ${contextPattern(types)}::text)`;
}

/** Whether some conjunct is so selective that the project must not be a second index condition (data.md, planner lesson 1). */
export function isSelective(expr: Expr): boolean {
  if (expr.op === 'token') return expr.selective;
  if (expr.op === 'or') return expr.args.length > 0 && expr.args.every(isSelective);
  return expr.op === 'and' && expr.args.some(isSelective);
}

/**
 * The values of a parameter stand in a table of their own. Row by row the parameter must not be an index condition, nor may the planner make
 * a join of it: before it has statistics (after a first import, until autovacuum) it would walk all values of the parameter for every row.
 */
function inIndex(
  { projectId, correlated }: Asked,
  table: string,
  alias: string,
  params: readonly number[],
  fits: SQL,
): SQL {
  const rows = sql.raw(`${table} ${alias}`);
  const column = (name: string) => sql.raw(`${alias}.${name}`);
  const [param] = params;
  const isOne = params.length === 1;
  if (correlated) {
    const isParam = isOne ? sql`is not distinct from ${param}` : sql`+ 0 = any(${`{${params.join(',')}}`}::int[])`;
    return sql`coalesce((select true from ${rows} where ${column('project_id')} = ${projectId} and ${column('id')} = r.id
        and ${column('param')} ${isParam} and ${fits} limit 1), false)`;
  }
  const isParam = isOne ? sql`= ${param}` : sql`= any(${`{${params.join(',')}}`}::int[])`;
  return sql`r.id = any(array(select ${column('id')} from ${rows} where ${column('project_id')} = ${projectId}
        and ${column('param')} ${isParam} and ${fits}))`;
}

/** Within coalesce no index serves it, and the planner takes half of the rows to fit. */
function byToken({ walked }: Asked, expr: Extract<Expr, { op: 'token' }>): SQL {
  return walked ? sql`coalesce(${hasToken({ ...expr, selective: false })}, false)` : hasToken(expr);
}

/** Row by row the content, which is at hand, is looked at before the index table: most rows of a walk fit nothing. */
function byString(asked: Asked, { param, values }: Extract<Expr, { op: 'string' }>): SQL {
  const indexed = inIndex(asked, 'ix_string', 's', [param], matchesString(values));
  return asked.correlated
    ? sql`case when ${mayHold({ ...asked, param }, values)} then ${indexed} else false end`
    : indexed;
}

function byDate(asked: Asked, { param, ranges }: ByDate): SQL {
  return inIndex(asked, 'ix_date', 'd', [param], inRange(ranges, sql.raw('d.lo'), sql.raw('d.hi')));
}

/** By the row itself where that tells it. */
function byPrincipalDate(asked: Asked, expr: ByDate): SQL {
  const elsewhere = byDate({ ...asked, correlated: true }, expr);
  const here = inRange(expr.ranges, sql.raw('r.sort_date'), sql.raw('r.sort_end'));
  return sql`(r.sort_date is not null and ${datesWithin(expr)} and case when ${IS_UNTOLD} then ${elsewhere} else ${here} end)`;
}

function group(asked: Asked, expr: { op: 'and' | 'or'; args: Expr[] }): SQL {
  if (expr.args.length === 0) return expr.op === 'and' ? TRUE : FALSE;
  const args = expr.op === 'or' ? oneOfEach(expr.args) : expr.args;
  const correlated = asked.correlated || (expr.op === 'or' && !args.every((arg) => isFetched(asked.type, arg)));
  const lead = expr.op === 'and' ? leadOf(asked.type, args) : undefined;
  const parts = args.map((arg) => {
    return compileFilter({ ...asked, correlated: correlated || (lead !== undefined && lead !== arg) }, arg);
  });
  return sql`(${sql.join(parts, sql.raw(` ${expr.op} `))})`;
}

/** The alternatives with all their tokens as one, and all their ids: rules of a policy are many, and mostly of these kinds. */
function oneOfEach(args: Expr[]): Expr[] {
  const flat = args.flatMap((arg) => (arg.op === 'or' ? arg.args : [arg]));
  const tokens = flat.filter((arg) => arg.op === 'token');
  const ids = flat.filter((arg) => arg.op === 'id');
  const rest = flat.filter((arg) => arg.op !== 'token' && arg.op !== 'id');
  const joined: Expr[] = [];
  if (tokens.length > 0) joined.push({ op: 'token', anyOf: tokens.flatMap(({ anyOf }) => anyOf), selective: false });
  if (ids.length > 0) joined.push({ op: 'id', anyOf: ids.flatMap(({ anyOf }) => anyOf) });
  return [...joined, ...rest];
}

// A text that varied with the number of values would be another statement for each number, and PostgreSQL keeps every one
// (data.md, planner lesson 13): one value stands as it is, since that plans best, and several are arrays.

/** Values are lower-case and compared by bytes (collate "C"), so a prefix is a range and the index serves it. */
export function matchesString(values: StringMatch[]): SQL {
  const parts = (['prefix', 'exact', 'contains'] as const).flatMap((mode) => {
    const texts = values.filter((item) => item.mode === mode).map(({ value }) => value);
    if (texts.length === 0) return [];
    if (texts.length === 1) return [matchesText(mode, sql`${texts[0]}::text`)];
    if (mode === 'exact') return [sql`s.value = any(${toTextArray(texts)}::text[])`];
    return [
      sql`exists (select from unnest(${toTextArray(texts)}::text[]) v(value) where ${matchesText(mode, sql`v.value`)})`,
    ];
  });
  return parts.length === 1 ? parts[0]! : sql`(${sql.join(parts, sql.raw(' or '))})`;
}

function matchesText(mode: StringMatch['mode'], text: SQL): SQL {
  if (mode === 'exact') return sql`s.value = ${text}`;
  if (mode === 'contains') return sql`position(${text} in s.value) > 0`;
  return sql`(s.value >= ${text} and s.value < ${text} || chr(1114111))`;
}

function inRange(ranges: DateRange[], lo: SQL, hi: SQL): SQL {
  const bounded = ranges.map(({ loMin, loMax, hiMin, hiMax }) => [loMin, loMax, hiMin, hiMax] as const);
  const [only] = bounded;
  if (only && bounded.length === 1) {
    const [loMin, loMax, hiMin, hiMax] = only;
    return sql`(${bounds(lo, loMin, loMax)} and ${bounds(hi, hiMin, hiMax)})`;
  }
  return sql`exists (select from ${rows(bounded)} v(lo_min, lo_max, hi_min, hi_max)
    where ${lo} between v.lo_min and v.lo_max and ${hi} between v.hi_min and v.hi_max)`;
}

function inInstants(ranges: InstantRange[]): SQL {
  const [only] = ranges;
  if (only && ranges.length === 1) return bounds(sql.raw('r.last_updated'), only.from, only.to);
  const bounded = ranges.map(({ from, to }) => [from, to] as const);
  return sql`exists (select from ${rows(bounded)} v(least, most) where r.last_updated between v.least and v.most)`;
}

function bounds(column: SQL, from: Date | undefined, to: Date | undefined): SQL {
  const parts = [
    ...(from ? [sql`${column} >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`${column} <= ${to.toISOString()}::timestamptz`] : []),
  ];
  return parts.length === 0 ? TRUE : sql.join(parts, sql.raw(' and '));
}

/** Pairs of bounds, lower and upper in turn, as a table; one that is not given is the end of time. */
function rows(bounded: (readonly (Date | undefined)[])[]): SQL {
  const width = bounded[0]?.length ?? 0;
  const columns = Array.from({ length: width }, (_, at) =>
    toTextArray(bounded.map((row) => row[at]?.toISOString() ?? (at % 2 === 0 ? '-infinity' : 'infinity'))),
  );
  return sql`unnest(${sql.join(
    columns.map((column) => sql`${column}::timestamptz[]`),
    sql.raw(', '),
  )})`;
}
