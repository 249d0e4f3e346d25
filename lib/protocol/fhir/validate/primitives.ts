import { numberOf, numberSource } from '#lib/protocol/json/json.ts';
import { isCalendarDay } from '../index/date-range.ts';
import { xhtmlFault } from './xhtml.ts';

/** What a primitive must be, as a phrase for the error; undefined when the value is right. */
type Rule = (value: unknown) => string | undefined;

const DATE = /^\d{4}(-\d\d(-\d\d)?)?$/;
const DATE_TIME =
  /^\d{4}(-\d\d(-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00))?)?$|^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;
/** Characters below 32 but tab, line feed and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\r\x7f-\x9f]/u;
const MAX_DIGITS = 64;
/** Of a power of ten: as far as a computer's own numbers reach. */
const MAX_EXPONENT = 400;
const MAX_CHARACTERS = 1024 * 1024;
const anyText = text(undefined, 'must be a text');

/** R4 data types §2.24.0.1, by name. */
export const PRIMITIVES: Readonly<Record<string, Rule>> = {
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  integer: (value) => wholeNumber(value, -2_147_483_648, 'must be a whole number of at most 32 bits'),
  unsignedInt: (value) => wholeNumber(value, 0, 'must be a whole number from 0 to 2147483647'),
  positiveInt: (value) => wholeNumber(value, 1, 'must be a whole number from 1 to 2147483647'),
  decimal,
  string: shortText,
  markdown: shortText,
  xhtml,
  code: text(/^\S+(\s\S+)*$/, 'must be a code: no white space at the ends, single spaces inside'),
  id: text(/^[A-Za-z0-9\-.]{1,64}$/, 'must be an id: 1 to 64 letters, digits, - and .'),
  uri: text(/^\S+$/, 'must be a URI without white space'),
  url: text(/^\S+$/, 'must be a URL without white space'),
  canonical: text(/^\S+$/, 'must be a canonical URL without white space'),
  oid: text(/^urn:oid:[0-2](\.(0|[1-9]\d*))+$/, 'must be urn:oid: and an OID'),
  uuid: text(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'must be urn:uuid: and a UUID'),
  base64Binary: base64,
  date: date(DATE, 'must be a date: YYYY, YYYY-MM or YYYY-MM-DD'),
  dateTime: date(DATE_TIME, 'must be a date, or a date and time with seconds and zone'),
  instant: date(INSTANT, 'must be a date and time with seconds and zone'),
  time: text(/^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?$/, 'must be a time: hh:mm:ss'),
};

function text(pattern: RegExp | undefined, phrase: string): Rule {
  return (value) => {
    if (typeof value !== 'string') return phrase;
    if (value === '') return 'must not be empty';
    if (pattern && value.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
    if (CONTROL.test(value) || !value.isWellFormed()) return 'contains characters that are not allowed';
    return pattern === undefined || pattern.test(value) ? undefined : phrase;
  };
}

/** R4 data types §2.24.0.1.1: what is larger is an Attachment's or a Binary's. */
function shortText(value: unknown): string | undefined {
  if (typeof value === 'string' && value.length > MAX_CHARACTERS)
    return `must have at most ${MAX_CHARACTERS} characters`;
  return anyText(value);
}

function date(pattern: RegExp, phrase: string): Rule {
  return (value) => {
    if (typeof value !== 'string' || !pattern.test(value) || value.startsWith('0000')) return phrase;
    const [year, month, day] = [value.slice(0, 4), value.slice(5, 7) || '1', value.slice(8, 10) || '1'];
    return isCalendarDay(Number(year), Number(month), Number(day)) ? undefined : 'is not a day of the calendar';
  };
}

function wholeNumber(value: unknown, min: number, phrase: string): string | undefined {
  const number = numberOf(value);
  const digits = /^-?(0|[1-9]\d*)$/.test(numberSource(value) ?? '');
  return digits && number !== undefined && number >= min && number <= 2_147_483_647 ? undefined : phrase;
}

function decimal(value: unknown): string | undefined {
  const [number, source] = [numberOf(value), numberSource(value)];
  if (number === undefined || source === undefined) return 'must be a number';
  // Postgres holds far more, but a number nobody can compute with is a mistake or an attack.
  const exponent = Number(/[eE]([+-]?\d+)$/.exec(source)?.[1] ?? 0);
  const isSane = Number.isFinite(number) && source.length <= MAX_DIGITS && Math.abs(exponent) <= MAX_EXPONENT;
  return isSane ? undefined : 'has too many digits';
}

function base64(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be base64 text';
  if (value === '') return 'must not be empty';
  const dense = /\s/.test(value) ? value.replace(/\s+/g, '') : value;
  return dense.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(dense) ? undefined : 'must be base64 text';
}

function xhtml(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be an XHTML div';
  if (CONTROL.test(value) || !value.isWellFormed()) return 'contains characters that are not allowed';
  return xhtmlFault(value);
}
