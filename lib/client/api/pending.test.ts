import { expect, test } from 'vitest';
import { holdPending, isPending, watchPending, whilePending } from './pending.ts';

/** Marks go one turn of the event loop after the answer. */
const turn = () => new Promise((resolve) => setTimeout(resolve));

test('work is pending from the very call, and what it is about with it', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = whilePending(() => promise, 'ben', 'ben', 'eve');
  expect([isPending(), isPending('ben'), isPending('eve'), isPending('ada')]).toEqual([true, true, true, false]);
  resolve('done');
  expect(await work).toBe('done');
  await turn();
  expect([isPending(), isPending('ben'), isPending('eve')]).toEqual([false, false, false]);
});

test('work that fails, or throws before it begins, is pending no longer', async () => {
  await expect(whilePending(() => Promise.reject(new Error('refused')), 'ben')).rejects.toThrow('refused');
  const broken = () => {
    throw new Error('broken');
  };
  await expect(whilePending(broken, 'ben')).rejects.toThrow('broken');
  await turn();
  expect([isPending(), isPending('ben')]).toEqual([false, false]);
});

test('a thing is pending until the last work about it has ended, each end counting once', async () => {
  const [first, second] = [holdPending(['ben']), holdPending(['ben', 'eve'])];
  first();
  first();
  await turn();
  expect([isPending(), isPending('ben')]).toEqual([true, true]);
  second();
  await turn();
  expect([isPending(), isPending('ben')]).toEqual([false, false]);
});

test('between two steps of one work nothing is unmarked, and whoever watches hears of every change', async () => {
  const seen: boolean[] = [];
  const stop = watchPending(() => seen.push(isPending()));
  await whilePending(async () => undefined);
  await whilePending(async () => undefined);
  await turn();
  stop();
  await whilePending(async () => undefined);
  await turn();
  expect(seen).toEqual([true, true, true, false]);
});
