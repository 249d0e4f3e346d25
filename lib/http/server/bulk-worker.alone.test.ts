import { afterAll, expect, test } from 'vitest';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { invites, readJob, startJob } from '#lib/testing/bulk-jobs.ts';
import { createWorld } from '#lib/testing/world.ts';
import { startBulkWorker, stopBulkWorker } from './bulk-worker.ts';

afterAll(async () => {
  stopBulkWorker();
  await stopJobs();
});

test('a long list of one project does not hold up the short one of another', async () => {
  await startInvalidation();
  await startBulkWorker();
  const [many, few] = [await createWorld(), await createWorld()];
  const long = await startJob(many, { kind: 'invite', rows: invites(1500) });
  await expect.poll(async () => (await readJob(many, long)).done, { timeout: 20_000 }).toBeGreaterThan(0);
  const short = await startJob(few, { kind: 'invite', rows: invites(5) });
  await expect.poll(async () => (await readJob(few, short)).state, { timeout: 20_000 }).toBe('done');
  expect((await readJob(many, long)).state).toBe('running');
});
