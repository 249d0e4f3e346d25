import { AppError } from '#lib/base/errors.ts';
import { tokenHash } from '../index/tokens.ts';
import type { Resource } from '../types.ts';
import { wordIds } from './text-search.ts';
import { narrativeOf, textsOf } from './texts-of.ts';
import { wordsOf } from './words-of.ts';

/**
 * What a resource is found by of its words. `words`: each once. `text`: all in their order, with a space on either side, and a line for each
 * text of the resource, so that no phrase goes over its end.
 */
export type WordEntry = { param: number; words: string[]; text: string };

/** Each is hashed, sent and written, and a body has room for millions. */
const MOST_WORDS = 100_000;
/** Of a CodeSystem, which may have a hundred thousand concepts. */
const MOST_OF_SYSTEM = 500_000;

/** Nothing where the project does not look for words. Throws AppError too-costly (400) for more different words than an index takes. */
export function extractWords(projectId: string, resource: Resource): WordEntry[] {
  const ids = wordIds(resource.resourceType, projectId);
  if (!ids) return [];
  const narrative = narrativeOf(resource);
  const entries = [
    toEntry(ids._content, textsOf(resource)),
    toEntry(ids._text, narrative === undefined ? [] : [narrative]),
  ];
  const found = entries.filter(({ words }) => words.length > 0);
  requireFew(found, resource.resourceType);
  return found;
}

/** How a phrase stands in the text of an entry. */
export function toPhrase(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** A word of this project, in what is indexed under this number. */
export function wordToken(param: number, projectId: string, word: string): bigint {
  return tokenHash('word', String(param), projectId, word);
}

function toEntry(param: number, texts: readonly string[]): WordEntry {
  const words = new Set<string>();
  const lines: string[] = [];
  for (const text of texts) {
    const parts: string[] = [];
    for (const piece of piecesOf(text)) {
      const some = wordsOf(piece);
      for (const word of some) words.add(word);
      if (some.length > 0) parts.push(some.join(' '));
    }
    if (parts.length > 0) lines.push(toPhrase(parts));
  }
  return { param, words: [...words], text: lines.join('\n') };
}

const PIECE = 64 * 1024;

/** Of a long text, from one white space to another: the words of a body of 16 MiB are not in memory one by one. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const space = /\s/g;
    space.lastIndex = from + PIECE;
    const to = (from + PIECE < text.length && space.exec(text)?.index) || text.length;
    yield text.slice(from, to);
    from = to;
  }
}

function requireFew(entries: readonly WordEntry[], type: string): void {
  const most = type === 'CodeSystem' ? MOST_OF_SYSTEM : MOST_WORDS;
  if (entries.every(({ words }) => words.length <= most)) return;
  throw new AppError('too-costly', `A resource has at most ${most} different words to search for`, {
    expression: type,
  });
}
