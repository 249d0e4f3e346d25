import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLooping } from './is-looping.ts';

const changed = () => ({
  ...{ projectId: randomUUID(), subscriptionId: randomUUID(), type: 'Observation', id: randomUUID() },
  ...{ version: '1', op: 'update' as const, depth: '0' },
});
const START = Date.parse('2026-01-01T00:00:00Z');

/** Of so many changes, made every so many seconds and told of at once, those that are cut. */
function cutOf(count: number, everySeconds: number): number {
  const delivery = changed();
  const times = Array.from({ length: count }, (_, n) => new Date(START + n * everySeconds * 1000));
  return times.filter((at) => isLooping(delivery, at)).length;
}

test('a hundred changes of one record within five minutes are no loop, more are', () => {
  expect(cutOf(100, 1)).toBe(0);
  expect(cutOf(150, 1)).toBe(50);
});

test('what waited and is told of at once is counted by when it changed', () => {
  expect(cutOf(1000, 20)).toBe(0);
});
