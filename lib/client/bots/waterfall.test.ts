import { expect, test } from 'vitest';
import type { RunCall } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toDenied, toWaterfall, toWritten } from './waterfall.ts';

const call = (startMs: number, durationMs: number, rest: Partial<RunCall> = {}): RunCall => ({
  method: 'search',
  startMs,
  durationMs,
  ...rest,
});
const bars = (calls: RunCall[], durationMs: number) =>
  toWaterfall(calls, durationMs).map(({ left, width }) => [left, width]);

test('bars stand where their calls were in the run, in the order in which these began', () => {
  expect(bars([call(50, 50), call(0, 25)], 100)).toEqual([
    [0, 25],
    [50, 50],
  ]);
});

test('no bar leaves the run, and none is too narrow to be seen', () => {
  expect(bars([call(90, 500)], 100)).toEqual([[90, 10]]);
  expect(bars([call(10, 0)], 1000)).toEqual([[1, 1]]);
  expect(bars([call(100, 0)], 100)).toEqual([[99, 1]]);
  expect(bars([call(0, 0)], 0)).toEqual([[0, 1]]);
});

test('what a run wrote is told once, in its order', () => {
  const calls = [call(0, 1, { wrote: ['Basic/1/_history/1', 'Basic/2/_history/1'] }), call(1, 1)];
  expect(toWritten([...calls, call(2, 1, { wrote: ['Basic/1/_history/1'] })])).toEqual([
    'Basic/1/_history/1',
    'Basic/2/_history/1',
  ]);
});

test('denied is what its rights did not allow, each once; not what another server refused, nor what is not there', () => {
  const at = { startMs: 0, durationMs: 1 };
  const calls = [
    { method: 'createResource', target: 'Basic', status: 403, ...at },
    { method: 'createResource', target: 'Basic', status: 403, ...at },
    { method: 'fetch', target: 'lab.example', status: 403, ...at },
    { method: 'readResource', target: 'Patient', status: 404, ...at },
    { method: 'api', status: 403, ...at },
  ];
  expect(toDenied(calls)).toEqual(['createResource Basic', 'api']);
});
