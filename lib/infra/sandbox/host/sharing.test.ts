import { afterEach, expect, it } from 'vitest';
import { handlerOf, jobOf, processorIsFree, runnerPids } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.ts';

const open: Supervisor[] = [];
const supervise = (options: SupervisorOptions) => {
  const supervisor = createSupervisor(options);
  open.push(supervisor);
  return supervisor;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((supervisor) => supervisor.close()));
});

const bodyOf = (body: string, changes?: Partial<RunJob>) => jobOf(handlerOf(body), { timeoutMs: 60_000, ...changes });
const mine = { projectId: 'mine' };
const SLEEPING = 'await medplum.search("Patient"); return "woken"';
const LOOPING = 'for (;;);';

/** What a sleeping bot waits for. */
function bed() {
  const { promise: asleep, resolve: sleep } = Promise.withResolvers<void>();
  const { promise: morning, resolve: wake } = Promise.withResolvers<void>();
  const call = () => {
    sleep();
    return morning;
  };
  return { asleep, wake, call };
}

it('a run that takes its process along takes no run of another project along', async () => {
  const supervisor = supervise({ processes: 1, memoryMb: 32 });
  const { asleep, wake, call } = bed();
  const sleeping = supervisor.run(await bodyOf(SLEEPING, { call }));
  await asleep;
  const bomb = await bodyOf('const a = []; for (;;) a.push("x".repeat(2 ** 28).split(""))', { ...mine });
  expect(await supervisor.run(bomb)).toMatchObject({ ok: false });
  wake();
  expect(await sleeping).toMatchObject({ ok: true, value: { text: 'woken' } });
});

it('runs that sleep are in no other project’s way', async () => {
  const supervisor = supervise({ processes: 1, runsPerProcess: 2 });
  const { asleep, wake, call } = bed();
  const job = await bodyOf(SLEEPING, { call });
  const sleeping = [1, 2, 3, 4].map(() => supervisor.run(job));
  await asleep;
  expect(await supervisor.run(await bodyOf('return 1', mine))).toMatchObject({ ok: true });
  wake();
  for (const result of await Promise.all(sleeping)) expect(result).toMatchObject({ ok: true });
});

it('where there are fewer processes than projects they take turns', async () => {
  const supervisor = supervise({ processes: 1, maxProcesses: 1, runsPerProcess: 1 });
  const ended: string[] = [];
  const theirs = await bodyOf('return "theirs"');
  const runs = Array.from({ length: 10 }, () => supervisor.run(theirs).then(() => ended.push('theirs')));
  runs.push(supervisor.run(await bodyOf('return 1', mine)).then(() => ended.push('mine')));
  await Promise.all(runs);
  expect(ended.slice(0, 9)).toContain('mine');
});

it('all processes killed at once: what had no effect yet is repeated', async () => {
  const supervisor = supervise({ processes: 2 });
  const sleeper = await bodyOf('await new Promise((done) => setTimeout(done, 300)); return 1');
  const killer = await bodyOf('await new Promise((done) => setTimeout(done, 50)); await medplum.search("Patient")', {
    call: async () => {
      for (const pid of runnerPids()) process.kill(pid, 'SIGKILL');
    },
  });
  const runs = [1, 2, 3, 4, 5, 6].map(() => supervisor.run(sleeper));
  expect(await supervisor.run(killer)).toMatchObject({ reason: 'crashed' });
  for (const result of await Promise.all(runs)) expect(result).toMatchObject({ ok: true });
});

it.each([
  ['that executes', `medplum.search("Patient"); await null; ${LOOPING}`],
  ['that sleeps', 'await medplum.search("Patient"); await new Promise(() => {})'],
])('a run %s stops when it is cancelled', async (_, body) => {
  const supervisor = supervise({ processes: 1 });
  const abort = new AbortController();
  const { asleep, call } = bed();
  const running = supervisor.run(await bodyOf(body, { call, signal: abort.signal, timeoutMs: 900_000 }));
  await asleep;
  abort.abort();
  expect(await running).toMatchObject({ ok: false, reason: 'cancelled' });
  await processorIsFree();
});

it('a run that is cancelled while it waits never begins', async () => {
  const supervisor = supervise({ processes: 1, runsPerProcess: 1 });
  const abort = new AbortController();
  const { asleep, wake, call } = bed();
  const before = supervisor.run(await bodyOf(SLEEPING, { call }));
  await asleep;
  const calls: string[] = [];
  const waiting = await bodyOf(SLEEPING, { signal: abort.signal, call: async (method) => void calls.push(method) });
  const cancelled = supervisor.run(waiting);
  await new Promise(setImmediate);
  abort.abort();
  expect(await cancelled).toMatchObject({ ok: false, reason: 'cancelled' });
  expect(await supervisor.run(waiting)).toMatchObject({ ok: false, reason: 'cancelled' });
  wake();
  expect(await before).toMatchObject({ ok: true });
  expect(calls).toEqual([]);
});

it('what a bot leaves running does not go on after its answer', async () => {
  const supervisor = supervise({ processes: 1 });
  const body = `Promise.resolve().then(() => Promise.resolve()).then(() => { ${LOOPING} }); return 1`;
  expect(await supervisor.run(await bodyOf(body, { timeoutMs: 900_000 }))).toMatchObject({ ok: true });
  await processorIsFree();
});
