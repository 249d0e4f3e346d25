import { type WordEntry, wordToken } from '#lib/protocol/fhir/words/extract-words.ts';
import { wordIds } from '#lib/protocol/fhir/words/text-search.ts';

/** Whether resources of the type may have rows in ix_words. */
export function isWorded(type: string, projectId: string): boolean {
  return wordIds(type, projectId) !== undefined;
}

/** What the statements take as the rows of ix_words. Tokens are texts: JSON has no 64 bits. */
export function toWordRows(projectId: string, rows: readonly { id: string; words: readonly WordEntry[] }[]): string {
  return JSON.stringify(
    rows.flatMap(({ id, words: entries }) =>
      entries.map(({ param, words, text }) => ({
        i: id,
        p: param,
        w: words.map((word) => String(wordToken(param, projectId, word))),
        x: text,
      })),
    ),
  );
}
