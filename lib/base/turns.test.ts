import { expect, test } from 'vitest';
import { mapInTurns } from './turns.ts';

test('each has its place, and before each others may come first', async () => {
  const order: string[] = [];
  const turn = () => void order.push('turn');
  const make = (item: number) => {
    order.push(String(item));
    return item * 2;
  };
  expect(await mapInTurns([1, 2], make, turn as () => undefined)).toEqual([2, 4]);
  expect(order).toEqual(['turn', '1', 'turn', '2']);
});
