import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { MIGRATIONS } from '#lib/infra/db/migrate.ts';
import { db } from './own-db.ts';

/** Makes this file's own database, empty still, one that had the release before: what helps that one is kept until the roll-out is over. */
export async function asUpgraded(): Promise<void> {
  for (const schema of ['public', 'drizzle']) await db().execute(sql.raw(`drop schema if exists ${schema} cascade`));
  await db().execute(sql`create schema public`);
  await migrate(db(), MIGRATIONS);
}
