import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Official, officialsOf, readValues } from './read-values.ts';

// What R4's search page says, read as plainly as it can be: over values, one resource after the other, without tables, tokens or SQL.

export type Asked = { code: string; modifier?: string; values: string[] };
type Json = Record<string, unknown>;

/** Does the resource match the parameter? */
export function judge(resource: Resource, { code, modifier, values }: Asked): boolean {
  const param = officialsOf(resource.resourceType).find((known) => known.code === code)!;
  if (param.type === 'composite') return values.some((value) => isComposite(param, resource, value));
  const found = readValues(param.expression, resource);
  if (modifier === 'missing') return (found.length === 0) === (values[0] === 'true');
  if (modifier === 'not') return !values.some((value) => found.some((item) => isValue(param.type, item, value)));
  return values.some((value) => found.some((item) => isValue(param.type, item, value, modifier)));
}

function isComposite({ expression, components }: Official, resource: Resource, value: string): boolean {
  const asked = value.split('$');
  return readValues(expression, resource).some((element) =>
    components.every((component, at) => {
      const [, type = '', path = ''] = /^(\w+):(.*)$/.exec(component)!;
      const terms = path.split('|').flatMap((term) => typed(term.trim(), element as Json));
      return terms.some((item) => isValue(type, item, asked[at]!));
    }),
  );
}

/** `value.as(Quantity)` of an element that the engine has given out, and so no longer knows the type of. */
function typed(path: string, element: Json): unknown[] {
  const type = /^value\.as\((\w+)\)$/.exec(path)?.[1];
  const names = type ? [`value${type.charAt(0).toUpperCase()}${type.slice(1)}`, 'value'] : [path];
  const found = names.map((name) => element[name]).find((item) => item !== undefined);
  return found === undefined ? [] : [found];
}

/** Whether one value in the resource is what was asked for. */
function isValue(type: string, item: unknown, asked: string, modifier?: string): boolean {
  if (modifier === 'text') return besidesOf(item).some((text) => isText(text, asked.replaceAll('\\,', ',')));
  if (modifier === 'of-type') return ofTypesOf(item).includes(asked);
  if (modifier === 'identifier') return identifiersOf(item).some((pair) => isCode(pair, asked));
  switch (type) {
    case 'token':
      return codesOf(item).some((pair) => isCode(pair, asked));
    case 'string':
      return textsOf(item).some((text) => isText(text, asked.replaceAll('\\,', ','), modifier));
    case 'reference':
      return isReference(item, asked, modifier);
    case 'uri':
      return isUri(String(item), asked, modifier);
    case 'date':
      return isInterval(datesOf(item), asked, (text) =>
        asked.startsWith('ap') ? nearly(dayRange(text)) : dayRange(text),
      );
    default:
      return isMeasure(item, asked);
  }
}

/** The forms `system|code|value` of an identifier: one for each code of its type. */
export function ofTypesOf(item: unknown): string[] {
  const { type, value } = (item ?? {}) as { type?: { coding?: Json[] }; value?: string };
  return (type?.coding ?? []).map(({ system, code }) => `${system ?? ''}|${code}|${value}`);
}

/** The identifier by which a reference names what it refers to. */
export function identifiersOf(item: unknown): Pair[] {
  const { identifier } = (item ?? {}) as { identifier?: Json };
  return identifier ? codesOf(identifier) : [];
}

/** What a person reads of a code, an identifier or a reference. */
export function besidesOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const { coding, text, display, type } = item as { coding?: Json[]; text?: string; display?: string; type?: Json };
  const kind = (type as { text?: string } | undefined)?.text;
  return [text, display, kind, ...(coding ?? []).flatMap(besidesOf)].filter((one) => typeof one === 'string');
}

function isUri(uri: string, asked: string, modifier?: string): boolean {
  if (modifier === 'below') return uri === asked || uri.startsWith(`${asked}/`);
  return modifier === 'above' ? uri === asked || asked.startsWith(`${uri}/`) : uri === asked;
}

type Pair = { system?: string; code: string };

function codesOf(item: unknown): Pair[] {
  if (typeof item !== 'object' || item === null) return [{ code: String(item) }];
  const { coding, code, value, system, use, rank } = item as Json;
  if (Array.isArray(coding)) return coding.flatMap(codesOf);
  const isContact = system === 'phone' || system === 'email' || use !== undefined || rank !== undefined;
  return [{ ...(isContact || system === undefined ? {} : { system: String(system) }), code: String(code ?? value) }];
}

function isCode({ system, code }: Pair, asked: string): boolean {
  const [first = '', second] = asked.split('|');
  if (second === undefined) return code === first;
  return (system ?? '') === first && (second === '' || code === second);
}

export function textsOf(item: unknown): string[] {
  if (typeof item === 'string') return [item];
  const { family, given, line, city } = item as Json;
  const parts = [given, family, line, city].flat().filter((part) => typeof part === 'string');
  const name = family !== undefined || given !== undefined ? [[given, family].flat().filter(Boolean).join(' ')] : [];
  return [...parts, ...name];
}

export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function isText(text: string, asked: string, modifier?: string): boolean {
  if (modifier === 'exact') return text === asked;
  return modifier === 'contains' ? plain(text).includes(plain(asked)) : plain(text).startsWith(plain(asked));
}

function isReference(item: unknown, asked: string, modifier?: string): boolean {
  const reference = String((item as Json).reference);
  if (modifier) return reference === `${modifier}/${asked}`;
  return asked.includes('/') ? reference === asked : reference.endsWith(`/${asked}`);
}

type Range = { lo: number; hi: number };

/** From the first to the last millisecond. */
function dayRange(text: string): Range {
  const [day = '', time] = text.split('T');
  if (time) {
    const lo = Date.parse(text);
    return { lo, hi: lo + (time.includes('.') ? 0 : 999) };
  }
  const [year = 0, month, date] = day.split('-').map(Number);
  const lo = Date.UTC(year, (month ?? 1) - 1, date ?? 1);
  const end = date ? Date.UTC(year, month! - 1, date + 1) : month ? Date.UTC(year, month, 1) : Date.UTC(year + 1, 0, 1);
  return { lo, hi: end - 1 };
}

export function datesOf(item: unknown): Range | undefined {
  if (typeof item === 'string') return dayRange(item);
  const { start, end } = item as { start?: string; end?: string };
  return { lo: start ? dayRange(start).lo : -Infinity, hi: end ? dayRange(end).hi : Infinity };
}

/** And a tenth of the time between it and now, to either side. */
function nearly({ lo, hi }: Range): Range {
  const around = Math.max(0, lo - Date.now(), Date.now() - hi) / 10;
  return { lo: lo - around, hi: hi + around };
}

/** The prefixes, of a value that is a range and a search that is one. */
function isInterval(value: Range | undefined, asked: string, rangeOf: (text: string) => Range): boolean {
  if (!value) return false;
  const [, prefix, text = ''] = /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(.*)$/.exec(asked)!;
  const { lo, hi } = rangeOf(text);
  const isWithin = value.lo >= lo && value.hi <= hi;
  switch (prefix) {
    case 'ne':
      return !isWithin;
    case 'gt':
      return value.hi > hi;
    case 'lt':
      return value.lo < lo;
    // Of a number, which is no range, that itself is reached.
    case 'ge':
      return value.hi > hi || isWithin || (lo === hi && value.hi === hi);
    case 'le':
      return value.lo < lo || isWithin || (lo === hi && value.lo === lo);
    case 'sa':
      return value.lo > hi;
    case 'eb':
      return value.hi < lo;
    case 'ap':
      return value.lo <= hi && value.hi >= lo;
    default:
      return isWithin;
  }
}

/** Of masses, in grams. */
const GRAMS: Record<string, number> = { g: 1, mg: 0.001, kg: 1000 };
const UCUM = 'http://unitsofmeasure.org';

function isMeasure(item: unknown, asked: string): boolean {
  const [number = '', system, code] = asked.split('|');
  const [, prefix = '', text = ''] = /^([a-z]{2})?(.*)$/.exec(number)!;
  const unit = (typeof item === 'object' ? ((item as Json).low ?? (item as Json).high ?? item) : {}) as Json;
  const isMass = system === UCUM && unit.system === UCUM && GRAMS[code!] && GRAMS[String(unit.code)];
  if (code !== undefined && !isMass) {
    if (system === '' ? unit.code !== code && unit.unit !== code : unit.code !== code || unit.system !== system)
      return false;
  }
  const factor = isMass ? GRAMS[String(unit.code)]! / GRAMS[code!]! : 1;
  const value = measureOf(item);
  if (!value) return false;
  const [lo, hi] = [value.lo * factor, value.hi * factor].map((end) => Number(end.toPrecision(12)));
  return isInterval({ lo: lo!, hi: hi! }, `${prefix}${text}`, (digits) => numberRange(prefix, digits));
}

export function measureOf(item: unknown): Range | undefined {
  if (typeof item === 'number') return { lo: item, hi: item };
  const { value, low, high } = item as { value?: number; low?: { value: number }; high?: { value: number } };
  if (value !== undefined) return { lo: value, hi: value };
  return low || high ? { lo: low?.value ?? -Infinity, hi: high?.value ?? Infinity } : undefined;
}

/** As many digits as were written, where they count; the end does not belong to it. */
function numberRange(prefix: string, text: string): Range {
  const value = Number(text);
  if (prefix !== '' && prefix !== 'eq' && prefix !== 'ne' && prefix !== 'ap') return { lo: value, hi: value };
  const digits = 0.5 * 10 ** -(text.split('.')[1] ?? '').length;
  // About a number is a tenth of it, to either side, and no less than what its digits mean.
  const half = prefix === 'ap' ? Math.max(digits, Math.abs(value) / 10) : digits;
  const [lo, hi] = [value - half, value + half].map((end) => Number(end.toPrecision(12)));
  return { lo: lo!, hi: hi! - Math.abs(hi!) * 1e-13 };
}

const IN_BASE: Record<string, number> = { ...GRAMS, a: 31_557_600 };

/** To be put into an order: UCUM's units in its base units (masses in grams, years in seconds), of all else the number. */
export function inBaseUnits(item: unknown): Range | undefined {
  const { system, code } = (typeof item === 'object' ? item : {}) as Json;
  const value = measureOf(item);
  const factor = system === UCUM ? (IN_BASE[String(code)] ?? 1) : 1;
  return value && { lo: Number((value.lo * factor).toPrecision(12)), hi: Number((value.hi * factor).toPrecision(12)) };
}
