import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { isSound } from './is-sound.ts';
import { newRun } from './pending-run.ts';
import { jobOf } from './run-job.fixture.ts';
import type { RunnerProcess } from './runner-process.ts';
import { createRunsInFlight, type RunsInFlight } from './runs-in-flight.ts';
import type { FromRunner } from './wire.ts';

const runner = () =>
  ({ running: new Map([[1, 'v']]), isolates: 0, start() {}, reply() {} }) as unknown as RunnerProcess;

const open: RunsInFlight[] = [];
// A run whose process never says more is looked for until then.
afterEach(() => {
  for (const runs of open.splice(0)) runs.close();
});

async function begin(onSweep = () => {}) {
  const runs = createRunsInFlight({ memoryMb: 1, graceMs: 1e6, onEnd() {}, onSweep });
  open.push(runs);
  const { promise, resolve, reject } = Promise.withResolvers();
  const own = runner();
  runs.start(newRun(1, await jobOf('export const handler = 1'), { settle: resolve, refuse: reject }), own);
  return { runs, own, settled: promise };
}

it.each<[string, FromRunner]>([
  ['call', ['call', 1, 1, 'search', '[]']],
  ['log', ['log', 1, 'log', 'x']],
  ['done', ['done', 1, 'null', '', null, null]],
  ['failed', ['failed', 1, 'threw', 'x', undefined, undefined, null, null]],
  ['lost', ['lost', 1]],
])('what one process says (%s) of a run that is in another is a breach', async (_, message) => {
  const { runs } = await begin();
  expect(runs.receive(message, runner())).toBe(false);
  runs.close();
});

it('that a run has ended is believed once, and not before its end', async () => {
  const { runs, own, settled } = await begin();
  expect(runs.receive(['free', 1, 1], own)).toBe(false);
  expect(runs.receive(['done', 1, 'null', '', null, null], own)).toBe(true);
  await settled;
  expect(runs.receive(['free', 1, 1], own)).toBe(true);
  expect(runs.receive(['free', 1, 1], own)).toBe(false);
});

it('what is said of a run that has ended changes nothing', async () => {
  const { runs, own, settled } = await begin();
  runs.receive(['done', 1, 'null', '', null, null], own);
  for (const late of [
    ['done', 1, 'json', '{}', null, null],
    ['failed', 1, 'threw', 'x', undefined, undefined, null, null],
    ['log', 1, 'log', 'x'],
  ])
    expect(runs.receive(late as FromRunner, own)).toBe(true);
  expect(await settled).toMatchObject({ ok: true, value: { kind: 'null' }, logs: [] });
});

it('a process that never says that nothing of a run executes any more is ended', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onSweep = vi.fn();
  const { runs, own } = await begin(onSweep);
  const kill = vi.fn(async () => {
    for (const id of own.running.keys()) runs.take(id);
  });
  Object.assign(own, { kill });
  runs.receive(['done', 1, 'null', '', null, null], own);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(kill).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(6000);
  expect(kill).toHaveBeenCalledOnce();
  const looked = onSweep.mock.calls.length;
  await vi.advanceTimersByTimeAsync(6000);
  expect(onSweep, 'nothing is looked at any more').toHaveBeenCalledTimes(looked);
});

it('a call that is asked twice is a breach', async () => {
  const { runs, own } = await begin();
  const call: FromRunner = ['call', 1, 7, 'search', '[]'];
  expect([runs.receive(call, own), runs.receive(call, own)]).toEqual([true, false]);
  runs.close();
});

const isTold = (kind: string) => kind === 'done' || kind === 'failed';
const WHOLE: FromRunner[] = [
  ['call', 1, 1, 'search', '[]'],
  ['log', 1, 'warn', 'x'],
  ['done', 1, 'json', '{}', 1, 1],
  ['failed', 1, 'threw', 'x', 'x', '{}', 1, 1],
  ['free', 1, 2],
  ['lost', 1],
];

it.each(WHOLE.flatMap((whole) => whole.slice(1).map((__, at) => [whole[0], at + 1, whole] as const)))(
  'a message of kind %s that ends before its part %i, or has something else there, is not sound',
  (_, at, whole) => {
    expect(isSound(whole.slice(0, at))).toBe(false);
    // What a run took may be unknown, and a failure without a trace and an outcome.
    const isKnown = (other: unknown) => typeof whole[at] !== 'number' || other !== null || !isTold(whole[0]);
    const isThere = (other: unknown) => whole[0] !== 'failed' || (at !== 4 && at !== 5) || other !== undefined;
    for (const other of [null, undefined, {}, [], Symbol.iterator, true].filter(isKnown).filter(isThere))
      expect(isSound(whole.with(at, other as never))).toBe(false);
  },
);
