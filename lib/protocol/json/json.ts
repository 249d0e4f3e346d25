import { AppError } from '#lib/base/errors.ts';

const MAX_DEPTH = 100;
/** Of one number, and of the white space of who indents. */
const MAX_GAP = 10_000;
const SIGNIFICANT = /["[\]{},]/g;
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
  try {
    refuseTraps(text);
    return INEXACT.test(text) ? raw.parse(text, keepDigits) : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unparsable('it is not valid JSON', cause);
  }
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

/** One pass over the text, valid or not: JSON.parse itself would keep the last of two equal keys and recurse without end. */
function refuseTraps(text: string): void {
  const levels: (Set<string> | undefined)[] = [];
  let index = 0;
  while (index < text.length) {
    index = nextSignificant(text, index);
    const char = text.charCodeAt(index);
    if (char === 0x22) {
      const end = endOfString(text, index);
      const next = skipSpace(text, end);
      if (text.charCodeAt(next) === 0x3a) checkKey(text, index, end, next + 1, levels.at(-1));
      index = end;
      continue;
    }
    if (char === 0x7b || char === 0x5b) levels.push(char === 0x7b ? new Set() : undefined);
    else if (char === 0x7d || char === 0x5d) levels.pop();
    if (levels.length > MAX_DEPTH) throw unparsable(`it is nested more than ${MAX_DEPTH} levels deep`);
    index += 1;
  }
}

/** By the engine's own search, as far as there is something to find. Throws where there is nothing for long. */
function nextSignificant(text: string, start: number): number {
  SIGNIFICANT.lastIndex = start;
  const next = SIGNIFICANT.test(text) ? SIGNIFICANT.lastIndex - 1 : text.length;
  if (next - start > MAX_GAP) throw unparsable(`it has a number, or white space, of more than ${MAX_GAP} characters`);
  return next;
}

/** Index after the closing quote of the text that begins at `start`. By the engine's own search, until a quote is escaped: texts may be millions long. */
export function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first < 0) return text.length;
  if (!isEscaped(text, first)) return first + 1;
  for (let index = first + 1; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === 0x5c) index += 1;
    else if (char === 0x22) return index + 1;
  }
  return text.length;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (at - first) % 2 === 1;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && text.charCodeAt(index) <= 0x20) index += 1;
  return index;
}

function checkKey(text: string, start: number, end: number, valueStart: number, seen: Set<string> | undefined): void {
  const literal = text.slice(start, end);
  const key = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  const isObject = text.charCodeAt(skipSpace(text, valueStart)) === 0x7b;
  if (key === '__proto__' || (key === 'constructor' && isObject)) throw unparsable(`the key ${key} is not allowed`);
  if (seen?.has(key)) throw unparsable(`the key ${key.slice(0, 80)} stands twice in one object`);
  seen?.add(key);
}

function unparsable(reason: string, cause?: unknown): AppError {
  return new AppError('structure', `Content could not be parsed: ${reason}`, { cause });
}
