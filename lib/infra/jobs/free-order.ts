import { db, runText } from '../db/client.ts';

/** Lets what was queued in order after this delivery go on, which was given up and said to be. Of one that was not queued so nothing is found. */
export async function freeOrder(key: string, version: string): Promise<void> {
  await runText(db(), FREE, [key, version]);
}

const FREE = `
  delete from pgboss.job where name = 'ordered' and singleton_key = $1 and state = 'failed' and data ->> 'version' = $2`;
