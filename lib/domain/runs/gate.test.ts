import postgres from 'postgres';
import { afterAll, afterEach, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { closeLeases } from '#lib/infra/db/single/leases.ts';
import { enterGate } from './gate.ts';

const begun: (() => void)[] = [];
const other = postgres(env().DATABASE_URL, { max: 1 });
afterEach(() => {
  for (const leave of begun.splice(0)) leave();
});
afterAll(async () => {
  await other.end();
  await closeLeases();
});

type Entered = { state: 'waiting' | 'running' | 'refused'; leave: () => void; settled: Promise<void> };

function enter(projectId: string, options?: Parameters<typeof enterGate>[1]): Entered {
  const entered: Entered = { state: 'waiting', leave: () => undefined, settled: Promise.resolve() };
  const run = async () => {
    entered.leave = await enterGate(projectId, options);
    entered.state = 'running';
    begun.push(entered.leave);
  };
  entered.settled = run().catch(() => {
    entered.state = 'refused';
  });
  return entered;
}

const count = (all: Entered[], state: Entered['state']) => all.filter((entered) => entered.state === state).length;
/** As another process holds them. */
const hold = (projectId: string, lock: 'pg_advisory_lock' | 'pg_advisory_unlock', places: number) =>
  other.unsafe(
    `select ${lock}(hashtextextended('bot-runs:${projectId}/' || n, 0)) from generate_series(1, ${places}) n`,
  );

test('fifty runs of a project at once; who comes after waits until one ends', async () => {
  const projectId = newId();
  const all = Array.from({ length: 60 }, () => enter(projectId));
  await Promise.all(all.slice(0, 50).map(({ settled }) => settled));
  const neighbour = enter(newId());
  await neighbour.settled;
  expect([count(all, 'running'), count(all, 'waiting'), neighbour.state]).toEqual([50, 10, 'running']);
  for (const entered of all.slice(0, 10)) entered.leave();
  await Promise.all(all.map(({ settled }) => settled));
  expect(count(all, 'running')).toBe(60);
});

test('what runs in another process counts, and is free when that process is gone', async () => {
  const projectId = newId();
  await hold(projectId, 'pg_advisory_lock', 8);
  const all = Array.from({ length: 20 }, () => enter(projectId));
  await Promise.all(all.slice(0, 10).map(({ settled }) => settled));
  // A question that comes after theirs has an answer: no more of them begin.
  await enter(newId()).settled;
  expect(count(all, 'running')).toBe(10);
  await hold(projectId, 'pg_advisory_unlock', 8);
  await Promise.all(all.map(({ settled }) => settled));
  expect(count(all, 'running')).toBe(20);
});

test('a hundred wait; more are told to come again, and by when', async () => {
  const projectId = newId();
  const all = Array.from({ length: 150 }, () => enter(projectId));
  await all[49]!.settled;
  while (count(all, 'waiting') < 100) all.push(enter(projectId));
  await expect(enterGate(projectId)).rejects.toMatchObject({
    code: 'too-many-requests',
    options: { retryAfterSeconds: 5, headers: { ratelimit: '"bots";r=0;t=5' } },
  });
  const patient = enter(projectId, { isPatient: true });
  for (const leave of begun.splice(0)) leave();
  await all[99]!.settled;
  for (const leave of begun.splice(0)) leave();
  await Promise.all(all.map(({ settled }) => settled));
  for (const leave of begun.splice(0)) leave();
  await patient.settled;
  expect(patient.state).toBe('running');
});

test('who is cancelled while waiting leaves the line', async () => {
  const projectId = newId();
  const all = Array.from({ length: 50 }, () => enter(projectId));
  await all[49]!.settled;
  const abort = new AbortController();
  const waiting = enter(projectId, { signal: abort.signal, isPatient: true });
  abort.abort();
  await waiting.settled;
  expect(waiting.state).toBe('refused');
});

test('a connection that is lost is not a place that is lost', async () => {
  const projectId = newId();
  await enter(projectId).settled;
  await closeLeases();
  const all = Array.from({ length: 30 }, () => enter(projectId));
  await Promise.all(all.map(({ settled }) => settled));
  expect(count(all, 'running')).toBe(30);
});
