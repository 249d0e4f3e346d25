import { doubleMetaphone } from 'double-metaphone';
import { foldString } from '../index/normalize.ts';

/** Of one text, and of one word: what is more is not heard. */
const MOST = { words: 50, letters: 64 };
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * How the words of a text sound: of each the codes by double metaphone (L. Philips, 2000), or itself where that has none, as of a script that it does not
 * know. Part of the data format: what is stored and what is asked for go through it alike.
 */
export function soundsOf(text: string): string[][] {
  const words = [...new Set(foldString(text).match(WORD) ?? [])].slice(0, MOST.words);
  return words.map((word) => {
    const heard = word.slice(0, MOST.letters);
    const codes = /^[a-z]+$/.test(heard) ? [...new Set(doubleMetaphone(heard))].filter((code) => code !== '') : [];
    return codes.length > 0 ? codes : [heard];
  });
}
