import { belowToken, levelsOf, logicalToken, MOST_LEVELS, ofTypeToken } from '../index/modifier-tokens.ts';
import type { SearchParam } from '../index/search-params.ts';
import { uriToken } from '../index/tokens.ts';
import type { Expr } from './ir.ts';
import { badParameter, type SearchValue } from './values.ts';

type FilterContext = { name: string; projectId: string };
type Tokens = (param: SearchParam, value: SearchValue, context: FilterContext) => bigint[];

const MODIFIERS: Record<string, { tokens: Tokens; isNew?: 2; fits: (param: SearchParam) => boolean }> = {
  'of-type': { tokens: ofType, isNew: 2, fits: ({ path }) => path.some(({ type }) => type === 'Identifier') },
  identifier: {
    tokens: logical,
    isNew: 2,
    fits: ({ type, path }) => type === 'reference' && path.some((branch) => branch.type === 'Reference'),
  },
  below: { tokens: below, isNew: 2, fits: ({ type, code }) => type === 'uri' && !code.startsWith('_') },
  above: { tokens: above, fits: ({ type }) => type === 'uri' },
};

/** The filter of a modifier that has tokens of its own (index/modifier-tokens.ts); undefined of another, or where it has no meaning. */
export function modifiedFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  context: FilterContext,
): Expr | undefined {
  const known = modifier !== undefined && Object.hasOwn(MODIFIERS, modifier) ? MODIFIERS[modifier] : undefined;
  if (!known?.fits(param)) return undefined;
  const anyOf = values.flatMap((value) => known.tokens(param, value, context));
  return { op: 'token', anyOf, selective: param.tokenClass === 'selective', isNew: known.isNew, of: param.id };
}

/** `system|code|value`, of which all are needed (R4 search §3.1.1.4.10). */
function ofType(param: SearchParam, value: SearchValue, { name, projectId }: FilterContext): bigint[] {
  const [system, code, text] = value;
  if (value.length !== 3 || !system || !code || !text) throw badParameter(name, `${name} must be system|code|value`);
  return [ofTypeToken(param, projectId, [system, code, text])];
}

function logical(param: SearchParam, value: SearchValue, { name, projectId }: FilterContext): bigint[] {
  const [first = '', second] = value;
  if (value.length > 2 || (second ?? first) === '')
    throw badParameter(name, `${name} must be value, system|value or |value`);
  return [second === undefined ? logicalToken(param, projectId, first) : logicalToken(param, projectId, second, first)];
}

function below(param: SearchParam, value: SearchValue, { name, projectId }: FilterContext): bigint[] {
  const uri = value.join('|');
  if (levelsOf(uri).length > MOST_LEVELS) throw badParameter(name, `${name} takes at most ${MOST_LEVELS} levels`);
  return [belowToken(param, projectId, uri)];
}

function above(param: SearchParam, value: SearchValue, { name, projectId }: FilterContext): bigint[] {
  const levels = levelsOf(value.join('|'));
  if (levels.length > MOST_LEVELS) throw badParameter(name, `${name} takes at most ${MOST_LEVELS} levels`);
  return levels.flatMap((level) => [level, `${level}/`]).map((uri) => uriToken(param, projectId, uri));
}
