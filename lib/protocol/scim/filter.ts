import { type Filter as Parsed, parse } from 'scim2-parse-filter';
import { AppError } from '#lib/base/errors.ts';

const MOST_TEXT = 1024;
const MOST_COMPARISONS = 20;
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'lt' | 'ge' | 'le';

/** Of what a search may be by, in the RFC's names. `in` are conditions on one and the same entry of a list. */
export type Filter =
  | { op: Comparison; attribute: Attribute; value: string | boolean }
  | { op: 'pr'; attribute: Attribute }
  | { op: 'and' | 'or'; filters: Filter[] }
  | { op: 'not'; filter: Filter }
  | { op: 'in'; list: List; filter: Filter };

type Kind = 'text' | 'exact' | 'flag' | 'instant';
export type List = 'emails' | 'phoneNumbers' | 'members';
/** What is searched. */
export type Of = 'User' | 'Group';

/** How each compares (RFC 7643 §8.7.1: caseExact). */
const USER = {
  id: 'exact',
  externalId: 'exact',
  userName: 'text',
  displayName: 'text',
  'name.formatted': 'text',
  'name.givenName': 'text',
  'name.familyName': 'text',
  userType: 'text',
  active: 'flag',
  'emails.value': 'text',
  'emails.type': 'text',
  'phoneNumbers.value': 'text',
  'phoneNumbers.type': 'text',
  'meta.lastModified': 'instant',
} as const satisfies Record<string, Kind>;
const GROUP = {
  id: 'exact',
  externalId: 'exact',
  displayName: 'text',
  'members.value': 'exact',
  'meta.lastModified': 'instant',
} as const satisfies Record<string, Kind>;
const KINDS = { ...USER, ...GROUP };
export type Attribute = keyof typeof KINDS;

const byName = (kinds: object) =>
  new Map<string, Attribute>(Object.keys(kinds).map((name) => [name.toLowerCase(), name as Attribute]));
const BY_NAME: Record<Of, ReadonlyMap<string, Attribute>> = { User: byName(USER), Group: byName(GROUP) };
const LISTS: Record<Of, ReadonlyMap<string, List>> = {
  User: new Map([
    ['emails', 'emails'],
    ['phonenumbers', 'phoneNumbers'],
  ]),
  Group: new Map([['members', 'members']]),
};
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;

export function kindOf(attribute: Attribute): Kind {
  return KINDS[attribute];
}

/** An attribute to sort or search by, whatever its case; undefined when it is none. */
export function toAttribute(path: string, of: Of = 'User'): Attribute | undefined {
  const name = path.replace(CORE, '').toLowerCase();
  return BY_NAME[of].get(name) ?? BY_NAME[of].get(`${name}.value`);
}

/** RFC 7644 §3.4.2.2. Throws 400 invalidFilter, saying what is not understood. */
export function parseFilter(text: string, of: Of = 'User'): Filter {
  if (text.length > MOST_TEXT) throw invalid(`The filter is longer than ${MOST_TEXT} characters`);
  let parsed: Parsed;
  try {
    parsed = parse(text);
  } catch (cause) {
    throw invalid('The filter cannot be read', cause);
  }
  return toFilter(parsed, undefined, { of, left: MOST_COMPARISONS });
}

type Room = { of: Of; left: number };

function toFilter(parsed: Parsed, within: List | undefined, room: Room): Filter {
  switch (parsed.op) {
    case 'and':
    case 'or':
      return { op: parsed.op, filters: parsed.filters.map((one) => toFilter(one, within, room)) };
    case 'not':
      return { op: 'not', filter: toFilter(parsed.filter, within, room) };
    case '[]': {
      const list =
        within === undefined ? LISTS[room.of].get(parsed.attrPath.replace(CORE, '').toLowerCase()) : undefined;
      if (!list) throw invalid(`${parsed.attrPath} is no list to search in`);
      return { op: 'in', list, filter: toFilter(parsed.valFilter, list, room) };
    }
    default:
      return toComparison(parsed, within, room);
  }
}

type Leaf = Extract<Parsed, { attrPath: string }>;

function toComparison(parsed: Leaf, within: List | undefined, room: Room): Filter {
  room.left -= 1;
  if (room.left < 0) throw invalid(`The filter has more than ${MOST_COMPARISONS} comparisons`);
  const attribute = toAttribute(within ? `${within}.${parsed.attrPath}` : parsed.attrPath, room.of);
  if (!attribute) throw invalid(`There is no search by ${parsed.attrPath.slice(0, 80)}`);
  if (parsed.op === 'pr') return { op: 'pr', attribute };
  const { op, compValue } = parsed as Extract<Leaf, { compValue: unknown }>;
  return { op, attribute, value: toValue(attribute, op, compValue) };
}

function toValue(attribute: Attribute, op: Comparison, value: unknown): string | boolean {
  const kind = KINDS[attribute];
  if (kind === 'flag') {
    const flag = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
    if (typeof flag === 'boolean' && (op === 'eq' || op === 'ne')) return flag;
    throw invalid(`${attribute} is true or false: it is searched by eq and ne`);
  }
  if (typeof value !== 'string' || value.includes('\u0000') || !value.isWellFormed()) {
    throw invalid(`${attribute} is compared with a text in quotes`);
  }
  if (kind !== 'instant') return value;
  const time = Date.parse(value);
  // The years that xsd:dateTime and a database read alike.
  const isDate = time >= FIRST_TIME && time <= LAST_TIME;
  if (!isDate || op === 'co' || op === 'sw' || op === 'ew') {
    throw invalid(`${attribute} is compared with a date by eq, ne, gt, ge, lt and le`);
  }
  return new Date(time).toISOString();
}

function invalid(text: string, cause?: unknown): AppError {
  return new AppError('invalid', text, { scim: 'invalidFilter', expression: 'filter', cause });
}
