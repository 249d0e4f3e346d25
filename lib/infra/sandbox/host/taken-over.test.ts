import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { newRun } from './pending-run.ts';
import { jobOf } from './run-job.fixture.ts';
import { type RunnerProcess, spawnRunner } from './runner-process.ts';
import { createRunsInFlight, type RunsInFlight } from './runs-in-flight.ts';
import type { Attack } from './taken-over.fixture.ts';

const FIXTURE = join(import.meta.dirname, 'taken-over.fixture.ts');
const MIB = 1024 * 1024;
/** What the server may have more of meanwhile; the attacks send gigabytes. */
const MOST_MB = 64;

const open: { runner: RunnerProcess; runs: RunsInFlight }[] = [];
afterEach(async () => {
  for (const { runner, runs } of open.splice(0)) {
    runs.close();
    await runner.kill();
  }
});

/** A process that does this instead of running bots. `gone`: how it ended, by itself or by us. */
function takenOver(attack: Attack) {
  const runs = createRunsInFlight({ memoryMb: 1, graceMs: 100, onEnd() {}, onSweep() {} });
  const { promise: gone, resolve: onExit } = Promise.withResolvers<string | null>();
  const walls = { command: [process.execPath, FIXTURE, attack], user: undefined, isBuilt: {} as never };
  const runner: RunnerProcess = spawnRunner(
    '',
    walls,
    { processMemoryMb: 1024, idleMb: 32 },
    {
      onReady() {},
      onMessage: (message) => runs.receive(message, runner),
      onCaughtUp() {},
      onExit,
    },
  );
  open.push({ runner, runs });
  return { runner, runs, gone };
}

async function start({ runner, runs }: ReturnType<typeof takenOver>, timeoutMs: number) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const job = await jobOf('export const handler = 1', { timeoutMs });
  runs.start(newRun(1, job, { settle: resolve, refuse: reject }), runner);
  return promise;
}

const memoryMb = () => (process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers) / MIB;

it.each<Attack>([
  'one frame of 10 GB',
  'lines of a run that it has not',
  'that it is ready, over and over',
  'that it is worn, over and over',
  'that it has lost itself, over and over',
  'random bytes',
  'nothing, and closes its pipe',
])('a process that was taken over and says %s is ended, and the server has no more memory for it', async (attack) => {
  const before = memoryMb();
  expect(await takenOver(attack).gone).toBe('SIGKILL');
  expect(memoryMb() - before).toBeLessThan(MOST_MB);
});

it.each<Attack>(['calls of a run that is over', 'ends of calls that were never asked'])(
  'a process that has a run and says %s is ended',
  async (attack) => {
    const process = takenOver(attack);
    void start(process, 60_000);
    expect(await process.gone).toBe('SIGKILL');
  },
);

it('a frame that never ends lasts as long as the run may, and no longer', async () => {
  const process = takenOver('a frame that never ends');
  expect(await start(process, 300)).toMatchObject({ ok: false, reason: 'timeout' });
  expect(await process.gone).toBe('SIGKILL');
});

it('a process that reads nothing gets no more runs, is not heard, and is ended when too much waits for it', async () => {
  const { runner, gone } = takenOver('nothing, and reads nothing');
  const answer = 'x'.repeat(8 * MIB);
  const before = memoryMb();
  for (let sent = 1; sent <= 100; sent += 1) {
    runner.reply(1, sent, true, answer);
    await new Promise(setImmediate);
    if (sent === 8) expect(runner.isBehind()).toBe(true);
    expect(memoryMb() - before).toBeLessThan(320 + MOST_MB);
  }
  expect(await gone).toBe('SIGKILL');
});

it('what a process writes to its stderr is not read on, and ends nothing', async () => {
  const before = memoryMb();
  const { runner } = takenOver('much to its stderr');
  await expect.poll(() => runner.readyAt).toBeDefined();
  expect(memoryMb() - before).toBeLessThan(MOST_MB);
});
