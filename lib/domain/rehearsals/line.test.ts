import { expect, test } from 'vitest';
import { createLine } from './line.ts';

const soon = () => Date.now() + 10_000;

test('one at a time, in the order in which they came', async () => {
  const line = createLine(10);
  const order: number[] = [];
  let inside = 0;
  await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const leave = await line.enter(soon());
      inside += 1;
      expect(inside).toBe(1);
      order.push(n);
      await new Promise(setImmediate);
      inside -= 1;
      leave();
    }),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(line.isEmpty()).toBe(true);
});

test('429 for one too many, and for who waits too long; whoever gave up is passed over', async () => {
  const line = createLine(2);
  const leave = await line.enter(soon());
  const late = line.enter(Date.now() + 20);
  const waits = line.enter(soon());
  await expect(line.enter(soon())).rejects.toMatchObject({ code: 'too-many-requests' });
  await expect(late).rejects.toMatchObject({ code: 'too-many-requests' });
  leave();
  (await waits)();
  expect(line.isEmpty()).toBe(true);
});
