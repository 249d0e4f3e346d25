import type { Extracted } from '../index/extract.ts';

/** Inclusive bounds (ms) on the low and the high end of an indexed interval; all that are given must hold. */
export type DateRange = { loMin?: Date; loMax?: Date; hiMin?: Date; hiMax?: Date };
/** Inclusive bounds (ms). */
export type InstantRange = { from?: Date; to?: Date };
/** `value` is folded like the index (see normalize.ts). */
export type StringMatch = { value: string; mode: 'prefix' | 'exact' | 'contains' };

/**
 * A search filter, as a tree that is compiled to SQL and evaluated in memory. It does not contain project, type and
 * "not deleted": whoever runs it adds those. `selective` tells the SQL compiler which form of the project check is
 * fast (data.md, planner lessons 1 and 3): true when the tokens embed the project and match few rows.
 * In `string`, `date`: any of the values of the parameter may match any of the alternatives.
 */
export type Expr =
  | { op: 'all' }
  | { op: 'none' }
  | { op: 'and' | 'or'; args: Expr[] }
  | { op: 'not'; arg: Expr }
  | { op: 'token'; anyOf: bigint[]; selective: boolean }
  | { op: 'string'; param: number; values: StringMatch[] }
  | { op: 'date'; param: number; ranges: DateRange[] }
  | { op: 'id'; anyOf: string[] }
  | { op: 'lastUpdated'; ranges: InstantRange[] };

export type RowFacts = { id: string; lastUpdated: Date };

/** Does the resource, as extracted, match? The same answer as the SQL compiled from the expression. */
export function evaluate(expr: Expr, extracted: Extracted, row: RowFacts): boolean {
  switch (expr.op) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return expr.args.every((arg) => evaluate(arg, extracted, row));
    case 'or':
      return expr.args.some((arg) => evaluate(arg, extracted, row));
    case 'not':
      return !evaluate(expr.arg, extracted, row);
    case 'token':
      return expr.anyOf.some((token) => extracted.tokens.includes(token));
    case 'string':
      return extracted.strings.some(({ param, value }) => param === expr.param && matchesString(value, expr.values));
    case 'date':
      return extracted.dates.some(
        (date) => date.param === expr.param && expr.ranges.some((range) => inRange(date, range)),
      );
    case 'id':
      return expr.anyOf.includes(row.id);
    case 'lastUpdated':
      return expr.ranges.some(({ from, to }) => between(row.lastUpdated, from, to));
  }
}

/** Conjunction without needless levels. */
export function and(args: Expr[]): Expr {
  const flat = args.flatMap((arg) => (arg.op === 'and' ? arg.args : [arg])).filter((arg) => arg.op !== 'all');
  if (flat.some((arg) => arg.op === 'none')) return { op: 'none' };
  return flat.length === 0 ? { op: 'all' } : flat.length === 1 && flat[0] ? flat[0] : { op: 'and', args: flat };
}

function matchesString(indexed: string, values: StringMatch[]): boolean {
  return values.some(({ value, mode }) => {
    if (mode === 'prefix') return indexed.startsWith(value);
    return mode === 'exact' ? indexed === value : indexed.includes(value);
  });
}

function inRange({ lo, hi }: { lo: Date; hi: Date }, range: DateRange): boolean {
  return between(lo, range.loMin, range.loMax) && between(hi, range.hiMin, range.hiMax);
}

function between(value: Date, from: Date | undefined, to: Date | undefined): boolean {
  return (!from || value.getTime() >= from.getTime()) && (!to || value.getTime() <= to.getTime());
}
