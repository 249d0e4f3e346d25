import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { MIGRATIONS } from '#lib/infra/db/migrate.ts';
import { letIn } from '#lib/infra/db/server-role/let-in.ts';
import { db, OWNER_URL } from './own-db.ts';

/** Makes this file's own database, empty still, one that had the release before: what helps that one is kept until the roll-out is over. */
export async function asUpgraded(): Promise<void> {
  for (const schema of ['public', 'drizzle']) await db().execute(sql.raw(`drop schema if exists ${schema} cascade`));
  await db().execute(sql`create schema public`);
  await migrate(db(), MIGRATIONS);
  await letIn(OWNER_URL, process.env.DATABASE_URL ?? OWNER_URL);
}
