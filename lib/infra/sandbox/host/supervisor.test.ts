import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { handlerOf, jobOf, processorIsFree, runnerPids } from './run-job.fixture.ts';
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

it('replaces a process that ends, and repeats a run that had no effect yet', async () => {
  const supervisor = supervise({ processes: 1 });
  const job = await jobOf(
    handlerOf('console.log("start"); await new Promise((done) => setTimeout(done, 200)); return 1'),
    { timeoutMs: 20_000 },
  );
  // A run beside it, which begins later, says when.
  const neighbour = await jobOf(
    handlerOf('await new Promise((done) => setTimeout(done, 50)); await medplum.search("Patient")'),
  );
  let pid: number | undefined;
  const call = async () => {
    pid = runnerPids()[0]!;
    process.kill(pid, 'SIGKILL');
  };
  const [result] = await Promise.all([supervisor.run(job), supervisor.run({ ...neighbour, call })]);
  expect(result).toMatchObject({ ok: true, value: { text: '1' }, logs: [{ text: 'start' }] });
  expect(runnerPids()).not.toContain(pid);
});

it('lets a run finish when the whole terminal is told to end', async () => {
  const supervisor = supervise({ processes: 1 });
  const job = await jobOf(
    handlerOf('await medplum.search("Patient"); await new Promise((done) => setTimeout(done, 200)); return 1'),
  );
  let pid: number | undefined;
  const call = async () => {
    pid = runnerPids()[0]!;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
  };
  expect(await supervisor.run({ ...job, call })).toMatchObject({ ok: true, value: { text: '1' } });
  expect(runnerPids()).toEqual([pid]);
});

it('does not repeat a run that has called out', async () => {
  const supervisor = supervise({ processes: 1 });
  const job = await jobOf(handlerOf('await medplum.createResource({ resourceType: "Patient" }); return 1'));
  let calls = 0;
  const call = async () => {
    calls += 1;
    process.kill(runnerPids()[0]!, 'SIGKILL');
  };
  expect(await supervisor.run({ ...job, call })).toMatchObject({ ok: false, reason: 'crashed' });
  expect(calls).toBe(1);
  expect(await supervisor.run(job)).toMatchObject({ ok: true });
});

it('kills and replaces a process that does not end a run in time, and has what was logged until then', async () => {
  const supervisor = supervise({ processes: 1, graceMs: 100 });
  const body = 'console.log("x"); await medplum.search("Patient"); await new Promise(() => {})';
  const job = await jobOf(handlerOf(body), { timeoutMs: 300 });
  let pid = 0;
  const call = async () => {
    pid = runnerPids()[0]!;
    process.kill(pid, 'SIGSTOP');
  };
  expect(await supervisor.run({ ...job, call })).toMatchObject({
    ok: false,
    reason: 'timeout',
    logs: [{ text: 'x' }],
  });
  expect(await supervisor.run(await jobOf(handlerOf('return 1')))).toMatchObject({ ok: true });
  expect(runnerPids()).not.toContain(pid);
});

it.each([
  [
    'after its answer',
    'let n = 0; const spin = () => n++ < 60 ? Promise.resolve().then(spin) : STUCK; spin(); return 1;',
    true,
  ],
  ['until its time is over', 'STUCK; return 1;', false],
])(
  'a process in which a built-in goes on that nothing stops, %s, is gone soon, and few are beside it',
  async (_, body, ok) => {
    const supervisor = supervise({ processes: 1, maxProcesses: 2 });
    const stuck = body.replace('STUCK', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)');
    const job = await jobOf(handlerOf(stuck), { timeoutMs: 500 });
    for (let time = 0; time < 3; time += 1) {
      expect(await supervisor.run(job)).toMatchObject({ ok });
      expect(runnerPids().length).toBeLessThanOrEqual(3);
    }
    // Nothing else runs meanwhile that somebody would look after.
    await processorIsFree();
    expect(await supervisor.run(await jobOf(handlerOf('return 1')))).toMatchObject({ ok: true });
  },
);

it('runs more than fit at once', async () => {
  const supervisor = supervise({ processes: 1, runsPerProcess: 2 });
  const job = await jobOf(handlerOf('await new Promise((done) => setTimeout(done, 20)); return 1'));
  const results = await Promise.all(Array.from({ length: 30 }, () => supervisor.run(job)));
  expect(results.map((result) => result.ok)).toEqual(results.map(() => true));
});

it('keeps serving old and new versions of a bot when there are more than it keeps warm', async () => {
  const supervisor = supervise({ processes: 1 });
  const jobs = await Promise.all(Array.from({ length: 60 }, (_, n) => jobOf(handlerOf(`return ${n}`))));
  for (const round of [jobs, jobs.slice(0, 5)]) {
    const results = await Promise.all(round.map((job) => supervisor.run(job)));
    expect(results.map((result) => result.ok && result.value.text)).toEqual(round.map((_, n) => String(n)));
  }
});

it('gives its processes no environment', async () => {
  const supervisor = supervise({ processes: 1 });
  await supervisor.run(await jobOf(handlerOf('return 1')));
  const environment = execFileSync('cat', [`/proc/${runnerPids()[0]}/environ`], { encoding: 'utf8' });
  expect(environment.split('\0').filter((line) => line !== '' && !line.startsWith('NODE_CHANNEL'))).toEqual([]);
});

it('gives way to the server with each of its threads', async () => {
  const supervisor = supervise({ processes: 1 });
  const runs = [1, 2, 3, 4].map(async () => supervisor.run(await jobOf(handlerOf('return 1'))));
  for (const { ok } of await Promise.all(runs)) expect(ok).toBe(true);
  const [pid] = runnerPids();
  const nice = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[16]);
  });
  expect(new Set(nice)).toEqual(new Set([15]));
});

it('leaves no process behind when closed, and refuses to run', async () => {
  const supervisor = supervise({ processes: 2 });
  const running = supervisor.run(await jobOf(handlerOf('console.log("x"); await new Promise(() => {})'), {}));
  await supervisor.run(await jobOf(handlerOf('return 1')));
  expect(runnerPids()).not.toEqual([]);
  await supervisor.close();
  expect(await running).toMatchObject({ ok: false, reason: 'cancelled' });
  expect(runnerPids()).toEqual([]);
  await expect(supervisor.run(await jobOf(handlerOf('')))).rejects.toMatchObject({ code: 'unavailable' });
});

it('refuses who waits for a place longer than it may, and nobody else', async () => {
  const supervisor = supervise({ processes: 1, maxProcesses: 1, runsPerProcess: 1 });
  const sleeper = await jobOf(
    handlerOf('await medplum.search("Patient"); await new Promise((d) => setTimeout(d, 800))'),
  );
  let begun = () => {};
  const begins = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = supervisor.run({ ...sleeper, call: async () => begun() });
  await begins;
  const late = () => new Error('too late');
  const other = { ...(await jobOf(handlerOf('return 1'))), projectId: 'project-2' };
  const waits = { mostMs: 100, late };
  await Promise.all([
    expect(supervisor.run({ ...other, waits })).rejects.toThrow('too late'),
    expect(supervisor.run({ ...other, waits: { mostMs: 20_000, late } })).resolves.toMatchObject({ ok: true }),
    expect(supervisor.run(other)).resolves.toMatchObject({ ok: true }),
    expect(first).resolves.toMatchObject({ ok: true }),
  ]);
  expect(await supervisor.run({ ...sleeper, waits }), 'it runs longer than it may wait').toMatchObject({ ok: true });
});
