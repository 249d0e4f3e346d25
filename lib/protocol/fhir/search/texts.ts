import { windowsOf } from '../index/format.ts';
import { foldString, MAX_STRING } from '../index/normalize.ts';
import type { SearchParam } from '../index/search-params.ts';
import { hasTexts } from '../index/texts-beside.ts';
import type { Expr } from './ir.ts';
import { badParameter, type SearchValue } from './values.ts';

/** The filter of `:text`, as of a string: what stands beside a code begins so. Undefined for any other modifier. */
export function textFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  { name }: { name: string },
): Expr | undefined {
  if (modifier !== 'text' || !hasTexts(param)) return undefined;
  const folded = values.map((value) => foldString(value.join('|')));
  if (folded.includes('')) throw badParameter(name, `Search parameter ${name} has an empty value`);
  if (folded.some((text) => text.length > MAX_STRING))
    throw badParameter(name, `${name} takes at most ${MAX_STRING} characters`);
  const match = folded.map((value) => ({ value, mode: 'prefix' as const }));
  const places = param.indexedAs.map(
    (id): Expr => ({ op: 'string', param: windowsOf({ id }), values: match, isNew: 3 }),
  );
  return places.length === 1 ? places[0]! : { op: 'or', args: places };
}
