import { AppError } from '#lib/base/errors.ts';
import { foldString, MAX_STRING } from '../index/normalize.ts';
import { type SearchParam, searchParam } from '../index/search-params.ts';
import { isLinked, type LinkContext, linksOf } from './chains.ts';
import { overlapFilter } from './dates.ts';
import { type Comparison, type FilterTree, readFilterTree } from './filter-grammar.ts';
import { filterOf } from './filters.ts';
import { gated } from './gate.ts';
import type { Expr, Link } from './ir.ts';
import { badParameter, requireBuilt, type SearchValue } from './values.ts';

const NAME = '_filter';
const ORDERED = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'ap', 'sa', 'eb'];
/** What each type of parameter is compared by. Of the others an index does not tell: `ne` of several values, and how a text ends. */
const OPERATORS: Partial<Record<SearchParam['type'], readonly string[]>> = {
  string: ['eq', 'co', 'sw', 'pr'],
  token: ['eq', 'in', 'ni', 'ss', 'sb', 'pr'],
  reference: ['eq', 're', 'pr'],
  uri: ['eq', 'pr'],
  date: [...ORDERED, 'po', 'pr'],
  number: [...ORDERED, 'pr'],
  quantity: [...ORDERED, 'pr'],
};
const BY_MODIFIER: Record<string, string> = {
  co: 'contains',
  in: 'in',
  ni: 'not-in',
  ss: 'below',
  sb: 'above',
  pr: 'missing',
};

/** `_filter`, as what the resource itself must fulfil, and conditions on others. */
export type ReadFilter = { filter: Expr; linked: Link[][] };

/** Throws AppError invalid (400) naming _filter, and the place in it. What is unknown in it is never passed over: that would widen what it excludes. */
export function readFilter(type: string, text: string, context: LinkContext): ReadFilter {
  const refuse = (what: string) => badParameter(NAME, `${NAME}: ${what}`);
  const expr = toExpr(type, readFilterTree(text, refuse, context.budget), context);
  const parts = expr.op === 'and' ? expr.args : [expr];
  const linked = parts.flatMap((part) => (part.op === 'linked' ? [part.links] : []));
  const own = parts.filter(({ op }) => op !== 'linked');
  return { filter: own.length === 1 ? own[0]! : { op: 'and', args: own }, linked };
}

function toExpr(type: string, tree: FilterTree, context: LinkContext): Expr {
  if ('path' in tree) return compared(type, tree, context);
  if (tree.op === 'not') return { op: 'not', arg: toExpr(type, tree.arg, context) };
  const args = tree.args.map((arg) => toExpr(type, arg, context));
  return args.length === 1 ? args[0]! : { op: tree.op, args };
}

function compared(type: string, comparison: Comparison, context: LinkContext): Expr {
  const { path } = comparison;
  const leaf = (param: SearchParam) => byOperator(param, comparison, context);
  try {
    if (isLinked(path)) {
      if (!context.isLinking) throw badParameter(NAME, 'Chains are not supported here');
      return { op: 'linked', links: linksOf(type, path, [], { ...context, leaf }) };
    }
    const param = searchParam(type, path, context.projectId);
    if (!param?.supported) throw badParameter(NAME, `Unknown search parameter, or one that is not supported: ${path}`);
    return leaf(param);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${NAME}, at ${comparison.at}: ${error.message}`, { expression: NAME });
  }
}

function byOperator(param: SearchParam, { operator, value, quoted }: Comparison, context: LinkContext): Expr {
  const known = param.heard ? ['eq', 'pr'] : (OPERATORS[param.type] ?? []);
  if (!known.includes(operator)) {
    const others = known.length > 0 ? `: ${known.join(', ')} are` : '';
    throw badParameter(NAME, `${operator} is not supported of ${param.code}${others}`);
  }
  const place = { ...context, name: NAME };
  if (operator === 'pr') {
    if (value !== 'true' && value !== 'false') throw badParameter(NAME, 'pr is true or false');
    return filterOf(param, 'missing', [[value === 'true' ? 'false' : 'true']], place);
  }
  // Of those that `filterOf` does not see: an index that is not whole yet would find nothing, and `not` all.
  if (!context.isJudging) requireBuilt(param);
  const open = () => context.gate?.(param.base, param);
  if (operator === 'po') return gated(overlapFilter(param, value, NAME), open(), false);
  const values: SearchValue[] = [
    param.type === 'string' || (quoted && !value.includes('|')) ? [value] : value.split('|'),
  ];
  if (param.heard) return filterOf(param, undefined, [[value]], place);
  if (param.type === 'string')
    return operator === 'eq'
      ? gated(equal(param, value), open(), false)
      : filterOf(param, modifierOf(operator), values, place);
  if (!ORDERED.includes(operator) || param.type === 'token' || param.type === 'reference' || param.type === 'uri')
    return filterOf(param, modifierOf(operator), values, place);
  if (/^[a-z]/i.test(value)) throw badParameter(NAME, 'The value begins with no digit');
  return filterOf(param, undefined, [[`${operator}${values[0]![0]}`, ...values[0]!.slice(1)]], place);
}

function modifierOf(operator: string): string | undefined {
  return BY_MODIFIER[operator];
}

/** The whole text, whatever the case and the accents: of longer ones the index has no whole. */
function equal(param: SearchParam, text: string): Expr {
  const value = foldString(text);
  if (value === '') throw badParameter(NAME, 'The value is empty');
  if (value.length >= MAX_STRING) throw badParameter(NAME, `A text has less than ${MAX_STRING} characters`);
  return { op: 'string', param: param.id, values: [{ value, mode: 'exact' }] };
}
