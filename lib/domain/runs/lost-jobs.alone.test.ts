import { type ChildProcess, fork } from 'node:child_process';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { watchLostJobs } from './lost-jobs.ts';

const WAIT = { timeout: 60_000, interval: 50 };
/** As a server has it: the processes of this test are not hurried. */
Object.assign(pace, { jobBeatMs: 1000, jobFreeMs: 3000, jobMuteMs: 600_000, lostJobWatchMs: 1000 });

const processes: ChildProcess[] = [];
let id: string;
let child: ChildProcess;
let stop: () => void;

beforeEach(async () => {
  id = await makeJob();
  const { projectId, aliveAt } = await readJob(id);
  child = fork(`${process.cwd()}/lib/testing/processes/async-job-process.ts`, [projectId, id], {
    env: process.env,
    stdio: 'ignore',
  });
  processes.push(child);
  await vi.waitUntil(async () => (await readJob(id)).aliveAt > aliveAt, WAIT);
  stop = await watchLostJobs();
});

afterEach(() => {
  stop();
  for (const one of processes.splice(0)) one.kill('SIGKILL');
});

async function makeJob(): Promise<string> {
  const job = { projectId: newId(), id: newId(), membershipId: newId(), status: 'active' as const, request: 'urn:x' };
  await db().insert(asyncJob).values(job);
  return job.id;
}

async function readJob(jobId: string) {
  const [row] = await db().select().from(asyncJob).where(eq(asyncJob.id, jobId));
  return row!;
}

/** One that no process has. Once it is found, every other was looked at as often. */
async function findAnother(): Promise<void> {
  const lost = await makeJob();
  await vi.waitUntil(async () => (await readJob(lost)).status === 'error', WAIT);
}

test('a job of a process that was killed with -9 is told as lost, and not only when it has been mute for long', async () => {
  child.kill('SIGKILL');
  await vi.waitUntil(async () => (await readJob(id)).status === 'error', WAIT);
  expect((await readJob(id)).output).toContain('stopped while it ran');
});

test('one that was waiting for its turn is told that it never began', async () => {
  await db().update(asyncJob).set({ status: 'accepted' }).where(eq(asyncJob.id, id));
  child.kill('SIGKILL');
  await vi.waitUntil(async () => (await readJob(id)).status === 'error', WAIT);
  expect((await readJob(id)).output).toContain('before it began');
});

test('a job of a process that lives is not, however long it says nothing', async () => {
  child.kill('SIGSTOP');
  await db().update(asyncJob).set({ aliveAt: sql`now() - interval '40 seconds'` }).where(eq(asyncJob.id, id));
  await findAnother();
  await findAnother();
  expect((await readJob(id)).status).toBe('active');
});

test('nor when its connection is closed: it is held again before anybody wonders', async () => {
  const [closed] = await db().execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse-leases' and datname = current_database()`,
  );
  expect(closed).toEqual({ pg_terminate_backend: true });
  await findAnother();
  const { status, aliveAt } = await readJob(id);
  expect(status).toBe('active');
  child.kill('SIGSTOP');
  await findAnother();
  expect((await readJob(id)).status).toBe('active');
  expect(aliveAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
});
