import { codeKey, pairToken, systemTag, underToken } from '../index/composites.ts';
import { foldString, MAX_STRING } from '../index/normalize.ts';
import type { SearchParam } from '../index/search-params.ts';
import { dateRanges } from './dates.ts';
import type { Expr } from './ir.ts';
import type { QuantityMatch } from './measures.ts';
import { measureMatches, numberRanges } from './quantities.ts';
import { badParameter, requireFewRanges, type SearchValue, splitEscaped, unescapeValue, writtenAs } from './values.ts';

/** The tokens that a value of a part means; from filters.ts, which imports this. */
export type TokensOf = (part: SearchParam, value: SearchValue) => bigint[];

/** `a$b`, of one element: what is indexed of its parts together (index/composites.ts). */
export function compositeFilter(param: SearchParam, values: SearchValue[], name: string, tokensOf: TokensOf): Expr {
  const parts = param.groups[0]!.parts.map((part) => part.param);
  const read = values.map((value) => readParts(parts, writtenAs(value), name));
  if (param.kind === 'ordered') {
    requireFewRanges(values, name);
    const anyOf = read.flatMap(([code, ...rest]) => ordered(parts, code!, rest, name));
    return { op: 'quantity', params: param.indexedAs, anyOf };
  }
  if (param.kind === 'string') {
    return {
      op: 'string',
      isNew: 2,
      param: param.id,
      values: read.flatMap((value) => strings(parts[0]!, value, name, tokensOf)),
    };
  }
  const anyOf = read.flatMap((value) => param.indexedAs.flatMap((id) => pairs(id, parts, value, tokensOf)));
  return anyOf.length === 0 ? { op: 'none' } : { op: 'token', isNew: 2, anyOf, selective: true };
}

function readParts(parts: SearchParam[], text: string, name: string): SearchValue[] {
  const written = splitEscaped(text, '$', parts.length + 1);
  if (written.length !== parts.length || written.includes('')) {
    throw badParameter(name, `${name} must be ${parts.map(({ type }) => type).join('$')}`);
  }
  return written.map((part) => splitEscaped(part, '|').map(unescapeValue));
}

function pairs(id: number, parts: SearchParam[], values: SearchValue[], tokensOf: TokensOf): bigint[] {
  const [first = [], second = []] = parts.map((part, at) => tokensOf({ ...part, id }, values[at]!));
  return first.flatMap((a) => second.map((b) => pairToken(id, a, b)));
}

function strings(part: SearchParam, [code, text]: SearchValue[], name: string, tokensOf: TokensOf) {
  const folded = foldString(text!.join('|'));
  if (folded === '' || folded.length > MAX_STRING) {
    throw badParameter(name, `${name} takes a text of at most ${MAX_STRING} characters`);
  }
  return tokensOf(part, code!).map((token) => ({ value: underToken(token, folded), mode: 'prefix' as const }));
}

function ordered([, ...parts]: SearchParam[], code: SearchValue, values: SearchValue[], name: string): QuantityMatch[] {
  const of = keyOf(code, name);
  return matchesOf(parts, values, name).map((match) => ({ ...match, ...of, tags: [...match.tags, ...of.tags] }));
}

function matchesOf(parts: SearchParam[], [first, second]: SearchValue[], name: string): QuantityMatch[] {
  const [{ type }] = parts as [SearchParam];
  if (second) {
    const [ranges, others] = [first!, second].map((value) => numberRanges(value.join('|'), name));
    return ranges!.flatMap((range) => others!.map((baseRange) => ({ tags: [], range, baseRange })));
  }
  if (type !== 'date') return measureMatches(type, first!, name);
  return dateRanges([first!], name).map(({ loMin, loMax, hiMin, hiMax }) => ({
    tags: [],
    range: { loMin: loMin?.getTime(), loMax: loMax?.getTime(), hiMin: hiMin?.getTime(), hiMax: hiMax?.getTime() },
  }));
}

/** `code`, `system|code`, `|code` or `system|`. */
function keyOf(value: SearchValue, name: string): { key?: bigint; tags: bigint[] } {
  const [first = '', second] = value;
  if (value.length > 2 || (first === '' && (second ?? '') === '')) {
    throw badParameter(name, `${name} begins with code, system|code, |code or system|`);
  }
  if (second === undefined) return { key: codeKey(first), tags: [] };
  return { key: second === '' ? undefined : codeKey(second), tags: [systemTag(first)] };
}
