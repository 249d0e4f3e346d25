import { sql } from 'drizzle-orm';
import { db } from '../client.ts';

/** One short look at the index for each project, on the node that has it: asked from outside, each would go to all of them. */
const PROJECTS = `
  with recursive p(id) as (
    (select project_id from %1$s order by project_id limit 1)
    union all
    select (select t.project_id from %1$s t where t.project_id > p.id order by t.project_id limit 1) from p where p.id is not null)
  select coalesce(string_agg(id::text, ','), '') from p`;

/** The projects that have rows in a table, where it is spread over a cluster; else undefined. */
export async function projectsOnShards(table: string): Promise<string[] | undefined> {
  if (!(await isSpread(table))) return undefined;
  const shards = await db().execute<{ success: boolean; result: string }>(
    sql`select success, result from run_command_on_shards(${table}::regclass, ${PROJECTS}, false)`,
  );
  const away = shards.find(({ success }) => !success);
  // Nothing is known of the projects there, which is not the same as none.
  if (away) throw new Error(`A node does not tell which projects ${table} has: ${away.result}`);
  return shards.flatMap(({ result }) => result.split(',').filter(Boolean));
}

async function isSpread(table: string): Promise<boolean> {
  const [cluster] = await db().execute(sql`select from pg_extension where extname = 'citus'`);
  if (!cluster) return false;
  const [spread] = await db().execute(sql`select from pg_dist_partition where logicalrelid = ${table}::regclass`);
  return spread !== undefined;
}
