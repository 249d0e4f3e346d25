import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '../types.ts';
import { extractDates } from './extract-dates.ts';
import { extractMeasures, type Measure, plain, type QuantityEntry } from './extract-quantities.ts';
import { extractStrings } from './extract-strings.ts';
import { codedPairs, extractTokens, type Place } from './extract-tokens.ts';
import { type Branch, mayHave, walk } from './path-compile.ts';
import type { Part, SearchParam } from './search-params.ts';
import { tokenHash } from './tokens.ts';

// A composite matches within one element. What of its parts is exact is in the very entry that says the rest: of two codes one token for
// the pair; of a code and a number, quantity or date a row of ix_quantity with the code as its key; of a code and a text a row of
// ix_string that begins with the code's token. All of it is part of the data format.

/** Two tokens of one element. */
export function pairToken(param: number, a: bigint, b: bigint): bigint {
  return tokenHash('pair', String(param), String(a), String(b));
}

/** The code of an element, whatever its system. */
export function codeKey(code: string): bigint {
  return tokenHash('key', code);
}

/** The system of that code; '' where it has none. */
export function systemTag(system: string): bigint {
  return tokenHash('key-system', system);
}

/** How a text begins of which the element has this token. */
export function underToken(token: bigint, text: string): string {
  return `${BigInt.asUintN(64, token).toString(16).padStart(16, '0')} ${text}`;
}

export type CompositeEntries = {
  tokens: bigint[];
  strings: { param: number; value: string }[];
  quantities: QuantityEntry[];
};

/** The entries of each element that has all the parts; undefined when none has. */
export function extractComposite(
  param: SearchParam,
  resource: Resource,
  place: Place,
  emit: (entries: Partial<CompositeEntries>) => void,
): boolean {
  let found = false;
  for (const { branch, parts } of param.groups) {
    walk(resource, branch, (element) => {
      if (!parts.every((part) => mayHave(part.fromResource ? resource : element, part.param.path))) return;
      const values = parts.map((part) => valuesOf(part, part.fromResource ? resource : element));
      if (values.some((list) => list.length === 0)) return;
      found = true;
      if (param.indexedAs.includes(param.id)) emit(entriesOf(param, parts, values, place));
    });
  }
  return found;
}

type Value = { branch: Branch; value: unknown };

function valuesOf({ param }: Part, node: unknown): Value[] {
  const values: Value[] = [];
  for (const branch of param.path) walk(node, branch, (value) => values.push({ branch, value }));
  return values;
}

function entriesOf(
  { id, kind }: SearchParam,
  [first, second]: readonly Part[],
  [exact = [], ...others]: Value[][],
  place: Place,
): Partial<CompositeEntries> {
  const tokens = (part: Part | undefined, values: Value[] = []) =>
    new Set(part ? values.flatMap(({ branch, value }) => extractTokens(part.param, branch, place, value)) : []);
  if (kind === 'ordered') return { quantities: ordered(id, exact, others, place.baseUrl) };
  const keys = [...tokens(first, exact)];
  if (kind === 'string') {
    const texts = (others[0] ?? []).flatMap(({ branch, value }) => [...extractStrings(branch.type, value).heads]);
    return { strings: product(keys, texts, (key, text) => ({ param: id, value: underToken(key, text) })) };
  }
  return { tokens: product(keys, [...tokens(second, others[0])], (key, token) => pairToken(id, key, token)) };
}

function ordered(param: number, exact: Value[], [first = [], second]: Value[][], baseUrl: string): QuantityEntry[] {
  const codes = exact.flatMap(({ branch, value }) => codedPairs(branch.type, value, baseUrl));
  const measures = second ? pairs(first.flatMap(measured), second.flatMap(measured)) : first.flatMap(measured);
  return product(codes, measures, ({ system = '', code }, measure) => ({
    param,
    key: code === undefined ? 0n : codeKey(code),
    ...measure,
    tags: [...measure.tags, systemTag(system)],
  }));
}

function pairs(first: Measure[], second: Measure[]): Measure[] {
  return product(first, second, ({ lo, hi }, other) => plain(lo, hi, other));
}

/** Of one element: each of many codes with each of many others would be millions, before anybody counts them. */
const MAX_PAIRS = 10_000;

function product<A, B, C>(first: readonly A[], second: readonly B[], join: (a: A, b: B) => C): C[] {
  if (first.length * second.length > MAX_PAIRS) {
    throw new AppError('too-costly', `An element has at most ${MAX_PAIRS} pairs of codes and values to search for`);
  }
  return first.flatMap((a) => second.map((b) => join(a, b)));
}

/** A date has its milliseconds. */
function measured({ branch, value }: Value): Measure[] {
  if (typeof value !== 'string' && branch.type !== 'Period') return extractMeasures(branch.type, value);
  return extractDates(branch.type, value).map(({ lo, hi }) => plain(lo.getTime(), hi.getTime()));
}
