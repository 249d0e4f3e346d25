import { createHash } from 'node:crypto';
import { openSingle } from '../db/single/single.ts';
import type { JobName } from './jobs.ts';

/** As pg-boss names it, for its schema. It tells of a queue by its name, in the transaction that queues a job. */
const CHANNEL = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`;

/** Calls `heard` when a job was queued, and when one may have been while nobody listened. Resolves to what ends it. */
export async function hearQueue(name: JobName, heard: () => void): Promise<() => Promise<void>> {
  const client = openSingle(`queue-${name}`, {});
  const deafen = () => client.end({ timeout: 1 });
  try {
    await client.listen(CHANNEL, (payload) => payload === name && heard(), heard);
  } catch (error) {
    await deafen();
    throw error;
  }
  return deafen;
}
