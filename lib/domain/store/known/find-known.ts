import { type SQL, sql } from 'drizzle-orm';
import { db, runSql } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { compileFilter } from '../compile-filter.ts';
import { hasAnyToken } from '../planner/has-any-token.ts';
import { inProject, ofType } from '../planner/in-project.ts';
import { isPrincipalParam } from '../principal-date.ts';
import type { Place } from '../search-cursor.ts';
import { orderBy, piecesOf } from '../search-order.ts';
import { type KeyedRow, pageOf } from './page-of.ts';
import { ways } from './ways.ts';

// A plan for the values of a search takes PostgreSQL as long to make as to follow, or longer. What tells plans apart is how many rows have a code: a
// search that is asked again finds that out once, and then goes a way whose plan is kept, which would be the wrong one for other codes.

/** So many are walked over, at most: for pages of twenty, and for longer ones. Each number is a statement of its own. */
const [WALKED, WALKED_FOR_MORE] = [350, 1000];
const USUAL_COUNT = 20;
/** So many are fetched to put them into an order. */
const FEW = 500;
/** Of longer pages a plan is the smaller part. */
const MOST_WANTED = 60;
const MOST_VALUES = 16;
const LONGEST_KEY = 1000;

type Query = Pick<SearchQuery, 'type' | 'filter' | 'count' | 'offset' | 'sort' | 'cursor'> & {
  also?: SQL;
  countBy?: unknown;
  after?: Place;
  mostBytes?: number;
};

type Known = { projectId: string; query: Query; filter: Expr };

/**
 * The rows of a first page of what is asked by tokens alone, in the newest or the main date's order, by a way that is known to be short; undefined when none is, or it was too long
 * for a full page.
 */
export async function findKnown(projectId: string, query: Query, filter: Expr): Promise<KeyedRow[] | undefined> {
  const known = { projectId, query, filter };
  const key = isPlain(query) && values(filter) <= MOST_VALUES ? keyOf(known) : undefined;
  if (key === undefined || key.length > LONGEST_KEY) return undefined;
  const way = ways.get(key);
  if (way === undefined) ways.set(key, 'asked');
  if (way === undefined || way === 'plan') return undefined;
  if (way === 'fetch') return fetchAll(known);
  const found = await walk(known);
  if (found) {
    if (way === 'asked') ways.set(key, 'walk');
    return found;
  }
  const isFew = await areFew(known);
  ways.set(key, isFew ? 'fetch' : 'plan');
  return isFew ? fetchAll(known) : undefined;
}

/** How many there are; no number where anything else is asked, or nothing, or what few have by itself. */
function values(expr: Expr): number {
  if (expr.op === 'token') return expr.selective ? Number.NaN : expr.anyOf.length;
  if (expr.op === 'not') return values(expr.arg);
  if (expr.op !== 'and' && expr.op !== 'or') return Number.NaN;
  return expr.args.length === 0 ? Number.NaN : expr.args.reduce((sum, arg) => sum + values(arg), 0);
}

function isPlain({ also, countBy, cursor, after, offset, count, sort, type }: Query): boolean {
  const isFirst = cursor === undefined && after === undefined && offset === 0;
  const isInOrder = sort.length === 0 || (sort.length === 1 && isPrincipalParam(type, sort[0]!.param));
  return !also && !countBy && isFirst && isInOrder && count < MOST_WANTED;
}

function keyOf({ projectId, query: { type, count, sort }, filter }: Known): string {
  const order = sort[0] ? String(sort[0].descending) : '';
  return `${projectId} ${type} ${count} ${order} ${nameOf(filter)}`;
}

function nameOf(expr: Expr): string {
  if (expr.op === 'token') return expr.anyOf.join(',');
  if (expr.op === 'not') return `not(${nameOf(expr.arg)})`;
  return expr.op === 'and' || expr.op === 'or' ? `${expr.op}(${expr.args.map(nameOf).join(' ')})` : '';
}

/** Undefined unless the page is full: those that were not walked over may fit as well. */
async function walk(known: Known): Promise<KeyedRow[] | undefined> {
  const { projectId, query, filter } = known;
  const wanted = query.count + 1;
  const [piece] = piecesOf({ ...query, projectId }, false);
  if (!piece) return undefined;
  const order = orderBy(piece.keys);
  const first = sql`select * from resource r where ${live(known)} and ${isUntold(projectId)}${piece.where} order by ${order} limit ${literal(query.count > USUAL_COUNT ? WALKED_FOR_MORE : WALKED)}`;
  const fits = compileFilter({ projectId, type: query.type, correlated: true, walked: true }, filter);
  const rows = sql`from (${first}) r where ${fits} order by ${order} limit ${wanted}`;
  const found = await runSql<KeyedRow>(db(), pageOf(piece.keys, rows, query.mostBytes !== undefined));
  return found.length === wanted ? found : undefined;
}

/** Of one condition alone: of several the index looks through all that fits one of them. */
async function areFew(known: Known): Promise<boolean> {
  const tokens = soughtOf(known);
  if (!tokens) return false;
  const rows = sql`select from resource r where ${live(known)} and ${tokens} limit ${literal(FEW + 1)}`;
  const [row] = await runSql<{ few: boolean }>(db(), sql`select count(*) <= ${literal(FEW)} as few from (${rows}) r`);
  return row?.few === true;
}

async function fetchAll(known: Known): Promise<KeyedRow[] | undefined> {
  const { projectId, query } = known;
  const [piece] = piecesOf({ ...query, projectId }, true);
  const tokens = soughtOf(known);
  if (!piece || !tokens) return undefined;
  const order = sql`order by ${orderBy(piece.keys)} limit ${query.count + 1}`;
  const rows = sql`from resource r where ${live(known)} and ${tokens} ${order}`;
  return runSql(db(), pageOf(piece.keys, rows, query.mostBytes !== undefined));
}

function soughtOf({ filter }: Known): SQL | undefined {
  return filter.op === 'token' ? hasAnyToken(sql`${`{${filter.anyOf.join(',')}}`}::bigint[]`) : undefined;
}

function live({ projectId, query: { type } }: Known): SQL {
  return sql`${inProject(projectId, false)} and ${ofType(type)} and not r.deleted`;
}

/**
 * The project once more, unknown even to a plan for these values: to that one, which knows how large the project is, each row would seem cheaper than
 * to a plan that is kept, and PostgreSQL would make one each time.
 */
function isUntold(projectId: string): SQL {
  return sql`r.project_id = any(array[(select ${projectId}::uuid)])`;
}

/** A plan that is kept must know it. */
function literal(count: number): SQL {
  return sql.raw(String(count));
}
