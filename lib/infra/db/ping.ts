import { sql } from 'drizzle-orm';
import { db } from './client.ts';

/** Rejects while the database does not answer. */
export async function ping(): Promise<void> {
  await db().execute(sql`select 1`);
}
