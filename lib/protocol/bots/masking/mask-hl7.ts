import { readSeparators } from '../../hl7/encoding.ts';
import { Hl7Error } from '../../hl7/error.ts';
import { MASK, type Masked } from './masked.ts';

/** By data type of HL7 v2.5.1 §2A: which components say who or where somebody is. Undefined: all of it. */
const PARTS = {
  id: [1],
  name: [1, 2, 3],
  person: [1, 2, 3, 4],
  address: [1, 2, 3, 5],
  phone: [1, 4, 6, 7, 12],
  /** Of a coded value: what was written by hand, of which the code was made. */
  coded: [9],
  all: undefined,
};

type Kind = keyof typeof PARTS;

/** Fields by segment, of HL7 v2.5.1 chapters 3, 4, 6 and 7. */
const FIELDS: Record<string, Partial<Record<number, Kind>>> = {
  PID: {
    ...{ 2: 'id', 3: 'id', 4: 'id', 5: 'name', 6: 'name', 7: 'all', 9: 'name', 11: 'address', 12: 'all', 13: 'phone' },
    ...{ 14: 'phone', 18: 'id', 19: 'all', 20: 'all', 21: 'id', 23: 'all', 29: 'all' },
  },
  NK1: {
    ...{ 2: 'name', 4: 'address', 5: 'phone', 6: 'phone', 12: 'id', 16: 'all', 26: 'name', 30: 'name', 31: 'phone' },
    ...{ 32: 'address', 33: 'id', 37: 'all' },
  },
  GT1: {
    ...{ 2: 'id', 3: 'name', 4: 'name', 5: 'address', 6: 'phone', 7: 'phone', 8: 'all', 12: 'all', 17: 'address' },
    ...{ 18: 'phone', 19: 'id' },
  },
  IN1: { 2: 'id', 8: 'id', 16: 'name', 18: 'all', 19: 'address', 36: 'all', 49: 'id' },
  IN2: { 1: 'id', 2: 'all', 6: 'all', 8: 'all', 52: 'name', 61: 'id', 63: 'phone' },
  MRG: { 1: 'id', 2: 'id', 3: 'id', 4: 'id', 7: 'name' },
  PD1: { 4: 'person' },
  PV1: { 5: 'id', 7: 'person', 8: 'person', 9: 'person', 17: 'person', 19: 'id', 50: 'id', 52: 'person' },
  ORC: { 10: 'person', 11: 'person', 12: 'person', 14: 'phone', 24: 'address' },
  OBR: { 10: 'person', 13: 'all', 16: 'person', 17: 'phone', 28: 'person', 32: 'person', 39: 'all' },
  OBX: { 16: 'person', 25: 'person' },
  NTE: { 3: 'all' },
  PV2: { 12: 'all', 13: 'person' },
  AL1: { 5: 'all' },
  IAM: { 8: 'all', 10: 'all', 14: 'name', 18: 'person' },
  DB1: { 3: 'id' },
  SPM: { 14: 'all' },
  TQ1: { 10: 'all', 11: 'all' },
  // Their first field is the separator.
  BHS: { 9: 'all' },
  BTS: { 2: 'all' },
  FHS: { 9: 'all' },
  FTS: { 2: 'all' },
  MSA: { 3: 'all' },
  ERR: { 7: 'all', 8: 'all' },
  EVN: { 5: 'person' },
  DG1: { 4: 'all', 16: 'person' },
  PR1: { 4: 'all', 8: 'person', 11: 'person', 12: 'person' },
  AIP: { 3: 'person' },
  SCH: {
    ...{
      12: 'person',
      13: 'phone',
      14: 'address',
      16: 'person',
      17: 'phone',
      18: 'address',
      19: 'phone',
      20: 'person',
    },
    ...{ 21: 'phone' },
  },
  TXA: { 5: 'person', 9: 'person', 10: 'person', 11: 'person', 16: 'all', 22: 'person', 23: 'person' },
  FT1: { 20: 'person', 21: 'person' },
  RXA: { 10: 'person' },
  ROL: { 4: 'person', 11: 'address', 12: 'phone' },
  ACC: { 11: 'all' },
};

/** Segments that say nothing of anybody, beside codes and times. */
const PLAIN: ReadonlySet<string> = new Set([
  'MSH',
  'DSC',
  'SFT',
  'SAC',
  'TQ2',
  'AIS',
  'AIG',
  'AIL',
  'RGS',
  'RXR',
  'RXC',
  'DRG',
  'QAK',
]);
/** Data types of OBX-5 (OBX-2) that are codes, numbers and times, and what such a one looks like: all others somebody may have written by hand. */
const CODES: ReadonlySet<string> = new Set(['CE', 'CWE', 'CNE', 'CF']);
const PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  ...['NM', 'SN', 'SI', 'DT', 'TM', 'TS', 'DTM', 'DR'].map((type) => [type, /^[\d.,+\-<>=:/%eE ]*$/] as const),
  ...['ID', 'IS'].map((type) => [type, /^\S{0,20}$/] as const),
]);
/** What a segment is called. */
const NAME = /^[A-Z][A-Z\d]{2}$/;

/** Of what is looked at while a request waits. */
const MOST_VALUES = 5000;

/**
 * A message of which only the beginning is there is masked, too. Segments that are not known, Z-segments among them, lines that are none, as of a text with
 * line breaks in it, and texts that somebody wrote (notes, results that are no codes and no numbers) say what nobody knows: all of them. Undefined for what is no message, or
 * more than can be looked at.
 */
export function maskHl7(text: string): (Masked & { text: string }) | undefined {
  const separators = separatorsOf(text.replace(/^[\s\uFEFF]+/, ''));
  if (!separators) return undefined;
  const { field, component, repetition, subcomponent } = separators;
  const values = new Set<string>();
  const shown = text
    .split(/([\r\n]+)/)
    .map((part) => maskSegment(part))
    .join('');
  return values.size > MOST_VALUES ? undefined : { text: shown, values };

  function maskSegment(segment: string): string {
    const fields = segment.split(field);
    const name = fields[0]!.trim();
    const kinds = FIELDS[name];
    if (values.size > MOST_VALUES || (!kinds && PLAIN.has(name)) || segment.trim() === '') return segment;
    if (!NAME.test(name) || (!kinds && fields.length === 1)) return take(segment);
    const kindOf = (number: number) => (kinds ? kinds[number] : 'all');
    return fields
      .map((text, number) => {
        if (number === 0 || text === '') return text;
        return name === 'OBX' && number === 5 ? maskResult(text, fields[2]!.trim()) : maskField(text, kindOf(number));
      })
      .join(field);
  }

  /** A result, which is what its type says or was written by hand. */
  function maskResult(text: string, type: string): string {
    const pattern = PATTERNS.get(type);
    if (!pattern) return maskField(text, CODES.has(type) ? 'coded' : 'all');
    const kept = (one: string) => (pattern.test(one) ? one : take(one));
    return split(text, repetition, (one) => split(one, component, (each) => split(each, subcomponent, kept)));
  }

  function maskField(text: string, kind: Kind | undefined): string {
    if (!kind) return text;
    const parts: readonly number[] | undefined = PARTS[kind];
    return split(text, repetition, (one) =>
      split(one, component, (each, at) => (!parts || parts.includes(at + 1) ? split(each, subcomponent, take) : each)),
    );
  }

  function take(value: string): string {
    if (value === '' || value === '""') return value;
    values.add(value);
    return MASK;
  }
}

function split(text: string, by: string, each: (part: string, at: number) => string): string {
  return by === '' ? each(text, 0) : text.split(by).map(each).join(by);
}

function separatorsOf(text: string) {
  try {
    return readSeparators(text);
  } catch (error) {
    if (error instanceof Hl7Error) return undefined;
    throw error;
  }
}
