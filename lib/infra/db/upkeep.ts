import { and, eq, like, sql } from 'drizzle-orm';
import { db, type Queryable } from './client.ts';
import { upkeep } from './schema/operations.ts';

/** How far the work of this name had come; undefined before it has begun, and after its end. */
export async function readProgress<T>(name: string): Promise<T | undefined> {
  const [row] = await db().select().from(upkeep).where(eq(upkeep.name, name));
  return row?.progress as T | undefined;
}

/** What was done is done again when the process ends before this: the work must bear that. */
export async function keepProgress(name: string, progress: object, q: Queryable = db()): Promise<void> {
  await q
    .insert(upkeep)
    .values({ name, progress })
    .onConflictDoUpdate({ target: upkeep.name, set: { progress, at: sql`clock_timestamp()` } });
}

/** As `keepProgress`, of work that begins anew when somebody has put another `run` in its place. Whether it is still this one. */
export async function advanceProgress(name: string, progress: { run: string }, q: Queryable = db()): Promise<boolean> {
  const kept = await q
    .update(upkeep)
    .set({ progress, at: sql`clock_timestamp()` })
    .where(and(eq(upkeep.name, name), sql`${upkeep.progress} ->> 'run' = ${progress.run}`))
    .returning({ name: upkeep.name });
  return kept.length > 0;
}

export async function dropProgress(name: string, q: Queryable = db()): Promise<void> {
  await q.delete(upkeep).where(eq(upkeep.name, name));
}

/** All work whose name begins so, the oldest first. */
export async function listProgress<T>(prefix: string): Promise<{ name: string; progress: T }[]> {
  const rows = await db()
    .select()
    .from(upkeep)
    .where(like(upkeep.name, `${prefix}%`))
    .orderBy(upkeep.at);
  return rows.map(({ name, progress }) => ({ name, progress: progress as T }));
}
