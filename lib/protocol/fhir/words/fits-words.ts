import { toPhrase } from './extract-words.ts';
import type { WordTree } from './word-grammar.ts';

/** Whether the text of an entry has what is looked for. The twin of compileWords (lib/domain/store/words/compile-words.ts). */
export function fitsWords(tree: WordTree, text: string): boolean {
  if ('phrase' in tree) return text.includes(toPhrase(tree.phrase));
  if ('all' in tree) return tree.all.every((part) => fitsWords(part, text));
  return tree.any.some((part) => fitsWords(part, text));
}
