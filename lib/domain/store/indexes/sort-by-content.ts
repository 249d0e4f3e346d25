import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toJsonPath } from '#lib/protocol/fhir/index/json-path.ts';
import type { Branch } from '#lib/protocol/fhir/index/path-compile.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Sort } from '#lib/protocol/fhir/search/parse-search.ts';

// Codes, references and addresses are indexed as hashes, which have no order: a search that is sorted by them reads what each row says. So it
// takes rows that are few, and says so before it reads them.

/** Of a search that is sorted by what no index has in order. */
const MOST_SORTED = 10_000;
/** Of a text that is sorted by: it must fit into a cursor. */
const CHARACTERS = 256;

/** What of a value people order by, the first that there is: its text, what a code is called, and the code. */
const TEXTS: Record<string, readonly (readonly string[])[]> = {
  CodeableConcept: [['.text'], ['.coding.display'], ['.coding.code']],
  Coding: [[], ['.display'], ['.code']],
  Identifier: [[], [], ['.value']],
  ContactPoint: [[], [], ['.value']],
  Reference: [[], [], ['.reference']],
};
const PLAIN = [[], [], ['']];
const BY_CONTENT = new Set(['token', 'reference', 'uri']);

export function isByContent({ type, code }: SearchParam): boolean {
  return BY_CONTENT.has(type) && code !== '_id';
}

/** Throws 400 when there is more to sort than a search may read. One look at an index more, of such searches only. */
export async function requireSortable(q: Queryable, where: SQL, sort: readonly Sort[]): Promise<void> {
  const key = sort.find(({ param }) => isByContent(param) || param.type === 'number' || param.type === 'quantity');
  if (!key) return;
  const [found] = await runSql<{ count: number }>(
    q,
    sql`select count(*)::int as count from (select from resource r where ${where} limit ${MOST_SORTED + 1}) few`,
  );
  if ((found?.count ?? 0) <= MOST_SORTED) return;
  throw new AppError('too-costly', `Sorting by ${key.param.code} takes a search that finds at most ${MOST_SORTED}`, {
    expression: '_sort',
  });
}

/**
 * The smallest or largest text of the parameter in the row `r`; null when there is none. Where it stands is a value of the statement, whose text
 * is the same for every parameter (data.md, planner lesson 13).
 */
export function contentValue({ path, whenAbsent }: SearchParam, descending: boolean): SQL {
  const column = sql.raw(path.every(isInMeta) ? 'r.meta' : 'r.content');
  if (path.some(({ truth }) => truth)) {
    const found = sql`unnest(${toTextArray(path.map((branch) => `${jsonPath(branch)} ? (@.type() != "boolean" || @ == true)`))}::text[]) p(path)`;
    return sql`(select bool_or(jsonb_path_exists(${column}, p.path::jsonpath)) from ${found})::text`;
  }
  const best = sql.raw(descending ? 'max' : 'min');
  const texts = [0, 1, 2].map((at) => {
    const paths = path.flatMap(
      (branch) => (TEXTS[branch.type] ?? PLAIN)[at]?.map((end) => `${jsonPath(branch)}${end}[*]`) ?? [],
    );
    return sql`(select ${best}(v.value #>> '{}' collate "C") from unnest(${toTextArray(paths)}::text[]) p(path),
      jsonb_path_query(${column}, p.path::jsonpath) v(value))`;
  });
  return sql`left(coalesce(${sql.join(texts, sql.raw(', '))}, ${whenAbsent ?? null}::text), ${sql.raw(String(CHARACTERS))}) collate "C"`;
}

function isInMeta({ hops: [first] }: Branch): boolean {
  return first !== undefined && 'property' in first && first.property === 'meta';
}

function jsonPath(branch: Branch): string {
  return toJsonPath(isInMeta(branch) ? { hops: branch.hops.slice(1) } : branch);
}
