import { MASK } from './masked.ts';

const WORD = /[\p{L}\p{N}]+/gu;
/** May be followed by a time. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const ADDRESS = /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;

/**
 * A function that puts a mask where one of these values stands as a word of its own, in any case, and for e-mail addresses. What it costs grows with the
 * text, and not with how many values there are: it looks for what begins at each word.
 */
export function replaceValues(values: Iterable<string>): (text: string) => string {
  const byFirst = new Map<string, string[]>();
  for (const value of [...values].flatMap(formsOf)) {
    const [first] = value.match(WORD) ?? [];
    // One letter or digit says nothing, and stands everywhere.
    if (first === undefined || value.length < 2) continue;
    byFirst.set(first, [...(byFirst.get(first) ?? []), value]);
  }
  for (const some of byFirst.values()) some.sort((a, b) => b.length - a.length);
  return (text) => {
    const plain = text.replaceAll(ADDRESS, MASK);
    let shown = '';
    let from = 0;
    for (const { 0: word, index } of plain.matchAll(WORD)) {
      if (index < from) continue;
      const found = byFirst.get(word.toLowerCase())?.find((value) => standsAt(plain, index, value));
      if (found === undefined) continue;
      shown += plain.slice(from, index) + MASK;
      from = index + found.length;
    }
    return shown + plain.slice(from);
  };
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
  const text = value.toLowerCase();
  const start = text.search(WORD);
  if (start < 0) return [];
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text) ?? [];
  const own = text.slice(start).replace(/[^\p{L}\p{N}]+$/u, '');
  return day ? [own, `${year}-${month}-${day}`, `${year}${month}${day}`] : [own];
}

function standsAt(text: string, at: number, value: string): boolean {
  const end = at + value.length;
  if (text.slice(at, end).toLowerCase() !== value) return false;
  const next = text.slice(end, end + 2);
  return !/^[\p{L}\p{N}]/u.test(next) || (DAY.test(value) && /^T\d/.test(next));
}
