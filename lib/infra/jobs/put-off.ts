import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata, type PgBoss } from 'pg-boss';
import { runText, transaction } from '../db/client.ts';
import type { JobName } from './jobs.ts';

/** Thrown by who runs a job whose time has not come. */
export class Later extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('later');
    this.until = until;
  }
}

/** The job as it was, with all its attempts, at a later time. */
export async function putOff(boss: PgBoss, name: JobName, job: JobWithMetadata<object>, until: Date): Promise<void> {
  const { data, priority, groupId } = job;
  await transaction(async (tx) => {
    await runText(tx, DONE, [name, job.id]);
    const group = groupId ? { group: { id: groupId } } : {};
    await boss.insert(name, [{ data, priority, startAfter: until, ...group }], { db: fromDrizzle(tx, sql) });
  });
}

/** What `complete` does, whose array of ids the driver would take apart. */
const DONE = `update pgboss.job set state = 'completed', completed_on = now() where name = $1 and id = $2::uuid and state = 'active'`;
