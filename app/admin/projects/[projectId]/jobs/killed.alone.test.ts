import { fork } from 'node:child_process';
import { once } from 'node:events';
import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { transaction } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { invites, readJob, startJob } from '#lib/testing/bulk-jobs.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

const ROWS = 60;
/** So many that nobody is through with them before the lock is had that holds them up. */
const MANY = 600;
const WAIT = { timeout: 60_000, interval: 50 };

test('killed with -9 in the middle, a job goes on where it was, and nobody is invited twice', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(ROWS) });
  await transaction(async (tx) => {
    // While its last row is locked the job cannot end, however late it is killed.
    await tx.execute(
      sql`select 1 from bulk_job_row where project_id = ${world.projectId} and job_id = ${jobId} and number = ${ROWS - 1} for update`,
    );
    const worker = startWorker();
    await vi.waitUntil(async () => (await readJob(world, jobId)).done >= 10, { ...WAIT, interval: 5 });
    worker.kill('SIGKILL');
    await new Promise((resolve) => worker.once('exit', resolve));
    const interrupted = await readJob(world, jobId);
    expect(interrupted.state).toBe('running');
    expect(interrupted.done).toBeLessThan(ROWS);
  });
  const second = startWorker();
  await vi.waitUntil(async () => (await readJob(world, jobId)).state === 'done', WAIT);
  second.kill('SIGKILL');
  expect(await readJob(world, jobId)).toMatchObject({ total: ROWS, done: ROWS, failed: 0 });
  const members = await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId));
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(members.filter((row) => row.userRef.startsWith('User/'))).toHaveLength(ROWS + 1);
  expect(mails).toHaveLength(ROWS);
}, 150_000);

test('in a process that was there all the time, before the queue misses the one that was killed', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(MANY) });
  const atWork = startWorker();
  await vi.waitUntil(async () => (await readJob(world, jobId)).done >= 1, { ...WAIT, interval: 5 });
  const other = await transaction(async (tx) => {
    // Each row writes a mail: the job stays where it is.
    await tx.execute(sql`lock table mail in share mode`);
    const started = startWorker();
    await once(started, 'message');
    atWork.kill('SIGKILL');
    await once(atWork, 'exit');
    return started;
  });
  await vi.waitUntil(async () => (await readJob(world, jobId)).state === 'done', WAIT);
  const tries = await db().execute(
    sql`select state::text from pgboss.job where name = 'bulk' and data->>'jobId' = ${jobId} order by created_on`,
  );
  other.kill('SIGKILL');
  expect(tries[0]).toEqual({ state: 'active' });
  expect(tries).toHaveLength(2);
  expect(await readJob(world, jobId)).toMatchObject({ total: MANY, done: MANY, failed: 0 });
}, 150_000);

function startWorker() {
  return fork(`${process.cwd()}/lib/testing/processes/bulk-worker-process.ts`, { env: process.env, stdio: 'ignore' });
}
