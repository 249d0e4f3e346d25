import { expect, test } from 'vitest';
import { createLane, createLanes } from './lane.ts';

/** Work that ends when it is told to. */
function makeWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  return { work, ends };
}

test('so many work at once, the others in the order in which they came, and who would wait too long is told', async () => {
  const lane = createLane(2, { most: 2, refusal: 'Too many' });
  const { work, ends } = makeWork();
  const done: number[] = [];
  const all = [0, 1, 2, 3].map((number) => lane(work).then(() => done.push(number)));
  await expect(lane(work)).rejects.toMatchObject({ code: 'too-many-requests', options: { retryAfterSeconds: 5 } });
  expect(ends.length).toBe(2);
  ends[1]!();
  await all[1];
  await expect.poll(() => ends.length).toBe(3);
  for (const at of [0, 2]) ends[at]!();
  await expect.poll(() => ends.length).toBe(4);
  ends[3]!();
  await Promise.all(all);
  expect(done).toEqual([1, 0, 2, 3]);
});

test('what fails makes room as well', async () => {
  const lane = createLane(1);
  const failing = lane(() => Promise.reject(new Error('no')));
  const next = lane(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await lane(async () => 'again')).toBe('again');
});

test('what is given up before its turn is not begun, and keeps no place', async () => {
  const lane = createLane(1);
  const { work, ends } = makeWork();
  const first = lane(work);
  const over = new AbortController();
  const reason = new Error('over');
  const given = lane(work, over.signal);
  const last = lane(work);
  over.abort(reason);
  await expect(given).rejects.toBe(reason);
  await expect(lane(work, over.signal)).rejects.toBe(reason);
  ends[0]!();
  await first;
  await expect.poll(() => ends.length).toBe(2);
  expect(lane.isEmpty()).toBe(false);
  ends[1]!();
  await last;
  expect([ends.length, lane.isEmpty()]).toEqual([2, true]);
});

test('each name has a lane of its own', async () => {
  const lanes = createLanes(1);
  const { work, ends } = makeWork();
  const all = [lanes('a', work), lanes('a', work), lanes('b', work)];
  await expect.poll(() => ends.length).toBe(2);
  ends[1]!();
  await all[2];
  expect(ends.length).toBe(2);
  ends[0]!();
  await expect.poll(() => ends.length).toBe(3);
  ends[2]!();
  await Promise.all(all);
  // The next one begins where nobody is.
  expect(await lanes('a', async () => 'again')).toBe('again');
});
