import { windowsOf } from '../index/format.ts';
import { foldString, MAX_CONTAINED, MAX_STRING } from '../index/normalize.ts';
import { isCanonical, tokensOfCanonical, tokensReferringTo, tokensReferringToId } from '../index/reference-tokens.ts';
import type { SearchParam } from '../index/search-params.ts';
import {
  bareCodeToken,
  codeToken,
  exactToken,
  hasToken,
  soundToken,
  systemCodeToken,
  systemToken,
  uriToken,
} from '../index/tokens.ts';
import { isFhirId, parseReference } from '../references.ts';
import { isResourceType } from '../type-ids.ts';
import { soundsOf } from '../words/sounds.ts';
import { compositeFilter } from './composites.ts';
import { conceptsFilter } from './concepts.ts';
import { dateFilter, lastUpdatedFilter } from './dates.ts';
import { type Gate, gated } from './gate.ts';
import type { Expr, NewLevel, StringMatch } from './ir.ts';
import { modifiedFilter } from './modifiers.ts';
import { nearFilter } from './near.ts';
import { measureFilter } from './quantities.ts';
import { textFilter } from './texts.ts';
import { badParameter, requireBuilt, type SearchValue } from './values.ts';

/**
 * `name` is the parameter as the caller wrote it, for errors; `baseUrl` the server's FHIR base, without a slash at the end. `isLinking`: whoever
 * asks looks for codes that stand elsewhere; else what asks for them is refused. `isJudging`: what is asked of is indexed just then, and not
 * looked for in what is stored. `gate`: of which resources the caller sees what is asked by.
 */
export type FilterContext = {
  name: string;
  projectId: string;
  baseUrl?: string;
  isLinking?: boolean;
  isJudging?: boolean;
  gate?: Gate;
};

const MODIFIERS: Partial<Record<SearchParam['type'], readonly string[]>> = {
  token: ['not', 'missing'],
  string: ['exact', 'contains', 'missing'],
  reference: ['not', 'missing'],
  uri: ['not', 'missing'],
  date: ['missing'],
  number: ['missing'],
  quantity: ['missing'],
  composite: ['missing'],
  special: ['missing'],
};

/** The filter of one `parameter:modifier=values`. Throws AppError invalid (400) for what it cannot honour. */
export function filterOf(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  context: FilterContext,
): Expr {
  if (!param.supported) throw badParameter(context.name, `Search parameter ${param.code} is not supported`);
  const filter = openFilter(param, modifier, values, context);
  const isOfNothing = NEGATIVE.has(modifier ?? '') || (modifier === 'missing' && values[0]?.[0] === 'true');
  return gated(filter, context.gate?.(param.base, param), isOfNothing);
}

/** What is so of a resource without the element. */
const NEGATIVE = new Set(['not', 'not-in']);

function openFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  context: FilterContext,
): Expr {
  if (!context.isJudging) requireBuilt(param);
  const modified = modifiedFilter(param, modifier, values, context) ?? textFilter(param, modifier, values, context);
  const filter = modified ?? (context.isLinking ? conceptsFilter(param, modifier, values, context) : undefined);
  if (filter) return filter;
  const refersTo = param.type === 'reference' && isResourceType(modifier) ? modifier : undefined;
  if (modifier !== undefined && !refersTo && !MODIFIERS[param.type]?.includes(modifier)) {
    throw badParameter(context.name, `Modifier :${modifier} is unknown or not supported for ${param.code}`);
  }
  if (modifier === 'missing') return missingFilter(param, values, context);
  if (modifier === 'not') return { op: 'not', arg: matchFilter(param, undefined, refersTo, values, context) };
  return matchFilter(param, modifier, refersTo, values, context);
}

function matchFilter(
  param: SearchParam,
  modifier: string | undefined,
  refersTo: string | undefined,
  values: SearchValue[],
  context: FilterContext,
): Expr {
  if (param.code === '_id') return { op: 'id', anyOf: values.map((value) => value.join('|')).filter(isFhirId) };
  if (param.code === '_lastUpdated') return lastUpdatedFilter(values, context.name);
  if (param.type === 'date') return dateFilter(param, values, context.name);
  if (param.heard) return soundFilter(param, modifier, values, context);
  if (param.type === 'string') return stringFilter(param, modifier, values, context);
  if (param.type === 'number' || param.type === 'quantity') return measureFilter(param, values, context.name);
  if (param.type === 'special') return nearFilter(param, values, context.name);
  if (param.type === 'composite') {
    const tokens = (part: SearchParam, value: SearchValue) => tokensOf(part, undefined, value, context);
    return compositeFilter(param, values, context.name, tokens);
  }
  const tokens = values.flatMap((value) => tokensOf(param, refersTo, value, context));
  return tokens.length === 0 ? { op: 'none' } : tokenExpr(param, tokens);
}

function tokenExpr(param: SearchParam, anyOf: bigint[]): Expr {
  return { op: 'token', anyOf, selective: param.tokenClass === 'selective', isNew: newOf(param), of: param.id };
}

/** Indexed since index/format.ts says 2. */
const NEW_TYPES = new Set(['number', 'quantity', 'composite', 'special']);

/** The level below which no row had an entry of the parameter. */
function newOf({ type, heard, inside }: SearchParam): NewLevel | undefined {
  if (inside) return 5;
  if (heard) return 4;
  return NEW_TYPES.has(type) ? 2 : undefined;
}

function missingFilter(param: SearchParam, values: SearchValue[], { name }: FilterContext): Expr {
  const [wanted] = values.map((value) => value.join('|'));
  if (values.length !== 1 || (wanted !== 'true' && wanted !== 'false')) {
    throw badParameter(name, `${name} must be true or false`);
  }
  const inEveryRow = param.code === '_id' || param.code === '_lastUpdated';
  const present: Expr = inEveryRow
    ? { op: 'all' }
    : { op: 'token', anyOf: [hasToken(param)], selective: false, isNew: newOf(param), of: param.id };
  if (wanted === 'false') return present;
  return inEveryRow ? { op: 'none' } : { op: 'not', arg: present };
}

function stringFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  { name, projectId }: FilterContext,
): Expr {
  const texts = values.map((value) => value.join('|'));
  if (modifier === 'exact') {
    const anyOf = texts.map((text) => exactToken(param, projectId, text));
    return { op: 'token', anyOf, selective: true, of: param.id };
  }
  const mode: StringMatch['mode'] = modifier === 'contains' ? 'contains' : 'prefix';
  const folded = texts.map(foldString);
  if (folded.includes('')) throw badParameter(name, `Search parameter ${name} has an empty value`);
  const most = mode === 'contains' ? MAX_CONTAINED : MAX_STRING;
  if (folded.some((text) => text.length > most)) {
    throw badParameter(name, `${name} takes at most ${most} characters; ${param.code}:exact takes a whole text`);
  }
  const match = folded.map((value) => ({ value, mode }));
  const head: Expr = { op: 'string', param: param.id, values: match };
  if (mode === 'prefix') return head;
  return { op: 'or', args: [head, { op: 'string', param: windowsOf(param), values: match }] };
}

/** Every word of one of the values sounds like one of the name's. */
function soundFilter(
  param: SearchParam,
  modifier: string | undefined,
  values: SearchValue[],
  { name, projectId }: FilterContext,
): Expr {
  if (modifier !== undefined) throw badParameter(name, `Modifier :${modifier} is not supported for ${param.code}`);
  const args = values.map((value): Expr => {
    const words = soundsOf(value.join('|'));
    if (words.length === 0) throw badParameter(name, `Search parameter ${name} has an empty value`);
    const all = words.map((sounds): Expr => {
      return {
        op: 'token',
        anyOf: sounds.map((sound) => soundToken(param, projectId, sound)),
        selective: true,
        isNew: 4,
        of: param.id,
      };
    });
    return all.length === 1 ? all[0]! : { op: 'and', args: all };
  });
  return args.length === 1 ? args[0]! : { op: 'or', args };
}

function tokensOf(
  param: SearchParam,
  refersTo: string | undefined,
  value: SearchValue,
  context: FilterContext,
): bigint[] {
  const { projectId } = context;
  if (param.type === 'uri') return uriTokens(param, value.join('|'), context);
  if (param.type === 'reference') return referenceTokens(param, refersTo, value.join('|'), context);
  const [first = '', second] = value;
  if (value.length > 2 || (first === '' && (second ?? '') === '')) {
    throw badParameter(context.name, `${context.name} must be code, system|code, |code or system|`);
  }
  const code = value.length === 1 ? first : second;
  if (param.boolean && code !== 'true' && code !== 'false') {
    throw badParameter(context.name, `${context.name} must be true or false`);
  }
  if (value.length === 1) return [codeToken(param, projectId, first)];
  return param.plain
    ? plainTokens(param, first, second ?? '', projectId)
    : systemTokens(param, first, second ?? '', projectId);
}

/** A plain code has no system but the one that its binding implies. */
function plainTokens(param: SearchParam, system: string, code: string, projectId: string): bigint[] {
  if (system !== '' && system !== param.impliedSystem) return [];
  return [code === '' ? hasToken(param) : codeToken(param, projectId, code)];
}

function systemTokens(param: SearchParam, system: string, code: string, projectId: string): bigint[] {
  if (system === '') return [bareCodeToken(param, projectId, code)];
  return [code === '' ? systemToken(param, projectId, system) : systemCodeToken(param, projectId, system, code)];
}

function uriTokens(param: SearchParam, text: string, { projectId, baseUrl }: FilterContext): bigint[] {
  return isCanonical(param) ? tokensOfCanonical(param, projectId, text, baseUrl) : [uriToken(param, projectId, text)];
}

function referenceTokens(
  param: SearchParam,
  refersTo: string | undefined,
  text: string,
  { name, projectId, baseUrl }: FilterContext,
): bigint[] {
  const hasVersion = isCanonical(param) && text.includes('|');
  const parsed = parseReference(hasVersion ? text.slice(0, text.indexOf('|')) : text, baseUrl);
  if (isFhirId(text)) {
    return refersTo
      ? tokensReferringTo(param, projectId, { type: refersTo, id: text }, baseUrl)
      : tokensReferringToId(param, projectId, text, baseUrl);
  }
  if (!parsed || parsed.kind === 'contained')
    throw badParameter(name, `${name} must be Type/id, an id or an absolute URL`);
  if (refersTo && (parsed.kind === 'uri' || refersTo !== parsed.type)) return [];
  if (hasVersion) return tokensOfCanonical(param, projectId, text, baseUrl);
  if (parsed.kind === 'uri') return [uriToken(param, projectId, parsed.uri)];
  return tokensReferringTo(param, projectId, parsed, baseUrl);
}
