import { eq, sql } from 'drizzle-orm';
import { db } from './client.ts';
import { upkeep } from './schema/operations.ts';

/** How far the work of this name had come; undefined before it has begun, and after its end. */
export async function readProgress<T>(name: string): Promise<T | undefined> {
  const [row] = await db().select().from(upkeep).where(eq(upkeep.name, name));
  return row?.progress as T | undefined;
}

/** What was done is done again when the process ends before this: the work must bear that. */
export async function keepProgress(name: string, progress: object): Promise<void> {
  await db()
    .insert(upkeep)
    .values({ name, progress })
    .onConflictDoUpdate({ target: upkeep.name, set: { progress, at: sql`clock_timestamp()` } });
}

export async function dropProgress(name: string): Promise<void> {
  await db().delete(upkeep).where(eq(upkeep.name, name));
}
