import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import { gathering } from '#lib/base/gathering.ts';
import type { Queryable } from '../db/client.ts';
import { type JobName, jobs } from './jobs.ts';

type Job = { name: JobName; data: Record<string, string>; priority: number; group?: { id: string } };

/**
 * A job that exists only if the caller's transaction commits. Of those that wait, the higher `priority` goes first; of one `group` no more at
 * once than the worker says.
 */
export function queueJob(
  tx: Queryable,
  name: JobName,
  data: Record<string, string>,
  priority = 0,
  group?: string,
): Promise<void> {
  return insertTogether(tx, { name, data, priority, ...(group !== undefined && { group: { id: group } }) });
}

/** Those of one transaction that come at the same moment are one statement for each queue. */
const insertTogether = gathering(async (tx: Queryable, all: Job[]) => {
  const boss = await jobs();
  for (const [name, same] of Map.groupBy(all, (job) => job.name)) {
    const batch = same.map(({ name: _, ...job }) => job);
    await boss.insert(name, batch, { db: fromDrizzle(tx, sql) });
  }
});
