import { sql } from 'drizzle-orm';
import { db } from './client.ts';

/**
 * Tells the planner what stands now in the tables that many people at once write to. Autovacuum does the same within a minute; until then,
 * lists of ten thousand imported members are read row by row, as if there were one (47 s instead of 0.1 s). Which tables:
 * drizzle/0067_server_role.sql, since only their owner may.
 */
export async function refreshStatistics(): Promise<void> {
  await db().execute(sql`select refresh_statistics()`);
}
