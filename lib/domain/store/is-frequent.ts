import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { matchesString } from './compile-filter.ts';

/** So many may be fetched before the rows are looked at; of more, a page is full after a few rows each of which is asked. */
const MANY = 1000;

/**
 * Whether the words of a search fit so many resources that to fetch them all would cost more than a page: a look at the first thousand of
 * the index. Words within a text are not looked for so: for them all of the index is read.
 */
export async function isFrequent(q: Queryable, projectId: string, filter: Expr): Promise<boolean> {
  const frequent = areManyWords(projectId, filter);
  if (!frequent) return false;
  const [row] = await runSql<{ frequent: boolean }>(q, sql`select ${frequent} as frequent`);
  return row?.frequent === true;
}

/** The same as a condition, for a statement that looks before it fetches; undefined where there is nothing to look at. */
export function areManyWords(projectId: string, filter: Expr): SQL | undefined {
  const words = (filter.op === 'and' ? filter.args : [filter]).filter((part) => part.op === 'string');
  const [first] = words;
  if (!first || words.some(({ values }) => values.some(({ mode }) => mode === 'contains'))) return undefined;
  const found = words.map(
    ({ param, values }) => sql`(select count(*) from (select from ix_string s
      where s.project_id = ${projectId} and s.param = ${param} and ${matchesString(values)} limit ${MANY + 1}) few)`,
  );
  return sql`least(${sql.join(found, sql.raw(', '))}) > ${MANY}`;
}
