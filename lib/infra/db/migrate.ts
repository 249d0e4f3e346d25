import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { forPostgres, parseAddress } from './address.ts';
import { checkCluster, distributeTables, isCluster } from './cluster/distribute.ts';

const MIGRATION_LOCK = 7_310_002;

export type Migrated = {
  /** Tables that this call has spread over the nodes of a cluster. */
  distributed: string[];
};

/**
 * Brings the database of DATABASE_URL to the newest schema in `drizzle/`, and its tables to their nodes, where it has any. Several instances
 * may call it at once: they take turns. Throws `WrongSettings` for a cluster that cannot be worked on.
 */
export async function migrate(url = env().DATABASE_URL): Promise<Migrated> {
  // One connection: an advisory lock belongs to the session that took it.
  const sql = postgres({
    ...forPostgres(parseAddress(url)),
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: 'gatehouse-migrate' },
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    const cluster = await isCluster(sql);
    if (cluster) {
      await checkCluster(sql);
      // A migration reads rows of a table and changes the table in one transaction, which Citus else refuses.
      await sql`set citus.multi_shard_modify_mode = 'sequential'`;
    }
    await applyMigrations(drizzle(sql), { migrationsFolder: `${import.meta.dirname}/../../../drizzle` });
    // What helps the release before would be in the way there (drizzle/0015_directory.sql).
    if (cluster) await sql`select end_of_roll_out()`;
    return { distributed: cluster ? await distributeTables(sql) : [] };
  } finally {
    await sql.end({ timeout: 5 });
  }
}
