import { searchParam } from '../fhir/index/search-params.ts';
import { splitEscaped, splitName, unescapeValue } from '../fhir/search/values.ts';
import type { SearchParamType } from '../fhir/search-param-type.ts';

/**
 * How variables are told. `values`: those that are known, by name without `%`; `own`: whose `%profile` and `%patient` is, where they
 * are not. `projectId`: whose own search parameters are known.
 */
export type Say = { values?: (name: string) => readonly string[] | undefined; own?: string; projectId?: string };

/** Values of one condition that are told; the rest is counted. */
const MOST_VALUES = 4;
const MOST_CHARACTERS = 120;
/** Of one text, and of references that one condition goes over: what is longer is told as it is written. */
const MOST_CONDITIONS = 20;
const MOST_DEPTH = 6;

/** `Type?parameter=value&…`, each parameter a clause after the records: "whose birthdate is at or after 1990". */
export function conditionWords(criteria: string, type: string, say: Say): string[] {
  const question = criteria.indexOf('?');
  if (question < 0) return [];
  const pairs = criteria.slice(question + 1).split('&', MOST_CONDITIONS + 1);
  const told = pairs.slice(0, MOST_CONDITIONS).map((pair) => {
    const equals = pair.indexOf('=');
    const [name, text] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    return clause(type, name, text, say, 1);
  });
  return pairs.length > MOST_CONDITIONS ? [...told, 'and more'] : told;
}

function clause(type: string, name: string, text: string, say: Say, depth: number): string {
  if (depth > MOST_DEPTH || name.length > 300) return `that fit ${short(name)}=${short(text)}`;
  if (name.startsWith('_has:')) return hasClause(name, text, say, depth);
  const dot = name.indexOf('.');
  if (dot >= 0) return chainClause(type, { link: name.slice(0, dot), rest: name.slice(dot + 1) }, text, say, depth);
  const [code, modifier] = splitName(name);
  const param = searchParam(type, code, say.projectId);
  const values = (kind: SearchParamType) => valuesOf(text, kind, say);
  if (modifier === 'missing') return `${text === 'true' ? 'without' : 'with'} ${toName(code)}`;
  const not = modifier === 'not';
  if (code === '_compartment') return `that ${not ? 'do not ' : ''}belong to ${values('reference')}`;
  if (code === '_list') return `that are on the list ${values('reference')}`;
  const kind = param?.type ?? 'string';
  return `whose ${toName(code)} ${toVerb(kind, modifier, text)} ${values(modifier === undefined ? kind : 'token')}`;
}

/** `_has:Type:reference:parameter`. */
function hasClause(name: string, text: string, say: Say, depth: number): string {
  const [, type = '', link = '', ...rest] = name.split(':');
  return `that are the ${toName(link)} of ${aOrAn(type)} ${clause(type, rest.join(':'), text, say, depth + 1)}`;
}

function aOrAn(type: string): string {
  return `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** `reference.parameter`, `reference:Type.parameter`. */
function chainClause(
  type: string,
  { link, rest }: { link: string; rest: string },
  text: string,
  say: Say,
  depth: number,
): string {
  const [code, named] = splitName(link);
  const targets = searchParam(type, code, say.projectId)?.targets ?? [];
  const target = named ?? (targets.length === 1 ? targets[0] : undefined);
  return `whose ${toName(code)} is ${target ? aOrAn(target) : 'one'} ${clause(target ?? type, rest, text, say, depth + 1)}`;
}

const NAMES: Record<string, string> = {
  _id: 'id',
  _lastUpdated: 'last change',
  _tag: 'tag',
  _security: 'security label',
  _profile: 'profile',
  _source: 'source',
};

/** `birthDate`, `general-practitioner` -> `general practitioner`. */
function toName(code: string): string {
  return NAMES[code] ?? short(code.replaceAll('-', ' '));
}

const PREFIXES: Record<string, [date: string, number: string]> = {
  ne: ['is not', 'is not'],
  gt: ['is after', 'is more than'],
  lt: ['is before', 'is less than'],
  ge: ['is at or after', 'is at least'],
  le: ['is at or before', 'is at most'],
  sa: ['begins after', 'is more than'],
  eb: ['ends before', 'is less than'],
  ap: ['is about', 'is about'],
};
const COMPARED = new Set<SearchParamType>(['date', 'number', 'quantity']);
const PREFIX = /^(ne|gt|lt|ge|le|sa|eb|ap)(?=[-+\d%])/;

const MODIFIERS: Record<string, string> = {
  not: 'is not',
  exact: 'is exactly',
  contains: 'contains',
  text: 'reads',
  identifier: 'has the identifier',
  above: 'is or stands above',
  below: 'is or stands below',
  in: 'is in the value set',
  'not-in': 'is not in the value set',
  'of-type': 'is of type and value',
  iterate: 'is',
};

function toVerb(kind: SearchParamType, modifier: string | undefined, text: string): string {
  // The type of what a reference leads to stands where a modifier does.
  if (modifier !== undefined)
    return MODIFIERS[modifier] ?? `is ${/^[A-Z]/.test(modifier) ? `the ${modifier}` : modifier}`;
  const prefix = COMPARED.has(kind) ? PREFIX.exec(text)?.[1] : undefined;
  if (prefix) return PREFIXES[prefix]![kind === 'date' ? 0 : 1];
  return kind === 'string' ? 'begins with' : 'is';
}

/** All alternatives, each as a reader says it; of several the later ones with the comparison that they have. */
function valuesOf(text: string, kind: SearchParamType, say: Say): string {
  const parts = splitEscaped(text, ',', MOST_VALUES + 200);
  const all = parts.flatMap((part, at) => {
    const prefix = COMPARED.has(kind) ? PREFIX.exec(part)?.[1] : undefined;
    const said = toValues(prefix ? part.slice(prefix.length) : part, say);
    return at === 0 ? said : said.map((one) => (prefix ? `${toVerb(kind, undefined, part)} ${one}` : one));
  });
  if (all.length <= 1) return all.join('');
  if (all.length <= MOST_VALUES) return `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
  return `${all.slice(0, MOST_VALUES - 1).join(', ')} or one of ${all.length - MOST_VALUES + 1} more`;
}

const VARIABLE = /%([A-Za-z_][A-Za-z0-9_-]*)(\.id)?/;

/** A value with a variable in it stands for as many as that has. */
function toValues(text: string, say: Say): string[] {
  const match = VARIABLE.exec(text);
  if (!match) return [short(unescapeValue(decoded(text)))];
  const [whole, name = '', idOnly] = match;
  const known = say.values?.(name)?.map((value) => (idOnly ? value.slice(value.lastIndexOf('/') + 1) : value));
  const isAlone = text === whole;
  const said = known?.length ? known.slice(0, MOST_VALUES + 200) : [toVariable(name, idOnly, isAlone, say)];
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + whole.length)];
  return said.map((one) => short(`${unescapeValue(decoded(before))}${one}${unescapeValue(decoded(after))}`));
}

function toVariable(
  name: string,
  idOnly: string | undefined,
  isAlone: boolean,
  { own = 'the member’s own' }: Say,
): string {
  if (name === 'now') return 'now';
  if (isAlone && !idOnly && name === 'profile') return `${own} record`;
  if (isAlone && !idOnly && name === 'patient') return `${own} patient`;
  return `%${name}${idOnly ?? ''}`;
}

function decoded(text: string): string {
  return text.replace(/%([2-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function short(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
