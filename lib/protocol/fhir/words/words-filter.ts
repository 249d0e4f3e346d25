import { AppError } from '#lib/base/errors.ts';
import { TEXT_SEARCH } from '../../text-search.ts';
import type { Expr } from '../search/ir.ts';
import { badParameter, type SearchValue, unknownParameter } from '../search/values.ts';
import { hasNarrative, hasWords, textSearchOf, type WordParam, wordIds } from './text-search.ts';
import { readWordTree, type WordBudget } from './word-grammar.ts';

/** `name`: as the caller wrote it. `isJudging`: what is asked of is indexed just then, and not looked for in what is stored. */
type Asked = { name: string; projectId: string; budget: WordBudget; isJudging?: boolean };

const RETRY_SECONDS = 5;

/**
 * The filter of `_text` or `_content` (R4 search §3.1.1.4.5), of which any value must fit. Throws AppError invalid (400) for what it cannot honour,
 * unknownParameter where the project or the type does not have it, and 503 while what is stored is being indexed.
 */
export function wordsFilter(
  type: string,
  { code, modifier }: { code: WordParam; modifier: string | undefined },
  values: readonly SearchValue[],
  { name, projectId, budget, isJudging }: Asked,
): Expr {
  if (!(code === '_text' ? hasNarrative(type) : hasWords(type)))
    throw unknownParameter(name, `Search parameter ${code} is not supported of ${type}`);
  const ids = wordIds(type, projectId);
  if (!ids)
    throw unknownParameter(
      name,
      `Search parameter ${code} needs the setting ${TEXT_SEARCH} of the project, which is off`,
    );
  if (modifier !== undefined) throw badParameter(name, `Modifier :${modifier} is not supported for ${code}`);
  const refuse = (what: string) => badParameter(name, `${name}: ${what}`);
  const trees = values.map((value) => readWordTree(value.join('|'), refuse, budget));
  if (!isJudging && !textSearchOf(projectId)?.isReady) throw building(code);
  return { op: 'words', param: ids[code], tree: trees.length === 1 ? trees[0]! : { any: trees } };
}

function building(code: WordParam): AppError {
  return new AppError('unavailable', `What ${code} looks for is being indexed; ask again later`, {
    expression: code,
    retryAfterSeconds: RETRY_SECONDS,
  });
}
