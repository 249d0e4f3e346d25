import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { forPostgres, parseAddress } from './address.ts';

const MIGRATION_LOCK = 7_310_002;

/** Brings the database of DATABASE_URL to the newest schema in `drizzle/`. Several instances may call it at once: they take turns. */
export async function migrate(url = env().DATABASE_URL): Promise<void> {
  // One connection: an advisory lock belongs to the session that took it.
  const sql = postgres({
    ...forPostgres(parseAddress(url)),
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: 'gatehouse-migrate' },
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(sql), { migrationsFolder: `${import.meta.dirname}/../../../drizzle` });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
