import { AppError } from '#lib/base/errors.ts';
import { openScan, unparsable } from './scan.ts';

/** A number that JSON.stringify(Number(…)) would not give back: trailing zeros, exponents, many digits or leading zeros, -0. */
const INEXACT = /(?:^|[:,[\s])-?(?:\d+\.\d*0|\d+(?:\.\d+)?[eE][-+]?\d+|\d[\d.]{15,}|0\.0{6}\d+|(?<=-)0)\s*(?:[,}\]]|$)/;

type RawNumber = { rawJSON: string };
type RawJson = JSON & {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
};
const raw = JSON as RawJson;

/**
 * Parses JSON without losing digits: 1.50 stays 1.50 through JSON.stringify (such a number is a JSON.rawJSON object; read
 * it with numberOf). Throws AppError structure (400) for bad JSON, duplicate keys, more than 100 levels and keys that
 * reach for prototypes.
 */
export function parseJson(text: string): unknown {
  return parseSafe(text, parseKept);
}

/** Throws what parseJson throws: for who passes the text on. */
export function checkJson(text: string): void {
  parseSafe(text, JSON.parse);
}

function parseSafe(text: string, parse: (text: string) => unknown): unknown {
  try {
    openScan(text).goOn(Number.POSITIVE_INFINITY);
    return parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unparsable('it is not valid JSON', cause);
  }
}

/** As parseJson, of what was looked through before, as all that is stored. Throws SyntaxError. */
export function parseKept(text: string): unknown {
  return INEXACT.test(text) ? raw.parse(text, keepDigits) : JSON.parse(text);
}

/** The number in a value that parseJson gave, or undefined when it is none. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return raw.isRawJSON(value) ? Number(value.rawJSON) : undefined;
}

/** The same value with plain numbers only, for what computes with them and keeps no digits. Changes what it is given. */
export function withPlainNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (raw.isRawJSON(value)) return Number(value.rawJSON) + 0;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    if (typeof holder[key] === 'object') holder[key] = withPlainNumbers(holder[key]);
  }
  return value;
}

/** The digits as they were written, or undefined when the value is no number. */
export function numberSource(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return raw.isRawJSON(value) ? value.rawJSON : undefined;
}

/** As numberSource, in the form in which PostgreSQL's jsonb keeps them: without an exponent, and no zero below zero. */
export function storedDigits(value: unknown): string | undefined {
  const source = numberSource(value);
  if (source === undefined || !/[eE]|^-[0.]+$/.test(source)) return source;
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(source) ?? [];
  const shift = Number(exponent);
  if (Math.abs(shift) > MOST_SHIFT) return source;
  const digits = (whole + part).padEnd(whole.length + shift, '0').padStart(part.length - shift + 1, '0');
  const decimals = Math.max(0, part.length - shift);
  const head = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  const tail = decimals > 0 ? `.${digits.slice(-decimals)}` : '';
  return `${/[1-9]/.test(digits) ? sign : ''}${head}${tail}`;
}

/** What is stored has fewer (primitives.ts). */
const MOST_SHIFT = 1000;

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && source !== String(value) ? raw.rawJSON(source) : value;
}

/** As deep as it is, with the digits of its numbers. */
export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null || raw.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cloneJson(each)])) as T;
}

/**
 * Whether two values say the same; the order of keys does not count. Numbers are compared as `told`: by their digits, or by value
 * (numberOf). Looks at no more of one than the other has.
 */
export function isSameJson(a: unknown, b: unknown, told: (value: unknown) => unknown = numberSource): boolean {
  const number = told(b);
  if (number !== undefined) return told(a) === number;
  if (typeof b !== 'object' || b === null) return a === b;
  if (typeof a !== 'object' || a === null || told(a) !== undefined) return false;
  if (Array.isArray(b)) {
    return Array.isArray(a) && a.length === b.length && b.every((item, at) => isSameJson(a[at], item, told));
  }
  if (Array.isArray(a)) return false;
  const names = Object.keys(b);
  return (
    Object.keys(a).length === names.length &&
    names.every((name) => Object.hasOwn(a, name) && isSameJson((a as Json)[name], (b as Json)[name], told))
  );
}

type Json = Record<string, unknown>;
