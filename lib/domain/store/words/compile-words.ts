import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { toPhrase, wordToken } from '#lib/protocol/fhir/words/extract-words.ts';
import type { WordTree } from '#lib/protocol/fhir/words/word-grammar.ts';
import { isNamedOften } from './is-named-often.ts';

type Words = Extract<Expr, { op: 'words' }>;

/**
 * That the row `r` has such words: asked by its id (`correlated`), or one of all that have them. The index over words is never asked for a row that
 * something else has found. The twin of fitsWords.
 */
export function compileWords({ projectId, correlated }: { projectId: string; correlated: boolean }, expr: Words): SQL {
  if (!correlated) return sql`r.id = any(array(${entriesWith(projectId, sql.raw('w.id'), expr)}))`;
  return sql`coalesce((select true from ix_words w where w.project_id = ${projectId} and w.id = r.id
        and w.param is not distinct from ${expr.param} and coalesce(${fits(expr, projectId, expr.tree)}, false) limit 1), false)`;
}

/** The entries that have the words, by their index. */
export function entriesWith(projectId: string, columns: SQL, expr: Words): SQL {
  return sql`select ${columns} from ix_words w
        where ${isNamedOften(sql.raw('w.project_id'), projectId)} and w.param = ${expr.param} and ${fits(expr, projectId, expr.tree)}`;
}

/** Single words of one group are one condition, however many there are (data.md, planner lesson 13). */
function fits(expr: Words, projectId: string, tree: WordTree): SQL {
  const isAll = !('any' in tree);
  const parts = 'any' in tree ? tree.any : 'all' in tree ? tree.all : [tree];
  const phrases = parts.filter((part) => 'phrase' in part).map(({ phrase }) => phrase);
  const token = (word: string) => String(wordToken(expr.param, projectId, word));
  const [one, several] = [phrases.filter(({ length }) => length === 1), phrases.filter(({ length }) => length > 1)];
  const words = [...new Set((isAll ? phrases : one).flat().map(token))];
  const conditions = [
    ...(words.length > 0 ? [sql`w.words ${sql.raw(isAll ? '@>' : '&&')} ${`{${words.join(',')}}`}::bigint[]`] : []),
    ...(isAll ? inOrder(several) : several.map((phrase) => fits(expr, projectId, { phrase }))),
    ...parts.filter((part) => !('phrase' in part)).map((part) => fits(expr, projectId, part)),
  ];
  return sql`(${sql.join(conditions, sql.raw(isAll ? ' and ' : ' or '))})`;
}

/** The index tells who has all words of a phrase; the text, whether they stand next to each other. */
function inOrder(phrases: readonly (readonly string[])[]): SQL[] {
  if (phrases.length === 0) return [];
  const texts = toTextArray(phrases.map(toPhrase));
  return [sql`(select bool_and(position(p.text in w.text) > 0) from unnest(${texts}::text[]) p(text))`];
}
