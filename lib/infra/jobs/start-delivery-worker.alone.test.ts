import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db, runText, transaction } from '../db/client.ts';
import { closeLeases } from '../db/single/leases.ts';
import { nameOf } from '../db/single/single.ts';
import { stopJobs } from './jobs.ts';
import { queueJob } from './queue-job.ts';
import { startDeliveryWorker } from './start-delivery-worker.ts';

type Data = { key: string; name: string; ms: string };

afterAll(async () => {
  await stopJobs();
  await closeLeases();
});

/** What was begun, and how it ended. */
const did: string[] = [];

async function run({ name, ms }: Data, _attempt: number, signal: AbortSignal): Promise<void> {
  did.push(`${name} begins`);
  try {
    await pause(Number(ms), undefined, { signal });
    did.push(`${name} ends`);
  } catch (error) {
    did.push(`${name} is cut`);
    throw error;
  }
}

const start = () => startDeliveryWorker<Data>('event', ({ key }) => key, run);

async function queue(...all: Data[]): Promise<void> {
  did.length = 0;
  for (const one of all) await transaction((tx) => queueJob(tx, 'event', one, 0, newId()));
}

const stateOf = async (name: string) => {
  const text = `select state from pgboss.job where name = 'event' and data->>'name' = $1`;
  const [row] = await runText<{ state: string }>(db(), text, [name]);
  return row?.state;
};

test('who stops as planned begins nothing more, hands back what waits, and lets go on what runs', async () => {
  await queue({ key: 'a', name: 'one', ms: '1500' }, { key: 'a', name: 'two', ms: '1' });
  const stop = await start();
  await expect.poll(() => did).toEqual(['one begins']);
  await expect.poll(() => stateOf('two')).toBe('active');
  const stopping = stop();
  await expect.poll(() => stateOf('two')).toBe('retry');
  await queueMore({ key: 'b', name: 'three', ms: '1' });
  // Who waits for its place has it when everything is settled, and not before: the next of a key does not overtake.
  const next = start();
  await stopping;
  expect(did).toEqual(['one begins', 'one ends']);
  expect(await stateOf('one')).toBe('completed');
  await expect.poll(() => stateOf('three')).toBe('completed');
  await expect.poll(() => stateOf('two')).toBe('completed');
  expect(did.toSorted()).toEqual(['one begins', 'one ends', 'three begins', 'three ends', 'two begins', 'two ends']);
  await (await next)();
});

test('what runs on for too long is cut, and tried again', async () => {
  await queue({ key: 'c', name: 'long', ms: '60000' });
  const stop = await start();
  await expect.poll(() => did).toEqual(['long begins']);
  const from = performance.now();
  await stop();
  const took = performance.now() - from;
  expect(took).toBeGreaterThan(3500);
  expect(took).toBeLessThan(5000);
  expect(did).toEqual(['long begins', 'long is cut']);
  expect(await stateOf('long')).toBe('retry');
  await runText(db(), `delete from pgboss.job where name = 'event' and data->>'name' = 'long'`, []);
});

test('whose place another may have is cut at once, also while it stops', async () => {
  await queue({ key: 'd', name: 'lost', ms: '60000' });
  const stop = await start();
  await expect.poll(() => did).toEqual(['lost begins']);
  await loseLeases();
  await expect.poll(() => did, { timeout: 2000 }).toContain('lost is cut');
  await runText(db(), `delete from pgboss.job where name = 'event' and data->>'name' = 'lost'`, []);
  await queue({ key: 'e', name: 'late', ms: '60000' });
  await expect.poll(() => did).toEqual(['late begins']);
  const stopping = stop();
  await pause(200);
  expect(did).toEqual(['late begins']);
  await loseLeases();
  await expect.poll(() => did, { timeout: 1500 }).toContain('late is cut');
  await stopping;
});

async function queueMore(one: Data): Promise<void> {
  await transaction((tx) => queueJob(tx, 'event', one, 0, newId()));
}

async function loseLeases(): Promise<void> {
  const text = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1`;
  await runText(db(), text, [nameOf('leases')]);
}
