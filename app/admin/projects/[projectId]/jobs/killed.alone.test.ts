import { fork } from 'node:child_process';
import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { db } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { invites, readJob, startJob } from '#lib/testing/bulk-jobs.ts';
import { createWorld } from '#lib/testing/world.ts';

test('killed with -9 in the middle, a job goes on where it was, and nobody is invited twice', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(150) });
  const worker = fork(`${process.cwd()}/lib/testing/bulk-worker-process.ts`, { env: process.env, stdio: 'ignore' });
  await vi.waitUntil(async () => (await readJob(world, jobId)).done >= 10, { timeout: 60_000, interval: 20 });
  worker.kill('SIGKILL');
  await new Promise((resolve) => worker.once('exit', resolve));
  const interrupted = await readJob(world, jobId);
  expect(interrupted.state).toBe('running');
  expect(interrupted.done).toBeLessThan(150);
  const second = fork(`${process.cwd()}/lib/testing/bulk-worker-process.ts`, { env: process.env, stdio: 'ignore' });
  await vi.waitUntil(async () => (await readJob(world, jobId)).state === 'done', { timeout: 60_000, interval: 50 });
  second.kill('SIGKILL');
  expect(await readJob(world, jobId)).toMatchObject({ total: 150, done: 150, failed: 0 });
  const members = await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId));
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(members.filter((row) => row.userRef.startsWith('User/'))).toHaveLength(151);
  expect(mails).toHaveLength(150);
}, 150_000);
