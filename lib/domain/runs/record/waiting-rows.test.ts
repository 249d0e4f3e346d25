import { expect, it } from 'vitest';
import { createWaitingRows } from './waiting-rows.ts';

const row = (projectId: string, json: string) => ({ projectId, json });

it('drops the oldest of the project that has most, when there is too much', () => {
  const rows = createWaitingRows(10);
  for (const each of [row('small', '1'), row('large', '22'), row('large', '333')]) expect(rows.add(each)).toEqual([]);
  expect(rows.add(row('other', '55555'))).toEqual([row('large', '22')]);
  const taken = [rows.take(10, 100), rows.take(10, 100), rows.take(10, 100)];
  expect(taken).toEqual([[row('small', '1')], [row('large', '333')], [row('other', '55555')]]);
  expect(rows.isEmpty()).toBe(true);
});

it('gives so many at once, by number and by length, and one at least', () => {
  const rows = createWaitingRows(100);
  for (const json of ['1', '22', '333']) rows.add(row('a', json));
  expect(rows.take(10, 3)).toEqual([row('a', '1'), row('a', '22')]);
  rows.putBack([row('a', '1'), row('a', '22')]);
  expect(rows.take(1, 100)).toEqual([row('a', '1')]);
  rows.take(1, 100);
  expect(rows.take(10, 1)).toEqual([row('a', '333')]);
});

it('gives rows of one project at a time, and the next time those of another', () => {
  const rows = createWaitingRows(100);
  for (const each of [row('a', '1'), row('b', '2'), row('a', '3'), row('a', '4')]) rows.add(each);
  expect(rows.take(2, 100)).toEqual([row('a', '1'), row('a', '3')]);
  expect([rows.has('a'), rows.has('b')]).toEqual([true, true]);
  expect(rows.take(2, 100)).toEqual([row('b', '2')]);
  expect(rows.has('b')).toBe(false);
  expect(rows.take(2, 100)).toEqual([row('a', '4')]);
  expect(rows.take(2, 100)).toEqual([]);
});
