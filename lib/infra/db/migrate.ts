import { setTimeout as pause } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
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
    const isFresh = await apply(sql);
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

/**
 * What is new, one after the other, each in a transaction of its own: the release before serves on its tables, and may hold what it needs, or need what it
 * holds, and the fewer tables are held at once the less that is. Each leaves tables that both can work with, so one that is killed goes on where it was. Where
 * nobody has served yet it is all or nothing: true then.
 */
async function apply(sql: postgres.Sql): Promise<boolean> {
  const last = await patiently(sql, async () => {
    await sql`create schema if not exists drizzle`;
    await sql`
      create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
    return lastApplied(sql);
  });
  const pending = readMigrationFiles(MIGRATIONS).filter(({ folderMillis }) => folderMillis > last);
  const isFresh = last === 0;
  for (const together of isFresh ? [pending] : pending.map((one) => [one]))
    await patiently(sql, () => sql.begin((tx) => run(tx, together)));
  await sql`reset lock_timeout`;
  return isFresh;
}

async function run(tx: postgres.TransactionSql, migrations: readonly MigrationMeta[]): Promise<void> {
  for (const { sql: texts, hash, folderMillis } of migrations) {
    for (const text of texts) await tx.unsafe(text);
    await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
}

async function patiently<T>(sql: postgres.Sql, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const patience = Math.min(LOCK_MS.first * 1.25 ** (tries - 1), LOCK_MS.most);
    await sql`select set_config('lock_timeout', ${`${Math.round(patience)}ms`}, false)`;
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isHeldUp(error)) throw error;
      await pause(REST_MS);
    }
  }
}

async function lastApplied(sql: postgres.Sql): Promise<number> {
  const [applied] = await sql<{ last: string | null }[]>`
    select max(created_at)::text as last from drizzle.__drizzle_migrations`;
  return Number(applied?.last ?? 0);
}

/** Somebody else has made the tables, and is the one to change them. */
async function isOthers(sql: postgres.Sql): Promise<boolean> {
  const [schema] = await sql<{ mine: boolean }[]>`
    select pg_has_role(nspowner, 'usage') as mine from pg_namespace where nspname = 'drizzle'`;
  return schema?.mine === false;
}

async function requireNewest(sql: postgres.Sql): Promise<void> {
  const newest = readMigrationFiles(MIGRATIONS).at(-1)?.folderMillis ?? 0;
  if ((await lastApplied(sql)) >= newest) return;
  throw new WrongSettings(
    'DATABASE_URL: this version needs newer tables, which its role may not make: start it once with DATABASE_OWNER_URL besides',
  );
}
