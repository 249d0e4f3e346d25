import { db, runText } from '../db/client.ts';
import { toTextArray } from '../db/text-array.ts';
import type { JobName } from './jobs.ts';

/** Thrown by who runs a job whose time has not come. */
export class Later extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super('later');
    this.until = until;
  }
}

/** The job waits for that time, at its place. It was no attempt. */
export async function putOff(name: JobName, id: string, until: Date): Promise<void> {
  await runText(db(), PUT_OFF, [name, id, until.toISOString()]);
}

/** They wait at their places, and may be taken at once: they were due. */
export async function putBack(name: JobName, ids: readonly string[]): Promise<void> {
  await runText(db(), PUT_BACK, [name, toTextArray(ids)]);
}

/** What was not begun is not counted when it is taken off the queue again. */
const PUT_OFF = `
  update pgboss.job set state = 'retry', start_after = $3::timestamptz, started_on = null
  where name = $1 and id = $2::uuid and state = 'active'`;
const PUT_BACK = `
  update pgboss.job set state = 'retry', started_on = null where name = $1 and id = any($2::uuid[]) and state = 'active'`;
