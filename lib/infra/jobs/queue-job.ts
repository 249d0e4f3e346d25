import { sql } from 'drizzle-orm';
import { fromDrizzle } from 'pg-boss';
import { gathering } from '#lib/base/gathering.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '../db/client.ts';
import { toTextArray } from '../db/text-array.ts';
import { type JobName, jobs } from './jobs.ts';

type Job = {
  name: JobName;
  data: Record<string, string>;
  priority: number;
  group?: { id: string };
  id?: string;
  singletonKey?: string;
};

/**
 * A job that exists only if the caller's transaction commits. Of those that wait, the higher `priority` goes first; of one `group` no more at
 * once than the worker says, and of one `key` in it one at a time.
 */
export function queueJob(
  tx: Queryable,
  name: JobName,
  data: Record<string, string>,
  priority = 0,
  group?: string,
  key?: string,
): Promise<void> {
  const within = {
    ...(group !== undefined && { group: { id: group } }),
    ...(key !== undefined && { singletonKey: key }),
  };
  return insertTogether(tx, { name, data, priority, ...within });
}

/** As `queueJob`, after all others with this key, and before those that are queued once the transaction is done: whoever queues one keeps others from it until then. */
export function queueInOrder(tx: Queryable, data: Record<string, string>, group: string, key: string): Promise<void> {
  return insertTogether(tx, {
    name: 'ordered',
    data,
    priority: 0,
    group: { id: group },
    id: newId(),
    singletonKey: key,
  });
}

/** Those of one transaction that come at the same moment are one statement for each queue. */
const insertTogether = gathering(async (tx: Queryable, all: Job[]) => {
  const boss = await jobs();
  for (const [name, same] of Map.groupBy(all, (job) => job.name)) {
    const batch = same.map(({ name: _, ...job }) => job);
    await boss.insert(name, batch, { db: fromDrizzle(tx, sql) });
    if (name === 'ordered') await runText(tx, QUEUED_NOW, [toTextArray(same.map(({ id }) => id ?? ''))]);
  }
});

/** Else a job is as old as its transaction, which may have waited for another one. */
const QUEUED_NOW = `
  update pgboss.job set created_on = t.at from (select clock_timestamp() as at) as t where name = 'ordered' and id = any($1::uuid[])`;
