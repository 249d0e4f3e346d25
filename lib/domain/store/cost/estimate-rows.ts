import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Queryable, runSql } from '#lib/infra/db/client.ts';
import { inProject, ofType } from '../planner/in-project.ts';

/** What was said of a type of a project a while ago is as good as what would be said now. */
const KEPT_MS = 10 * 60_000;

const kept = new LRUCache<string, number>({ max: 10_000, ttl: KEPT_MS });

/** About how many rows a project has of a type, as the planner thinks: nothing is read for it but statistics, once in a while. */
export async function estimateRows(q: Queryable, projectId: string, type: string): Promise<number> {
  const key = `${projectId} ${type}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const rows = await runSql<{ 'QUERY PLAN': unknown }>(
    q,
    sql`explain (format json) select from resource r where ${inProject(projectId, false)} and ${ofType(type)}`,
  );
  const estimate = mostRows(rows.map((row) => row['QUERY PLAN']));
  kept.set(key, estimate);
  return estimate;
}

/** On a cluster the plan of the node that has the project stands within that of the coordinator, as a text or as it is. */
function mostRows(plan: unknown): number {
  const text = typeof plan === 'string' ? plan : JSON.stringify(plan);
  const found = [...text.matchAll(/\\*"Plan Rows\\*":\s*(\d+)/g)].map(([, rows]) => Number(rows));
  return Math.max(0, ...found);
}
