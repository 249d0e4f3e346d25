import type { SearchParam } from '../index/search-params.ts';
import { codeToken, systemCodeToken } from '../index/tokens.ts';
import type { Concepts, Expr } from './ir.ts';
import { badParameter, type SearchValue } from './values.ts';

const CODED = new Set(['code', 'Coding', 'CodeableConcept']);
const WAYS: Record<string, Concepts['way']> = { in: 'in', 'not-in': 'in', above: 'above', below: 'below' };

/** The filter of a token's `:in`, `:not-in`, `:above` or `:below`, with its codes still to be looked up; undefined for anything else. */
export function conceptsFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  { name }: { name: string },
): Expr | undefined {
  const way = modifier !== undefined && Object.hasOwn(WAYS, modifier) ? WAYS[modifier] : undefined;
  if (!way || !hasSystem(param)) return undefined;
  const isWhole = ([system, code, ...rest]: SearchValue) => Boolean(system && code) && rest.length === 0;
  if (way !== 'in' && !values.every(isWhole)) throw badParameter(name, `${name} must be system|code`);
  const found: Expr = { op: 'concepts', of: { way, name, param, values } };
  return modifier === 'not-in' ? { op: 'not', arg: found } : found;
}

/** The tokens of which a row that has one of the codes has one. */
export function conceptTokens(
  param: SearchParam,
  projectId: string,
  codes: readonly { system: string; code: string }[],
): bigint[] {
  if (!param.plain) return codes.map(({ system, code }) => systemCodeToken(param, projectId, system, code));
  const own = codes.filter(({ system }) => system === param.impliedSystem);
  return own.map(({ code }) => codeToken(param, projectId, code));
}

/** Of a value without a system nobody knows which concept it is. */
function hasSystem({ type, path, plain, impliedSystem }: SearchParam): boolean {
  if (type !== 'token' || !path.some((branch) => CODED.has(branch.type) && !branch.truth)) return false;
  return !plain || impliedSystem !== undefined;
}
