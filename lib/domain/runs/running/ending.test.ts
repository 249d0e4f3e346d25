import { expect, test } from 'vitest';
import { createEnding } from './ending.ts';

test('who stops a run has stopped it, however often it is said', () => {
  const ending = createEnding(undefined);
  expect(ending.isStopped()).toBe(false);
  ending.stop();
  ending.stop();
  expect([ending.isStopped(), ending.signal.aborted]).toEqual([true, true]);
});

test('one that its caller has ended was not stopped', () => {
  const outer = new AbortController();
  const ending = createEnding(outer.signal);
  outer.abort();
  ending.stop();
  expect([ending.isStopped(), ending.signal.aborted]).toEqual([false, true]);
});
