import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import type { Queryable } from '../db/client.ts';
import { type JobName, jobs } from './jobs.ts';

/** A job that exists only if the caller's transaction commits. Of those that wait, the higher `priority` goes first. */
export async function queueJob(
  tx: Queryable,
  name: JobName,
  data: Record<string, string>,
  priority = 0,
): Promise<void> {
  const boss = await jobs();
  await boss.send(name, data, { db: fromDrizzle(tx, sql), priority });
}
