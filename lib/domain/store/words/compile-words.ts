import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { toPhrase, wordToken } from '#lib/protocol/fhir/words/extract-words.ts';
import type { WordTree } from '#lib/protocol/fhir/words/word-grammar.ts';
import { isNamedOften } from '../planner/is-named-often.ts';

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
  if ('any' in tree) {
    const single = tree.any.filter((part) => 'phrase' in part).filter(({ phrase }) => phrase.length === 1);
    const words = single.flatMap(({ phrase }) => phrase);
    const others = tree.any.filter((part) => !single.some((one) => one === part));
    const parts = others.map((part) => fits(expr, projectId, part));
    return joined(words.length > 0 ? [sql`w.words && ${tokensOf(expr, projectId, words)}`, ...parts] : parts, ' or ');
  }
  const all = 'all' in tree ? tree.all : [tree];
  const phrases = all.filter((part) => 'phrase' in part).map(({ phrase }) => phrase);
  const parts = all.filter((part) => !('phrase' in part)).map((part) => fits(expr, projectId, part));
  if (phrases.length === 0) return joined(parts, ' and ');
  const tokens = tokensOf(expr, projectId, phrases.flat());
  return joined([sql`w.words @> ${tokens}`, ...inOrder(phrases.filter(({ length }) => length > 1)), ...parts], ' and ');
}

/**
 * Of a subquery the planner does not know what it gives: of words that most rows have it would read the table from end to end, though the first
 * thousand are enough (is-frequent.ts).
 */
function tokensOf({ param }: Words, projectId: string, words: readonly string[]): SQL {
  const tokens = new Set(words.map((word) => wordToken(param, projectId, word)));
  return sql`(select ${`{${[...tokens].join(',')}}`}::bigint[])`;
}

function joined(conditions: readonly SQL[], by: ' and ' | ' or '): SQL {
  return sql`(${sql.join([...conditions], sql.raw(by))})`;
}

/** The index tells who has all words of a phrase; the text, whether they stand next to each other. */
function inOrder(phrases: readonly (readonly string[])[]): SQL[] {
  if (phrases.length === 0) return [];
  const texts = toTextArray(phrases.map(toPhrase));
  return [sql`(select bool_and(position(p.text in w.text) > 0) from unnest(${texts}::text[]) p(text))`];
}
