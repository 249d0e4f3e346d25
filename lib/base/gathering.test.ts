import { expect, test } from 'vitest';
import { gathering } from './gathering.ts';

const turn = () => new Promise(setImmediate);

test('what comes in one turn goes together, by key; what comes later goes by itself', async () => {
  const runs: [string, number[]][] = [];
  const ask = gathering<number, number>(async (key, items) => {
    runs.push([key, [...items]]);
    return items.length;
  });
  const first = [ask('a', 1), ask('b', 2), Promise.resolve().then(() => ask('a', 3))];
  expect(runs).toEqual([]);
  expect(await Promise.all(first)).toEqual([2, 1, 2]);
  expect(await ask('a', 4)).toBe(1);
  expect(runs).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
    ['a', [4]],
  ]);
});

test('what comes while others are under way does not wait for them', async () => {
  const ends: (() => void)[] = [];
  const ask = gathering<number, void>(() => new Promise((resolve) => ends.push(resolve)));
  const first = ask('a', 1);
  await turn();
  const second = ask('a', 2);
  await turn();
  expect(ends).toHaveLength(2);
  ends[1]!();
  await second;
  ends[0]!();
  await first;
});

test('so many at most go together', async () => {
  const sizes: number[] = [];
  const ask = gathering<number, void>(async (_key, items) => void sizes.push(items.length), { most: 3 });
  await Promise.all(Array.from({ length: 7 }, (_, at) => ask('a', at)));
  expect(sizes).toEqual([3, 3, 1]);
});

test('a failure is that of all who went together, and of nobody else', async () => {
  const ask = gathering<number, void>(async (_key, items) => {
    if (items.includes(1)) throw new Error('one');
  });
  expect(await Promise.allSettled([ask('a', 1), ask('a', 2), ask('b', 3)])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
    { status: 'fulfilled' },
  ]);
  await ask('a', 4);
});
