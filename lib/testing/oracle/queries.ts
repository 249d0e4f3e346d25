import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { pick, type Random } from './corpus.ts';
import { type Asked, besidesOf, identifiersOf, ofTypesOf } from './judge.ts';
import { type Official, officialsOf, readValues } from './read-values.ts';

export type Query = { type: string; asked: Asked[]; sort?: string };

const PREFIXES = ['', '', 'eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap', 'ap'];
const UCUM = 'http://unitsofmeasure.org';
const MODIFIERS: Record<string, readonly (string | undefined)[]> = {
  token: [undefined, undefined, 'not', 'missing', 'text', 'of-type'],
  string: [undefined, 'exact', 'contains', 'missing'],
  reference: [undefined, 'Patient', 'missing', 'identifier'],
  uri: [undefined, 'below', 'above', 'missing'],
  date: [undefined, undefined, undefined, 'missing'],
  number: [undefined, undefined, 'missing'],
  quantity: [undefined, undefined, undefined, 'missing'],
};

/** A query of one to three parameters about the type of a random resource; its values are mostly such as the corpus has. */
export function makeQuery(random: Random, corpus: Resource[]): Query {
  const { resourceType: type } = pick(random, corpus);
  const own = corpus.filter((resource) => resource.resourceType === type);
  const used = usedOf(type, corpus, true);
  const count = 1 + Math.floor(random() * 3);
  const asked = Array.from({ length: count }, () => makeAsked(random, pick(random, used), own));
  const sortable = used.filter(({ type: kind }) => kind === 'date' || kind === 'number');
  const sort =
    random() < 0.4 && sortable.length > 0 ? `${pick(random, ['', '-'])}${pick(random, sortable).code}` : undefined;
  return { type, asked, sort };
}

/** The parameters of a type that have values in the corpus; `withOwn`: the project's own as well. */
export function usedOf(type: string, corpus: readonly Resource[], withOwn = false): Official[] {
  const own = corpus.filter((resource) => resource.resourceType === type);
  const isKnown = ({ code }: Official) => {
    const known = searchParam(type, code);
    // How a name sounds is no reading of FHIR's.
    return code.startsWith('own-') ? withOwn : known?.supported === true && !known.heard;
  };
  return officialsOf(type).filter(
    (param) =>
      param.type !== 'special' &&
      isKnown(param) &&
      own.some((resource) => readValues(param.expression, resource).length > 0),
  );
}

export function makeAsked(random: Random, param: Official, own: Resource[]): Asked {
  const { code, type, expression } = param;
  // `exists()` always has a value; to us what is missing is the element that it asks for.
  const isTruth = expression.includes('exists()');
  const drawn = isTruth ? undefined : pick(random, MODIFIERS[type] ?? [undefined]);
  const read = TEXTS_BY[drawn ?? ''];
  const texts = read ? own.flatMap((resource) => readValues(expression, resource)).flatMap(read) : [];
  const modifier = read && texts.length === 0 ? undefined : drawn;
  if (modifier === 'missing') return { code, modifier, values: [pick(random, ['true', 'false'])] };
  const isTyped = type === 'reference' && modifier === 'Patient';
  const makeOne = () =>
    texts.length > 0 ? askFor(random, modifier, pick(random, texts)) : makeValue(random, param, own);
  const values = Array.from({ length: random() < 0.3 ? 2 : 1 }, makeOne).map((value) =>
    isTyped ? value.replace(/^.*\//, '') : value,
  );
  return { code, modifier, values };
}

/** What such a modifier may be asked for, of the values that there are. */
const TEXTS_BY: Record<string, (item: unknown) => string[]> = {
  text: besidesOf,
  'of-type': ofTypesOf,
  identifier: (item) => identifiersOf(item).map(({ system = '', code }) => `${system}|${code}`),
};

function askFor(random: Random, modifier: string | undefined, text: string): string {
  if (modifier === 'text') return written(random, 'string', text);
  return modifier === 'identifier' ? pick(random, [text, text.replace(/^.*\|/, '')]) : text;
}

function makeValue(random: Random, { type, expression, components }: Official, own: Resource[]): string {
  if (type === 'composite') {
    return components
      .map((component) => {
        const kind = component.slice(0, component.indexOf(':'));
        return kind === 'token'
          ? pick(random, ['x', 'y', 'urn:a|x', '|y'])
          : written(random, kind, SAMPLES[kind]!(random));
      })
      .join('$');
  }
  const found = own.flatMap((resource) => readValues(expression, resource));
  return written(random, type, pick(random, found));
}

const SAMPLES: Record<string, (random: Random) => unknown> = {
  quantity: (random) => ({ value: pick(random, [5, 5.4, 100]), system: UCUM, code: pick(random, ['g', 'mg']) }),
  date: (random) => pick(random, ['2019', '2020-02', '2020-03-01']),
  string: (random) => pick(random, ['an', 'Zoe', 'b']),
};

type Json = Record<string, unknown>;

/** A value of a resource as somebody would ask for it. */
function written(random: Random, type: string, item: unknown): string {
  const of = item as Json;
  if (type === 'token') return token(random, item);
  if (type === 'reference') return pick(random, [String(of.reference), String(of.reference).replace(/^.*\//, '')]);
  if (type === 'uri') return String(item);
  if (type === 'date') {
    const date = typeof item === 'string' ? item : String(of.start ?? of.end);
    return pick(random, PREFIXES) + pick(random, [date, date.slice(0, 4), date.slice(0, 10)]);
  }
  if (type === 'string') {
    const texts = typeof item === 'string' ? [item] : Object.values(of).flat().map(String);
    const text = pick(random, texts);
    return pick(random, [text, text.slice(0, 2), text.slice(1, 4).trim() || text]).replaceAll(',', '\\,');
  }
  return measure(random, item);
}

function measure(random: Random, item: unknown): string {
  const { value, system, code, low } = (typeof item === 'object' ? item : { value: item }) as Json;
  const number = `${pick(random, PREFIXES)}${value ?? (low as Json | undefined)?.value ?? 5}`;
  const units = ['', `||${code}`, `|${system}|${code}`, `|${UCUM}|g`, `|${UCUM}|mg`];
  return typeof item === 'object' && code !== undefined ? number + pick(random, units) : number;
}

function token(random: Random, item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { coding, system, code, value } = item as Json;
  if (Array.isArray(coding)) return token(random, pick(random, coding));
  const name = String(code ?? value);
  const isContact = system === 'phone' || system === 'email';
  return isContact ? name : pick(random, [name, `${system ?? ''}|${name}`, system ? `${system}|` : name]);
}
