/** Longer values are indexed by their beginning (characters after folding). */
export const MAX_STRING = 400;

/** As foldString, cut to MAX_STRING: what stands in the index. */
export function normalizeString(text: string): string {
  const folded = foldString(text);
  if (folded.length <= MAX_STRING) return folded;
  const part = folded.slice(0, MAX_STRING);
  // Half a surrogate pair at the cut would be text that Postgres refuses.
  return part.isWellFormed() ? part : part.slice(0, -1);
}

/** Lower-cased, accents stripped, white space collapsed. */
export function foldString(text: string): string {
  const plain = IS_ASCII.test(text) ? text.toLowerCase() : foldLetters(text);
  return plain.replace(/\s+/g, ' ').trim();
}

const IS_ASCII = /^[\x20-\x7e]*$/;

/** A final sigma is a sigma: else a prefix would be folded differently from the word that it begins. */
function foldLetters(text: string): string {
  const base = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
  return base.toLowerCase().replaceAll('ς', 'σ');
}
