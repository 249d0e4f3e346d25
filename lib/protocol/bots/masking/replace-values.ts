import { MASK } from './masked.ts';

const WORD = /[\p{L}\p{N}]+/gu;
/** May be followed by a time. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const AT_HOST = /@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const OF_MAILBOX = /[\w.%+-]/;
const LONGEST_MAILBOX = 64;
/** Of the texts of one run together, made to look like its values everywhere: words and tries, of which a long one counts for more. */
const MOST_STEPS = 300_000;
const STEP_CHARACTERS = 16;

/** The text with masks; null where there is more to look at than others should wait for. */
export type Replace = (text: string) => string | null;

/**
 * A function that puts a mask where one of these values stands as a word of its own, in any case, and for e-mail addresses. At each word it looks up
 * what begins with it, once for each length that this may have: how many values begin alike does not count.
 */
export function replaceValues(values: Iterable<string>): Replace {
  const forms = new Set<string>();
  const lengths = new Map<string, Set<number>>();
  for (const form of [...values].flatMap(formsOf)) {
    const first = /[\p{L}\p{N}]+/u.exec(form)?.[0];
    // One letter or digit says nothing, and stands everywhere.
    if (first === undefined || form.length < 2) continue;
    forms.add(form);
    const known = lengths.get(first);
    if (known) known.add(form.length);
    else lengths.set(first, new Set([form.length]));
  }
  const longestFirst = new Map([...lengths].map(([first, some]) => [first, [...some].sort((a, b) => b - a)]));
  let left = MOST_STEPS;

  return (text) => {
    const plain = withoutAddresses(text);
    const folded = fold(plain);
    let shown = '';
    let from = 0;
    for (const { 0: word, index } of folded.matchAll(WORD)) {
      left -= 1;
      if (index < from) continue;
      const found = longestFirst.get(word)?.find((length) => standsAt(index, length));
      if (left < 0) return null;
      if (found === undefined) continue;
      shown += plain.slice(from, index) + MASK;
      from = index + found;
    }
    return left < 0 ? null : shown + plain.slice(from);

    function standsAt(at: number, length: number): boolean {
      left -= 1 + length / STEP_CHARACTERS;
      const value = folded.slice(at, at + length);
      if (left < 0 || !forms.has(value)) return false;
      const next = plain.slice(at + length, at + length + 2);
      return !/^[\p{L}\p{N}]/u.test(next) || (DAY.test(value) && /^T\d/.test(next));
    }
  };
}

/** Looked for from their end: from each beginning it would take longer than a text is worth. */
function withoutAddresses(text: string): string {
  let shown = '';
  let from = 0;
  for (const { 0: host, index } of text.matchAll(AT_HOST)) {
    let start = index;
    const most = Math.max(from, index - LONGEST_MAILBOX);
    while (start > most && OF_MAILBOX.test(text[start - 1]!)) start -= 1;
    if (start === index) continue;
    shown += text.slice(from, start) + MASK;
    from = index + host.length;
  }
  return shown + text.slice(from);
}

/** In small letters, of which each stands where it stood: the small form of a capital I with a dot would be two. */
function fold(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** As it is, as JSON and as addresses write it. */
function formsOf(value: string): string[] {
  const text = value.trim();
  const inAddress = encodeURIComponent(text.toWellFormed());
  const written = [text, JSON.stringify(text).slice(1, -1), inAddress, inAddress.replaceAll('%20', '+')];
  return [...new Set(written)].flatMap(fromFirstWord);
}

/** From its first word on, and a date as both FHIR and HL7 v2 write it. */
function fromFirstWord(value: string): string[] {
  const text = fold(value);
  const start = text.search(WORD);
  if (start < 0) return [];
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  const own = text.slice(start).replace(/[^\p{L}\p{N}]+$/u, '');
  return day ? [own, `${year}-${month}-${day}`, `${year}${month}${day}`] : [own];
}
