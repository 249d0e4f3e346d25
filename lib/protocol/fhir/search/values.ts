import { AppError } from '#lib/base/errors.ts';

/** One alternative of a search value, split at `|` and unescaped. Most kinds of parameter join it again. */
export type SearchValue = string[];

/** `a|b,c` -> [[a, b], [c]], with `\,` `\|` `\$` `\\` taken literally (R4 search §3.1.1.4.0.1). */
export function splitValues(name: string, text: string): SearchValue[] {
  if (text === '') throw badParameter(name, `Search parameter ${name} has no value`);
  if (text.includes('\u0000')) throw badParameter(name, `Search parameter ${name} has a character that is not allowed`);
  const values = splitEscaped(text, ',');
  return values.map((value) => {
    if (value === '') throw badParameter(name, `Search parameter ${name} has an empty value`);
    const read = splitEscaped(value, '|').map(unescapeValue);
    written.set(read, value);
    return read;
  });
}

const written = new WeakMap<SearchValue, string>();

/** A value that splitValues gave, as it was written: composites have parts of their own, between `$`. */
export function writtenAs(value: SearchValue): string {
  return written.get(value) ?? value.map(escapeValue).join('|');
}

/** The text that splitValues reads back as this one value. */
export function escapeValue(text: string): string {
  return text.replace(/[\\,|$]/g, '\\$&');
}

/** Splits at the separator, but not where a backslash stands before it. The parts are still escaped; after `most` of them the last holds the rest. */
export function splitEscaped(text: string, separator: string, most = Number.POSITIVE_INFINITY): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length && parts.length + 1 < most; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

/** Removes the backslash of `\,` `\|` `\$` `\\`; any other backslash stands for itself. */
export function unescapeValue(text: string): string {
  return text.replace(/\\([\\,|$])/g, '$1');
}

/** `code:modifier`; a name without a colon has no modifier. */
export function splitName(name: string): [string, string | undefined] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** Of one parameter whose values are ranges: each is held against what the others leave, by no index of its own. */
const MAX_RANGES = 50;

export function requireFewRanges(values: readonly SearchValue[], name: string): void {
  if (values.length > MAX_RANGES) throw badParameter(name, `${name} takes at most ${MAX_RANGES} values`);
}

/** 400 that names the search parameter. */
export function badParameter(name: string, text: string): AppError {
  return new AppError('invalid', text, { expression: name });
}

const unknowns = new WeakSet<object>();

/** The same, of a name that nothing here knows or supports: a lenient search passes over it. */
export function unknownParameter(name: string, text: string): AppError {
  const error = badParameter(name, text);
  unknowns.add(error);
  return error;
}

export function isUnknownParameter(error: unknown): boolean {
  return error instanceof AppError && unknowns.has(error);
}

const RETRY_SECONDS = 5;

/** Refuses a search by a parameter of the project whose entries rows may lack: 503, until they are made. */
export function requireBuilt({ own, base, code }: { own?: { isReady: boolean }; base: string; code: string }): void {
  if (!own || own.isReady) return;
  throw new AppError('unavailable', `Search parameter ${code} of ${base} is being indexed; ask again later`, {
    expression: code,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
