import { foldCharacters } from '../index/normalize.ts';

/** Scripts that people write without spaces: each character is a word, and several of them are found as a phrase. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
/** As long as nobody asks for: of millions of letters the regular expression takes more stack than there is. */
const LONGEST = 20_000;
const WORD = new RegExp(String.raw`[${UNSPACED}]|[[\p{L}\p{N}]--[${UNSPACED}]]{1,${LONGEST}}`, 'gv');
/** Stand within words, and are not seen. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * The words of a text, in their order: letters and digits, whatever their case and accents; all else is between them. For what is indexed and
 * for what is looked for. Part of the data format.
 */
export function wordsOf(text: string): string[] {
  const folded = foldCharacters(text.replace(UNSEEN, ''));
  return folded.match(IS_PLAIN.test(folded) ? PLAIN : WORD) ?? [];
}

/** Of these the words are found in a tenth of the time. */
const IS_PLAIN = /^[\s\x20-\x7e]*$/;
const PLAIN = /[a-z0-9]+/g;
