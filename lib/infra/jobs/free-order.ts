import { db, runText } from '../db/client.ts';

/** Lets what was queued in order after a job with this key go on, which was given up and said to be. */
export async function freeOrder(key: string): Promise<void> {
  await runText(db(), FREE, [key]);
}

const FREE = `delete from pgboss.job where name = 'ordered' and singleton_key = $1 and state = 'failed'`;
