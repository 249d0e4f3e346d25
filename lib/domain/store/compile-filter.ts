import { type SQL, sql } from 'drizzle-orm';
import type { DateRange, Expr, StringMatch } from '#lib/protocol/fhir/search/ir.ts';

const TRUE = sql.raw('true');
const FALSE = sql.raw('false');

/** A filter as a predicate over the row `r` of one project. The twin of `evaluate` (search-ir.ts): a test holds them together. */
export function compileFilter(projectId: string, expr: Expr): SQL {
  switch (expr.op) {
    case 'all':
      return TRUE;
    case 'none':
      return FALSE;
    case 'and':
    case 'or':
      return group(projectId, expr);
    case 'not':
      return sql`not ${compileFilter(projectId, expr.arg)}`;
    case 'token':
      return sql`r.tokens && ${`{${expr.anyOf.join(',')}}`}::bigint[]`;
    case 'string':
      return sql`r.id = any(array(select s.id from ix_string s where s.project_id = ${projectId} and s.param = ${expr.param}
        and (${sql.join(expr.values.map(matchesString), sql.raw(' or '))})))`;
    case 'date':
      return sql`r.id = any(array(select d.id from ix_date d where d.project_id = ${projectId} and d.param = ${expr.param}
        and (${sql.join(expr.ranges.map(inRange), sql.raw(' or '))})))`;
    case 'id':
      return sql`r.id = any(${`{${expr.anyOf.map((id) => JSON.stringify(id)).join(',')}}`}::text[])`;
    case 'lastUpdated':
      return sql`(${sql.join(
        expr.ranges.map(({ from, to }) => bounds(sql.raw('r.last_updated'), from, to)),
        sql.raw(' or '),
      )})`;
  }
}

/** Whether some conjunct is so selective that the project must not be a second index condition (data.md, planner lesson 1). */
export function isSelective(expr: Expr): boolean {
  if (expr.op === 'token') return expr.selective;
  if (expr.op === 'or') return expr.args.length > 0 && expr.args.every(isSelective);
  return expr.op === 'and' && expr.args.some(isSelective);
}

function group(projectId: string, expr: { op: 'and' | 'or'; args: Expr[] }): SQL {
  if (expr.args.length === 0) return expr.op === 'and' ? TRUE : FALSE;
  const parts = expr.args.map((arg) => compileFilter(projectId, arg));
  return sql`(${sql.join(parts, sql.raw(` ${expr.op} `))})`;
}

/** Values are lower-case and compared by bytes (collate "C"), so a prefix is a range and the index serves it. */
function matchesString({ value, mode }: StringMatch): SQL {
  if (mode === 'exact') return sql`s.value = ${value}`;
  if (mode === 'contains') return sql`position(${value} in s.value) > 0`;
  return sql`(s.value >= ${value} and s.value < ${value} || chr(1114111))`;
}

function inRange({ loMin, loMax, hiMin, hiMax }: DateRange): SQL {
  return sql`(${bounds(sql.raw('d.lo'), loMin, loMax)} and ${bounds(sql.raw('d.hi'), hiMin, hiMax)})`;
}

function bounds(column: SQL, from: Date | undefined, to: Date | undefined): SQL {
  const parts = [
    ...(from ? [sql`${column} >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql`${column} <= ${to.toISOString()}::timestamptz`] : []),
  ];
  return parts.length === 0 ? TRUE : sql.join(parts, sql.raw(' and '));
}
