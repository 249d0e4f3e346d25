/** Characters of an index entry. A longer value has its beginning in one, and the whole of it in windows that overlap. */
export const MAX_STRING = 400;
/** What is no longer than this stands whole in one of the windows. */
export const MAX_CONTAINED = MAX_STRING / 2;

/** Index entries of a folded text: its beginning, and windows of it when that is not all. */
export function toEntries(folded: string): { head: string; windows: string[] } {
  if (folded.length <= MAX_STRING) return { head: folded, windows: [] };
  const windows: string[] = [];
  for (let start = 0; start + MAX_CONTAINED < folded.length; start += MAX_CONTAINED) windows.push(cut(folded, start));
  return { head: cut(folded, 0), windows };
}

/** Half a surrogate pair at an end would be text that Postgres refuses. */
function cut(text: string, start: number): string {
  const isLow = (at: number) => text.charCodeAt(at) >> 10 === 0x37;
  const from = isLow(start) ? start + 1 : start;
  const to = start + MAX_STRING;
  return text.slice(from, isLow(to) ? to - 1 : to);
}

/** Lower-cased, accents stripped, white space collapsed. */
export function foldString(text: string): string {
  return foldCharacters(text).replace(UNEVEN, ' ').trim();
}

/** Lower-cased, accents stripped. */
export function foldCharacters(text: string): string {
  return IS_ASCII.test(text) ? text.toLowerCase() : foldLetters(text);
}

/** White space that is not a single space: most of it is, and to replace it by itself is most of the work. */
const UNEVEN = /\s{2,}|[^\S ]/g;
const IS_ASCII = /^[\s\x20-\x7e]*$/;

/** So many at once: of millions the regular expression takes more stack than there is. */
const MARKS = /\p{M}{1,1000}/gu;

/** A final sigma is a sigma: else a prefix would be folded differently from the word that it begins. */
function foldLetters(text: string): string {
  const base = text.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  return base.toLowerCase().replaceAll('ς', 'σ');
}
