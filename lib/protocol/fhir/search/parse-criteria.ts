import { AppError } from '#lib/base/errors.ts';
import { type SearchParam, searchParam } from '../index/search-params.ts';
import { isFhirId, parseReference } from '../references.ts';
import type { SearchParamType } from '../search-param-type.ts';
import { isResourceType } from '../type-ids.ts';
import { isWordParam } from '../words/text-search.ts';
import { isLinked, linkBudget, linksOf } from './chains.ts';
import { CONTROLS } from './controls.ts';
import { type FilterContext, filterOf } from './filters.ts';
import { and, type Expr, type Link } from './ir.ts';
import { type SearchValue, splitEscaped, splitName, splitValues, unescapeValue } from './values.ts';

/** The values of a variable, by name without `%`, for a parameter of this type. References as `Type/id`. */
export type Bind = (name: string, type: SearchParamType) => string[] | undefined;

/** `own`: which of the project's own parameters it stands on; `asks`: by which of the type itself it asks. `isTimed`: it speaks of `%now`, so that it is another at each moment. */
export type Criteria = { type: string; expr: Expr; own: SearchParam[]; asks: SearchParam[]; isTimed: boolean };

/**
 * `asType` stands in for a `*` criteria's type; `baseUrl` is the server's FHIR base: absolute references below it are local. `tell` is told why
 * it grants nothing. `isOfScope`: whoever asks for a token says it, who must not learn by it of what their policy hides: no chain and no `_has`.
 */
type CriteriaOptions = { asType?: string; baseUrl?: string; tell?: (reason: string) => void; isOfScope?: true };

const VARIABLE = /%([A-Za-z_][A-Za-z0-9_-]*)(\.id)?/g;
const MAX_ALTERNATIVES = 1000;
/** A quantity has a number, a system and a code, a place four parts. */
const MAX_SEGMENTS = 4;
/** Each is a condition of every search that the policy limits. */
const MAX_PARAMETERS = 20;
/** Characters. All its alternatives at the length of a long identifier. */
export const MAX_CRITERIA = 64 * 1024;

/** `prefix` and value are one text there: what begins as a number cannot be another comparison than the criteria says. */
const COMPARED = new Set<SearchParamType>(['date', 'number', 'quantity']);
/** No chain finds what is kept elsewhere. */
const NOT_STORED = new Set(['AuditEvent']);
const NUMERIC = /^[-+]?\d/;
/** Their parts stand in one text. */
const WITHOUT_VARIABLES = new Set<SearchParamType>(['composite', 'special']);

/** `budget`: of links, in all of its parameters. */
type Place = Omit<FilterContext, 'name'> & {
  bind: Bind;
  used: Pick<Criteria, 'own' | 'isTimed' | 'asks'>;
  isOfScope?: true;
  budget: ReturnType<typeof linkBudget>;
};

/** It grants nothing, and why. */
class Unjudged extends Error {}

/**
 * Reads an access policy's `Type?param=value&…`: every parameter of the type that can be judged of a resource, with its modifiers and
 * prefixes, and chains and `_has`, which ask of all that the project has, whoever is limited by it. Variables (`%name`, `%name.id`; `%now` in dates) are put in as finished values after the text has been split, so nothing in
 * them can widen the match or compare otherwise. Undefined (= grants nothing) for an unbound variable, what a search would refuse, and anything
 * malformed or too long. Percent escapes are read for ASCII only: `%` and a letter is a variable.
 */
export function parseCriteria(
  criteria: string,
  bind: Bind,
  projectId: string,
  { asType, baseUrl, tell, isOfScope }: CriteriaOptions = {},
): Criteria | undefined {
  try {
    return read(criteria, bind, { projectId, baseUrl, asType, isOfScope });
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof Unjudged)) throw error;
    tell?.(error.message);
    return undefined;
  }
}

function read(
  criteria: string,
  bind: Bind,
  { asType, ...of }: CriteriaOptions & Pick<FilterContext, 'projectId'>,
): Criteria {
  if (criteria.length > MAX_CRITERIA) throw new Unjudged(`has at most ${MAX_CRITERIA} characters`);
  const question = criteria.indexOf('?');
  const written = question < 0 ? criteria : criteria.slice(0, question);
  const type = written === '*' ? asType : written;
  if (type === undefined || !isResourceType(type) || (asType !== undefined && asType !== type)) {
    throw new Unjudged('must be Type?parameter=value&… of the same type');
  }
  const used = { own: [], asks: [], isTimed: false };
  if (question < 0) return { type, expr: { op: 'all' }, ...used };
  const pairs = criteria.slice(question + 1).split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) throw new Unjudged(`has at most ${MAX_PARAMETERS} parameters`);
  const place = { ...of, bind, used, budget: linkBudget() };
  const filters = pairs.map((pair) => readPair(type, pair, place));
  return { type, expr: and(filters), ...used };
}

function readPair(type: string, pair: string, place: Place): Expr {
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0));
  if (name === '') throw new Unjudged('must be Type?parameter=value&…');
  const text = pair.slice(equals + 1);
  if (isLinked(name) && name !== '_list' && !place.isOfScope) return readLinked(type, name, text, place);
  const [code, modifier] = splitName(name);
  const param = searchParam(type, code, place.projectId);
  if (!param) throw new Unjudged(toUnknown(type, name, code));
  if (param.own) place.used.own.push(param);
  place.used.asks.push(param);
  const values = readValues(name, text, modifier === undefined ? param.type : 'token', place);
  return filterOf(param, modifier, values, { projectId: place.projectId, baseUrl: place.baseUrl, name });
}

/** Whatever its parameters ask by at the other end is read there, with the variables of its type. */
function readLinked(type: string, name: string, text: string, place: Place): Expr {
  const { projectId, baseUrl, budget, used } = place;
  const read = (param: SearchParam, modifier: string | undefined) => {
    if (param.own) used.own.push(param);
    const values = readValues(name, text, modifier === undefined ? param.type : 'token', place);
    return filterOf(param, modifier, values, { projectId, baseUrl, name });
  };
  const links = linksOf(type, name, [], { projectId, baseUrl, budget, read });
  const all = links.flatMap(withFurther);
  if (all.some((link) => NOT_STORED.has(link.type))) throw new Unjudged(`${name}: AuditEvent is not asked of others`);
  for (const { param } of all) if (param.own) used.own.push(param);
  return { op: 'related', links };
}

function withFurther(link: Link): Link[] {
  return [link, ...('anyOf' in link.condition ? link.condition.anyOf.flatMap(withFurther) : [])];
}

function toUnknown(type: string, name: string, code: string): string {
  if (isLinked(name) && name !== '_list') return `${name}: what another resource says cannot be asked here`;
  if (CONTROLS.has(name) || isWordParam(code) || code === '_filter' || code === '_list')
    return `${name} cannot be asked here`;
  return `${type} has no search parameter ${code}`;
}

/** All alternatives, variables replaced. Throws where one has no value or is not bound. */
function readValues(name: string, text: string, type: SearchParamType, place: Place): SearchValue[] {
  const alternatives: SearchValue[] = [];
  const tooMany = () => new Unjudged(`${name} has at most ${MAX_ALTERNATIVES} values`);
  if (WITHOUT_VARIABLES.has(type)) {
    if (text.search(VARIABLE) >= 0) throw new Unjudged(`${name} takes no variables`);
    return splitValues(name, decoded(text));
  }
  for (const part of splitEscaped(text, ',', MAX_ALTERNATIVES + 1)) {
    let combined: SearchValue[] = [[]];
    const segments = splitEscaped(part, '|', MAX_SEGMENTS + 1);
    if (segments.length > MAX_SEGMENTS) throw new Unjudged(`${name} has a value of more than ${MAX_SEGMENTS} parts`);
    for (const [at, segment] of segments.entries()) {
      const expanded = expand(name, segment, at === 0 ? type : 'token', place);
      combined = combined.flatMap((value) => expanded.map((item) => [...value, item]));
      if (combined.length > MAX_ALTERNATIVES) throw tooMany();
    }
    alternatives.push(...combined);
  }
  if (alternatives.length > MAX_ALTERNATIVES) throw tooMany();
  if (!alternatives.every((value) => value.some((item) => item !== ''))) throw new Unjudged(`${name} has no value`);
  return alternatives;
}

/** The texts that one segment of a value stands for: one for each combination of its variables' values. */
function expand(paramName: string, segment: string, type: SearchParamType, { bind, baseUrl, used }: Place): string[] {
  let texts = [''];
  let end = 0;
  for (const match of segment.matchAll(VARIABLE)) {
    const [whole, name = '', idOnly] = match;
    if (name === 'now') used.isTimed = true;
    const values = bind(name, type)?.map((value) => (idOnly ? idOf(value, baseUrl) : value));
    if (!values?.length || values.some((value) => !value)) throw new Unjudged(`%${name} has no value`);
    if (COMPARED.has(type) && !values.every((value) => NUMERIC.test(value ?? ''))) {
      throw new Unjudged(`%${name} is no ${type}`);
    }
    const before = literal(segment.slice(end, match.index));
    texts = texts.flatMap((text) => values.map((value) => text + before + value));
    if (texts.length > MAX_ALTERNATIVES) throw new Unjudged(`${paramName} has at most ${MAX_ALTERNATIVES} values`);
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
  return unescapeValue(decoded(text));
}

function decoded(text: string): string {
  return text.replace(/%([2-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
