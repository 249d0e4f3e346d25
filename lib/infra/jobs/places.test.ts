import { expect, test } from 'vitest';
import { toBegin, toFetch, toHold, toResume } from './places.ts';

type One = Parameters<typeof toBegin>[0] extends Iterable<infer T> ? T : never;

let last = 0;
const jobs = (group: string, count: number, state: One['state'] = 'waiting', key?: string): One[] =>
  Array.from({ length: count }, () => ({ group, state, key: key ?? `${++last}` }));

/** How many of each project. */
const countsOf = (all: readonly One[]) =>
  Object.fromEntries([...Map.groupBy(all, ({ group }) => group)].map(([group, of]) => [group, of.length]));

test('one project has twelve places, of eight each has six', () => {
  expect(countsOf(toBegin(jobs('a', 100)))).toEqual({ a: 12 });
  const eight = [...'abcdefgh'].flatMap((group) => jobs(group, 20));
  expect(countsOf(toBegin(eight))).toEqual(Object.fromEntries([...'abcdefgh'].map((group) => [group, 6])));
});

test('four projects that have every place, and more to do, keep no other waiting', () => {
  const four = [...'abcd'].flatMap((group) => [...jobs(group, 12, 'running'), ...jobs(group, 52)]);
  expect(countsOf(toBegin([...four, ...jobs('e', 20)]))).toEqual({ e: 1 });
  const { batchSize, ignoreGroups } = toFetch(four);
  expect(batchSize).toBeGreaterThan(0);
  expect(ignoreGroups).toEqual([...'abcd']);
  // A place that is free again is theirs who have less.
  const freed = four.filter(({ group }, at) => group !== 'a' || at > 1);
  expect(countsOf(toBegin([...freed, ...jobs('e', 1, 'running'), ...jobs('e', 20)]))).toEqual({ e: 1 });
});

test('no place is idle while somebody has more to do, however many others there are', () => {
  const others = Array.from({ length: 24 }, (_, at) => jobs(`o${at}`, 1, 'running')).flat();
  expect(countsOf(toBegin([...others, ...jobs('a', 64)]))).toEqual({ a: 12 });
});

test('of one key the first alone, and nothing past the one that waits for its turn', () => {
  const [first, second] = jobs('a', 2, 'waiting', 'one');
  expect(toBegin([first!, second!])).toEqual([first]);
  expect(toBegin([{ ...first!, state: 'running' }, second!])).toEqual([]);
});

test('what is held has an end, however many projects there are', () => {
  const many = Array.from({ length: 128 }, (_, at) => jobs(`g${at}`, 4)).flat();
  expect(toFetch(many).batchSize).toBe(0);
  expect(toBegin(many)).toHaveLength(48 + 48);
  expect(toFetch([])).toEqual({ batchSize: 64, ignoreGroups: [] });
});

test('of one key so many are held that all places of a project may be used beside it; more are taken when few are left', () => {
  const [hot, others] = [jobs('a', 64, 'waiting', 'hot'), jobs('a', 20)];
  const { kept, surplus } = toHold(jobs('a', 2, 'running', 'hot'), [...hot, ...others]);
  expect(kept).toEqual([...hot.slice(0, 3), ...others]);
  expect(surplus).toEqual(hot.slice(3));
  expect(countsOf(toBegin(kept))).toEqual({ a: 12 });
  expect(toResume(kept, ['hot'])).toBeUndefined();
  const few = jobs('a', 2, 'waiting', 'hot').concat(jobs('a', 9, 'done', 'hot'));
  expect([toResume(few, ['hot', 'gone']), toResume(few, ['gone', 'hot']), toResume(few, [])]).toEqual([
    'hot',
    'gone',
    undefined,
  ]);
});

test('where many projects are held, one key takes no more than half of what its project may have', () => {
  const others = Array.from({ length: 60 }, (_, at) => jobs(`p${at}`, 1)).flat();
  const { kept } = toHold(others, jobs('a', 64, 'waiting', 'hot'));
  expect(kept).toHaveLength(2);
  expect(toFetch([...others, ...kept]).ignoreGroups).toEqual([]);
  expect(toResume([...others, ...kept], ['hot'])).toBeUndefined();
  expect(toResume([...others, ...kept.slice(1)], ['hot'])).toBe('hot');
});
