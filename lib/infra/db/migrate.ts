import { setTimeout as pause } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { INDEX_LEVEL, LEVEL_NAME } from '#lib/protocol/fhir/index/format.ts';
import { directUrl, forPostgres, parseAddress } from './address.ts';
import { checkCluster, distributeTables, isCluster } from './cluster/distribute.ts';
import { isHeldUp } from './errors.ts';

/** Of who changes what tables there are, and who may do what with them. */
export const MIGRATION_LOCK = 7_310_002;
export const MIGRATIONS = { migrationsFolder: `${import.meta.dirname}/../../../drizzle` };

export type Migrated = {
  /** Tables that this call has spread over the nodes of a cluster. */
  distributed: string[];
};

/**
 * Brings the database of the settings to the newest schema in `drizzle/`, and its tables to their nodes, where it has any. Several instances
 * may call it at once: they take turns. Whose role does not own the tables only looks whether they are the newest. Throws `WrongSettings` when
 * they are not, and for a cluster that cannot be worked on.
 */
export async function migrate(url = directUrl()): Promise<Migrated> {
  // One connection: an advisory lock belongs to the session that took it.
  const sql = postgres({
    ...forPostgres(parseAddress(url)),
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: 'gatehouse-migrate' },
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    if (await isOthers(sql)) {
      await requireNewest(sql);
      return { distributed: [] };
    }
    const cluster = await isCluster(sql);
    if (cluster) {
      await checkCluster(sql);
      // A migration reads rows of a table and changes the table in one transaction, which Citus else refuses.
      await sql`set citus.multi_shard_modify_mode = 'sequential'`;
    }
    const isFresh = !(await hasMigrations(sql));
    await apply(sql);
    // No release before has ever served here, and what helps it costs each new member time; on Citus it is in the way (drizzle/0015_directory.sql).
    if (isFresh || cluster) await sql`select end_of_roll_out()`;
    if (isFresh) {
      // Nothing is stored yet: all of it will be indexed as it is today.
      await sql`insert into upkeep (name, progress) values (${LEVEL_NAME}, ${JSON.stringify({ level: INDEX_LEVEL })}::text::jsonb) on conflict do nothing`;
    }
    return { distributed: cluster ? await distributeTables(sql) : [] };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * A table that is waited for is one that nobody else gets meanwhile; and who waits for a table that is held looks for a circle after a second
 * (deadlock_timeout), and gives way: it is not to be a request. So it is given up soon, and tried again with more patience.
 */
const LOCK_MS = { first: 100, most: 3000 };
const MOST_TRIES = 60;
const REST_MS = 500;

/** All that is new in one transaction, or nothing; the release before serves on its tables, and may hold what it needs, or need what it holds. */
async function apply(sql: postgres.Sql): Promise<void> {
  for (let tries = 1; ; tries++) {
    const patience = Math.min(LOCK_MS.first * 1.25 ** (tries - 1), LOCK_MS.most);
    await sql`select set_config('lock_timeout', ${`${Math.round(patience)}ms`}, false)`;
    try {
      await applyMigrations(drizzle(sql), MIGRATIONS);
      break;
    } catch (error) {
      if (tries === MOST_TRIES || !isHeldUp(error)) throw error;
      await pause(REST_MS);
    }
  }
  await sql`reset lock_timeout`;
}

async function hasMigrations(sql: postgres.Sql): Promise<boolean> {
  const [found] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as is`;
  return found?.is === true;
}

/** Somebody else has made the tables, and is the one to change them. */
async function isOthers(sql: postgres.Sql): Promise<boolean> {
  const [schema] = await sql<{ mine: boolean }[]>`
    select pg_has_role(nspowner, 'usage') as mine from pg_namespace where nspname = 'drizzle'`;
  return schema?.mine === false;
}

async function requireNewest(sql: postgres.Sql): Promise<void> {
  const newest = readMigrationFiles(MIGRATIONS).at(-1)?.folderMillis ?? 0;
  const [applied] = await sql<{ last: string | null }[]>`
    select max(created_at)::text as last from drizzle.__drizzle_migrations`;
  if (Number(applied?.last) >= newest) return;
  throw new WrongSettings(
    'DATABASE_URL: this version needs newer tables, which its role may not make: start it once with DATABASE_OWNER_URL besides',
  );
}
