import { type SQL, sql } from 'drizzle-orm';
import { runSql, searches } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { isSelective } from '../compile-filter.ts';
import { isFrequent } from '../planner/is-frequent.ts';
import { matching } from '../search-rows.ts';
import { requireRaised } from './raise-index.ts';

/** `after`, `to`: ids; behind the one, and up to the other. */
export type IdRange = { type: string; filter: Expr; after: string; to: string | null; most: number };

/** The first ids, in their order, of resources of a type that match. */
export async function findIds(projectId: string, { type, filter, after, to, most }: IdRange): Promise<string[]> {
  await requireRaised({ filter, sort: [] });
  const q = searches();
  const correlated = isSelective(filter) || (await isFrequent(q, projectId, filter));
  const rows = await runSql<{ id: string }>(
    q,
    sql`select r.id from resource r where ${matching({ projectId, type, correlated }, filter)}
    and r.id > ${after}${upTo(to)} order by r.id limit ${most}`,
  );
  return rows.map(({ id }) => id);
}

/** Nothing where there is no end: no id is known to be the last. */
function upTo(to: string | null): SQL {
  return to === null ? sql`` : sql` and r.id <= ${to}`;
}
