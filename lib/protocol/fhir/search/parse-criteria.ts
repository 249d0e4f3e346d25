import { AppError } from '#lib/base/errors.ts';
import { type SearchParam, searchParam } from '../index/search-params.ts';
import { isFhirId, parseReference } from '../references.ts';
import { isResourceType } from '../type-ids.ts';
import { type FilterContext, filterOf } from './filters.ts';
import { and, type Expr } from './ir.ts';
import { type SearchValue, splitEscaped, splitName, unescapeValue } from './values.ts';

/** The values of a variable, by name without `%`. References as `Type/id`. */
export type Bind = (name: string) => string[] | undefined;

/** `own`: which of the project's own parameters it stands on. */
export type Criteria = { type: string; expr: Expr; own: SearchParam[] };

/** `asType` stands in for a `*` criteria's type; `baseUrl` is the server's FHIR base: absolute references below it are local. */
type CriteriaOptions = { asType?: string; baseUrl?: string };

const EXACT_TYPES = new Set(['token', 'reference', 'uri']);
const EXACT_MODIFIERS = new Set([undefined, 'not', 'missing', 'exact']);
const VARIABLE = /%([A-Za-z_][A-Za-z0-9_-]*)(\.id)?/g;
const MAX_ALTERNATIVES = 1000;
/** A system and a code; nothing that a criteria can ask for has more parts. */
const MAX_SEGMENTS = 2;
/** Each is a condition of every search that the policy limits. */
const MAX_PARAMETERS = 20;
/** Characters. All its alternatives at the length of a long identifier. */
export const MAX_CRITERIA = 64 * 1024;

/**
 * Reads an access policy's `Type?param=value&…`. Variables (`%name`, `%name.id`) are put in as finished values after the
 * text has been split, so nothing in them can widen the match. Undefined (= grants nothing) for an unbound variable, an
 * unknown or not exactly matching parameter, a modifier other than :not, :missing and :exact, and anything malformed or too long.
 * Percent escapes are read for ASCII only: `%` and a letter is a variable.
 */
export function parseCriteria(
  criteria: string,
  bind: Bind,
  projectId: string,
  { asType, baseUrl }: CriteriaOptions = {},
): Criteria | undefined {
  if (criteria.length > MAX_CRITERIA) return undefined;
  const question = criteria.indexOf('?');
  const written = question < 0 ? criteria : criteria.slice(0, question);
  const type = written === '*' ? asType : written;
  if (type === undefined || !isResourceType(type) || (asType !== undefined && asType !== type)) return undefined;
  if (question < 0) return { type, expr: { op: 'all' }, own: [] };
  const own: SearchParam[] = [];
  const filters: Expr[] = [];
  const pairs = criteria.slice(question + 1).split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) return undefined;
  for (const pair of pairs) {
    const filter = readPair(type, pair, bind, { projectId, baseUrl }, own);
    if (!filter) return undefined;
    filters.push(filter);
  }
  return { type, expr: and(filters), own };
}

function readPair(
  type: string,
  pair: string,
  bind: Bind,
  place: Omit<FilterContext, 'name'>,
  own: SearchParam[],
): Expr | undefined {
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0));
  const [code, modifier] = splitName(name);
  const param = searchParam(type, code, place.projectId);
  if (!param || !EXACT_MODIFIERS.has(modifier)) return undefined;
  if (!EXACT_TYPES.has(param.type) && modifier !== 'missing' && modifier !== 'exact') return undefined;
  if (param.own) own.push(param);
  const values = readValues(pair.slice(equals + 1), bind, place.baseUrl);
  if (!values) return undefined;
  try {
    return filterOf(param, modifier, values, { ...place, name });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** All alternatives, variables replaced; undefined when one has no value or is not bound. */
function readValues(text: string, bind: Bind, baseUrl?: string): SearchValue[] | undefined {
  const alternatives: SearchValue[] = [];
  for (const part of splitEscaped(text, ',', MAX_ALTERNATIVES + 1)) {
    let combined: SearchValue[] = [[]];
    const segments = splitEscaped(part, '|', MAX_SEGMENTS + 1);
    if (segments.length > MAX_SEGMENTS) return undefined;
    for (const segment of segments) {
      const expanded = expand(segment, bind, baseUrl);
      if (!expanded) return undefined;
      combined = combined.flatMap((value) => expanded.map((item) => [...value, item]));
      if (combined.length > MAX_ALTERNATIVES) return undefined;
    }
    alternatives.push(...combined);
  }
  const usable =
    alternatives.length <= MAX_ALTERNATIVES && alternatives.every((value) => value.some((item) => item !== ''));
  return usable ? alternatives : undefined;
}

/** The texts that one segment of a value stands for: one for each combination of its variables' values. */
function expand(segment: string, bind: Bind, baseUrl?: string): string[] | undefined {
  let texts = [''];
  let end = 0;
  for (const match of segment.matchAll(VARIABLE)) {
    const [whole, name = '', idOnly] = match;
    const values = bind(name)?.map((value) => (idOnly ? idOf(value, baseUrl) : value));
    if (!values?.length || values.some((value) => !value)) return undefined;
    const before = literal(segment.slice(end, match.index));
    texts = texts.flatMap((text) => values.map((value) => text + before + value));
    if (texts.length > MAX_ALTERNATIVES) return undefined;
    end = match.index + whole.length;
  }
  const rest = literal(segment.slice(end));
  return texts.map((text) => text + rest);
}

function idOf(value: string, baseUrl?: string): string | undefined {
  if (isFhirId(value)) return value;
  const parsed = parseReference(value, baseUrl);
  return parsed?.kind === 'local' ? parsed.id : undefined;
}

function literal(text: string): string {
  return unescapeValue(
    text.replace(/%([2-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}
