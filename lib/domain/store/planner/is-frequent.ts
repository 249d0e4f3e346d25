import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { matchesString } from '../compile-filter.ts';
import { hasContains } from '../cost/lead-of.ts';
import { measures, places } from '../indexes/compile-measures.ts';
import { entriesWith } from '../words/compile-words.ts';

/** So many may be fetched before the rows are looked at; of more, a page is full after a few rows each of which is asked. */
const MANY = 1000;

/**
 * Whether the words or numbers of a search fit so many resources that to fetch them all would cost more than a page: a look at the first thousand
 * of the index. Words within a text are not looked for so: for them all of the index is read.
 */
export async function isFrequent(q: Queryable, projectId: string, filter: Expr): Promise<boolean> {
  const frequent = areMany(projectId, filter);
  if (!frequent) return false;
  const [row] = await runSql<{ frequent: boolean }>(q, sql`select ${frequent} as frequent`);
  return row?.frequent === true;
}

/** The same as a condition, for a statement that looks before it fetches; undefined where there is nothing to look at. */
export function areMany(projectId: string, filter: Expr): SQL | undefined {
  const parts = filter.op === 'and' ? filter.args : [filter];
  const found = parts.flatMap((part) => entriesOf(projectId, part) ?? []);
  if (found.length === 0 || parts.some(hasContains)) return undefined;
  const counts = found.map((entries) => sql`(select count(*) from (${entries} limit ${MANY + 1}) few)`);
  return sql`least(${sql.join(counts, sql.raw(', '))}) > ${MANY}`;
}

/** Of an index that has an order. */
function entriesOf(projectId: string, part: Expr): SQL | undefined {
  if (part.op === 'string') {
    return sql`select from ix_string s
      where s.project_id = ${projectId} and s.param = ${part.param} and ${matchesString(part.values)}`;
  }
  if (part.op === 'words') return entriesWith(projectId, sql``, part);
  if (part.op !== 'quantity' && part.op !== 'near') return undefined;
  const params = part.op === 'near' ? [part.param] : part.params;
  const fits = part.op === 'near' ? places(part) : measures(part);
  return sql`select from ix_quantity q
    where q.project_id = ${projectId} and q.param = any(${`{${params.join(',')}}`}::int[]) and ${fits}`;
}
