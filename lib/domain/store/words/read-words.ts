import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { WordEntry } from '#lib/protocol/fhir/words/extract-words.ts';

/** The entries of each of the rows `x` that are meant, by the id of the resource. The tokens are those of their text. */
export async function readWords(own: SQL): Promise<(id: string) => WordEntry[]> {
  const rows = await db().execute<{ id: string; param: number; text: string }>(
    sql`select x.id, x.param, x.text from ix_words x where ${own}`,
  );
  const byId = Map.groupBy(rows, ({ id }) => id);
  return (id) => (byId.get(id) ?? []).map(({ param, text }) => ({ param, text, words: [] }));
}
