import { sql } from 'drizzle-orm';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { type Expr, relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import { compileFilter } from '../compile-filter.ts';

/** A resource that a policy is asked of, stored or about to be: `content` as the store keeps it. */
export type Candidate = { projectId: string; type: string; id: string; content: string | null };
/** What of an expression's `related` holds of it. */
export type Related = ReadonlyMap<Expr, boolean>;

/** Of candidates in one statement. */
const AT_ONCE = 50;
const NOTHING: Related = new Map();

/**
 * What these expressions ask of other resources, answered for each candidate, all of one project and type: by the very SQL of searches, over
 * the candidates instead of the table, so that both readings agree on what is not stored yet, too. One statement for fifty of them; none where nothing is
 * asked. Nothing of the answer is kept: the next who asks sees what the others are by then.
 */
export async function relate(
  exprs: readonly Expr[],
  candidates: readonly Candidate[],
  q: Queryable = db(),
): Promise<Related[]> {
  const asked = [...new Set(exprs.flatMap(relatedIn))];
  const [first] = candidates;
  if (asked.length === 0 || !first) return candidates.map(() => NOTHING);
  const { projectId, type } = first;
  const each = asked.map((expr) => sql`(${compileFilter({ projectId, type, correlated: true }, expr)})::int`);
  const answers: Related[] = [];
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const some = candidates.slice(at, at + AT_ONCE);
    const [ids, contents] = [some.map(({ id }) => id), some.map(({ content }) => content ?? '{}')];
    const given = sql`unnest(${toTextArray(ids)}::text[], ${toTextArray(contents)}::text[]) with ordinality v(id, content, at)`;
    const rows = await runSql<{ held: string }>(
      q,
      sql`select array_to_string(array[${sql.join(each, sql.raw(', '))}], '') as held
        from (select v.id, v.content::jsonb as content, v.at from ${given} offset 0) r order by r.at`,
    );
    answers.push(...rows.map(({ held }) => new Map(asked.map((expr, n) => [expr, held[n] === '1']))));
  }
  return answers;
}
