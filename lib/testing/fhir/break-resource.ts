import { choiceProperty, codeSet, type ElementSpec, structure } from '#lib/protocol/fhir/structures.ts';
import type { Made } from './make-resource.ts';
import { makeRandom, type Random } from './random.ts';

type Json = Record<string, unknown>;
/** A resource that breaks one rule, and where that must be told, and as what. */
export type Broken = { rule: string; resource: Made; expression: string; codes: string[] };

/** A property of the resource, as it is there, and what the definitions say of it. */
type Place = {
  holder: Json;
  key: string;
  element: ElementSpec;
  type: string | undefined;
  expression: string;
  path: string;
};

type Break = {
  rule: string;
  codes: string[];
  fits(place: Place): boolean;
  apply(place: Place, random: Random): string;
};

const TEXTS = ['string', 'code', 'uri', 'date', 'dateTime', 'instant', 'time', 'markdown', 'canonical', 'url'];
const DATES = ['date', 'dateTime', 'instant', 'time'];
const first = ({ holder, key }: Place) => (Array.isArray(holder[key]) ? (holder[key] as unknown[])[0] : holder[key]);
const firstAt = ({ holder, key, expression }: Place) => (Array.isArray(holder[key]) ? `${expression}[0]` : expression);

function replace(place: Place, value: unknown): string {
  const { holder, key } = place;
  const at = firstAt(place);
  if (Array.isArray(holder[key])) (holder[key] as unknown[])[0] = value;
  else holder[key] = value;
  return at;
}

const BREAKS: Break[] = [
  {
    rule: 'an element that there is not',
    codes: ['structure'],
    fits: (place) => typeof first(place) === 'object' && place.type !== undefined,
    apply: (place) => {
      (first(place) as Json).nonsense = 1;
      return `${firstAt(place)}.nonsense`;
    },
  },
  {
    rule: 'what must be there is missing',
    codes: ['required'],
    fits: ({ element }) => element.min === 1,
    apply: ({ holder, key, element, path }) => {
      delete holder[key];
      return `${path}.${element.choice ? `${element.name}[x]` : element.name}`;
    },
  },
  {
    rule: 'one instead of many, or many instead of one',
    codes: ['structure'],
    fits: () => true,
    apply: (place) => {
      const { holder, key, expression } = place;
      holder[key] = Array.isArray(holder[key]) ? first(place) : [holder[key]];
      return expression;
    },
  },
  {
    rule: 'nothing',
    codes: ['structure'],
    fits: () => true,
    apply: (place) => {
      place.holder[place.key] = Array.isArray(place.holder[place.key]) ? [] : null;
      return place.expression;
    },
  },
  {
    rule: 'an object where none may be, and none where one must',
    codes: ['structure'],
    fits: ({ type }) => type !== undefined,
    apply: (place) => replace(place, structure(place.type ?? '') ? 'x' : {}),
  },
  {
    rule: 'a day that there is not',
    codes: ['value'],
    fits: ({ type }) => DATES.includes(type ?? ''),
    apply: (place, random) => replace(place, random.pick(['2024-02-30', '24', 'x', '2024-13'])),
  },
  {
    rule: 'an empty text',
    codes: ['value'],
    fits: ({ type }) => TEXTS.includes(type ?? ''),
    apply: (place) => replace(place, ''),
  },
  {
    rule: 'a code of no set',
    codes: ['code-invalid'],
    fits: ({ element: { codes, grammar }, type }) =>
      type === 'code' && (Boolean(grammar) || (codes !== undefined && codeSet(codes) !== undefined)),
    apply: (place) => replace(place, 'no-such-code'),
  },
  {
    rule: 'a concept of no set',
    codes: ['code-invalid'],
    fits: ({ element: { codes }, type }) =>
      ['CodeableConcept', 'Coding'].includes(type ?? '') && codes !== undefined && codeSet(codes) !== undefined,
    apply: (place) => replace(place, place.type === 'Coding' ? { code: 'no-such-code' } : { text: 'x' }),
  },
  {
    rule: 'a reference to another type',
    codes: ['value'],
    fits: ({ element, type }) =>
      type === 'Reference' &&
      element.types.some(({ targets }) => targets && !targets.includes('Linkage')) &&
      element.types.length === 1,
    apply: (place) => `${replace(place, { reference: 'Linkage/1' })}.reference`,
  },
  {
    rule: 'two of a choice',
    codes: ['structure'],
    fits: ({ element: { choice, types } }) => choice && types.length > 1,
    apply: ({ holder, key, element: { name, types }, path }) => {
      const other = types.map(({ code }) => choiceProperty(name, code)).find((each) => each !== key) ?? '';
      holder[other] = holder[key];
      return `${path}.${other}`;
    },
  },
];

/** The same resource once for each rule that can be broken in it, at a place that is drawn by the seed. */
export function breakResource(resource: Made, seed: number): Broken[] {
  const random = makeRandom(seed);
  return BREAKS.flatMap(({ rule, codes, fits, apply }): Broken[] => {
    const copy = structuredClone(resource);
    const places = placesIn(copy, copy.resourceType, copy.resourceType).filter(fits);
    if (places.length === 0) return [];
    const expression = apply(random.pick(places), random);
    return [{ rule, resource: copy, expression, codes }];
  });
}

function placesIn(holder: Json, structurePath: string, path: string): Place[] {
  return [...(structure(structurePath)?.elements.values() ?? [])].flatMap((element) => {
    const { name, choice, types, nested } = element;
    const keys: [string, string | undefined][] = choice
      ? types.map(({ code }) => [choiceProperty(name, code), code])
      : [[name, types[0]?.code]];
    return keys.flatMap(([key, type]) => {
      const value = holder[key];
      if (value === undefined) return [];
      const expression = `${path}.${key}`;
      const inner = nested ?? type ?? '';
      const items = Array.isArray(value)
        ? value.map((item, index) => [item, `${expression}[${index}]`] as const)
        : [[value, expression] as const];
      const below = items.flatMap(([item, at]) => {
        return typeof item === 'object' && item !== null && inner !== 'Resource'
          ? placesIn(item as Json, inner, at)
          : [];
      });
      return [{ holder, key, element, type: nested ? undefined : type, expression, path }, ...below];
    });
  });
}
