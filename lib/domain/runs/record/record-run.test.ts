import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { transaction } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { findLeft } from '#lib/infra/journal/journal.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import type { Actor } from '../../access/context.ts';
import { recordLeft, watchLeft } from './record-left.ts';
import { flushRuns, recordRun, settleRuns } from './record-run.ts';
import type { RunRecord } from './run-row.ts';

const WAIT = { timeout: 20_000 };

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

function record(botId: string, changes: Partial<RunRecord> = {}, options?: Parameters<typeof recordRun>[1]): void {
  const whole: RunRecord = {
    ctx: { requestId: 'r', remoteAddress: '', userAgent: '' },
    botId,
    version: 1,
    caller: { projectId: world.projectId, profile: 'Practitioner/1' } as Actor,
    startedAt: new Date(),
    trigger: 'http',
    input: null,
    isKept: true,
    traceId: 'r',
    result: { ok: true, value: { kind: 'null', text: '' }, logs: [], calls: [], durationMs: 1 },
    ...changes,
  };
  void recordRun(whole, options);
}

const rowsOf = (botId: string) => db().select().from(botRun).where(eq(botRun.botId, botId));
const failedWith = (text: string): RunRecord['result'] => ({
  ...{ ok: false, reason: 'threw', message: text, logs: [{ level: text as 'log', text }], calls: [], durationMs: 1 },
});

test.each([
  ['a NUL', 'a\u0000b', 'ab'],
  ['half a character', 'a\ud800b', 'a\ufffdb'],
  ['what looks like an escape', 'a\\u0000b\\ud800', 'a\\u0000b\\ud800'],
])('%s in any field is stored without it', async (_, text, stored) => {
  const botId = newId();
  const caller = { projectId: world.projectId, profile: text } as Actor;
  const ctx = { requestId: text, remoteAddress: '', userAgent: '' };
  record(botId, { caller, ctx, result: failedWith(text) });
  await flushRuns();
  const fields = { requester: stored, requestId: stored, message: stored, logs: [{ level: stored, text: stored }] };
  expect(await rowsOf(botId)).toMatchObject([fields]);
});

test.each([STOPPED, CANCELLED])('what a bot says is no word of ours: %s', async (text) => {
  const botId = newId();
  record(botId, { result: failedWith(text) });
  await flushRuns();
  expect(await rowsOf(botId)).toMatchObject([{ message: `Error: ${text}` }]);
});

test('a row that PostgreSQL refuses is lost alone', async () => {
  const botId = newId();
  for (let i = 0; i < 60; i += 1) record(botId, i === 30 ? { version: 2 ** 40 } : {});
  await flushRuns();
  expect(await rowsOf(botId)).toHaveLength(59);
});

test('rows wait for a database that is away, and are written when it is back', async (test) => {
  skipOnCluster(test, 'waits');
  const botId = newId();
  await transaction(async (tx) => {
    await tx.execute(sql`lock table bot_run`);
    record(botId);
    // What waits for the lock loses its connection.
    await vi.waitUntil(async () => {
      const [ended] = await db().execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into bot_run%'`);
      return ended;
    }, WAIT);
    await flushRuns();
  });
  await vi.waitUntil(async () => (await rowsOf(botId)).length === 1, WAIT);
});

test('what a PostgreSQL that fell may have forgotten is written again', async () => {
  const botId = newId();
  record(botId);
  await flushRuns();
  await db().delete(botRun).where(eq(botRun.botId, botId));
  await db().execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'gatehouse-records'`);
  await vi.waitUntil(async () => (await rowsOf(botId)).length === 1, WAIT);
});

/** A process that is killed when it has answered these. */
async function killAfter(botId: string, ...args: string[]): Promise<void> {
  const all = [world.projectId, botId, ...args];
  const child = fork(`${process.cwd()}/lib/testing/processes/bot-run-process.ts`, all, {
    env: process.env,
    stdio: 'ignore',
  });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

test.each(['1', '20'])(
  '%s runs that were answered are recorded, though their process was killed in the same moment',
  async (runs) => {
    const botId = newId();
    await killAfter(botId, runs);
    await vi.waitUntil(async () => (await rowsOf(botId)).length === Number(runs), WAIT);
  },
);

test('those that were answered before PostgreSQL had them are recorded by the next process, once', async () => {
  const botId = newId();
  await killAfter(botId, '50', 'first');
  expect((await rowsOf(botId)).length).toBeLessThan(50);
  await Promise.all([recordLeft(), recordLeft()]);
  const rows = await rowsOf(botId);
  expect(rows).toHaveLength(50);
  expect(rows.every(({ logs }) => (logs as unknown[] | null)?.length === 1)).toBe(true);
  await recordLeft();
  expect(await rowsOf(botId)).toHaveLength(50);
});

test('who begins looks for them, and goes on when a line is none', async () => {
  const botId = newId();
  await killAfter(botId, '50', 'first');
  const own = `/dev/shm/gatehouse-${process.getuid?.()}`;
  const files = readdirSync(own).map((name) => `${own}/${name}`);
  const left = files.find((file) => readFileSync(file, 'utf8').includes(botId))!;
  writeFileSync(left, `${world.projectId}\tno JSON\nneither\n${readFileSync(left, 'utf8')}`);
  const stop = watchLeft();
  await vi.waitUntil(async () => (await rowsOf(botId)).length === 50, WAIT);
  stop();
});

test('what they said is not kept where nobody knows any more whether it names somebody who was erased meanwhile', async () => {
  const botId = newId();
  await killAfter(botId, '50', 'first', new Date(Date.now() - 3_700_000).toISOString());
  await db().delete(botRun).where(eq(botRun.botId, botId));
  await recordLeft();
  const said = (await rowsOf(botId)).map(({ startedAt, logs }) => [startedAt < new Date(Date.now() - 3_600_000), logs]);
  expect(said.filter(([isOld]) => isOld)).toEqual([[true, null]]);
  expect(said.filter(([isOld, logs]) => !isOld && logs === null)).toEqual([]);
});

test('what they said is not kept while a patient of the project is erased, however it names them', async () => {
  const botId = newId();
  await killAfter(botId, '50', 'first');
  await db().delete(botRun).where(eq(botRun.botId, botId));
  const caller = { projectId: world.projectId, profile: 'Practitioner/1' };
  await transaction(async (tx) => {
    await tx.insert(recordErasure).values({
      ...{ projectId: world.projectId, id: newId(), patientId: newId(), state: 'queued', reason: 'asked for' },
      ...{ askedBy: caller.profile, askedByDisplay: null, requestId: 'r', remoteAddress: '' },
      progress: { stage: 'current', after: [0, ''], pass: 1, found: 0, binaries: [] },
      counts: { total: 1, erased: {}, kept: {}, versions: 0 },
      ...{ createdAt: new Date(), startedAt: null, finishedAt: null },
    });
  });
  await recordLeft();
  const rows = await rowsOf(botId);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ logs }) => logs !== null)).toEqual([]);
  await db().delete(recordErasure).where(eq(recordErasure.projectId, world.projectId));
});

test('nothing is left of what is written, and nothing of it is looked for again', async () => {
  const own = `/dev/shm/gatehouse-${process.getuid?.()}`;
  const botId = newId();
  for (let i = 0; i < 300; i += 1) record(botId, {}, { isAnsweredFirst: i % 3 > 0 });
  await flushRuns();
  const files = readdirSync(own).filter((name) => name.split('.')[2] === String(process.pid));
  expect(files.length).toBeGreaterThan(0);
  expect(files.map((name) => statSync(`${own}/${name}`).size)).toEqual(files.map(() => 0));
  await killAfter(botId, '50', 'first');
  await recordLeft();
  expect(findLeft()).toEqual([]);
});

test('many at once are written together, and seen by who looks', async () => {
  const botId = newId();
  for (let i = 0; i < 200; i += 1) record(botId, {}, { isAnsweredFirst: true });
  await settleRuns(world.projectId);
  expect(await rowsOf(botId)).toHaveLength(200);
});

test('one that waits for others waits for a moment', async () => {
  const botId = newId();
  for (let i = 0; i < 3; i += 1) record(botId, {}, { isAnsweredFirst: true });
  await vi.waitUntil(async () => (await rowsOf(botId)).length === 3, WAIT);
});
