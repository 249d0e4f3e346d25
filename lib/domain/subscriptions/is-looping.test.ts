import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Delivery } from './delivery.ts';
import { isLooping } from './is-looping.ts';

const changed = () => ({
  ...{ projectId: randomUUID(), subscriptionId: randomUUID(), type: 'Observation', id: randomUUID() },
  ...{ version: '1', op: 'update' as const, depth: '0' },
});
const START = Date.parse('2026-01-01T00:00:00Z');

/** Of so many changes, made every so many seconds and told of at once, those that are cut. */
function cutOf(count: number, everySeconds: number, more: Partial<Delivery> = {}): number {
  const delivery = { ...changed(), ...more };
  const times = Array.from({ length: count }, (_, n) => new Date(START + n * everySeconds * 1000));
  return times.filter((at) => isLooping(delivery, at)).length;
}

test('a hundred changes of one record within five minutes that runs have made are no loop, more are', () => {
  expect(cutOf(100, 1, { depth: '1' })).toBe(0);
  expect(cutOf(150, 1, { depth: '1' })).toBe(50);
});

test('a device that changes a record every second is none; what is faster goes round by way of others', () => {
  expect(cutOf(1000, 1)).toBe(0);
  expect(cutOf(150, 0.1)).toBe(50);
});

test('what somebody replays is told, however much of it there is', () => {
  expect(cutOf(1200, 0.1, { replay: '1' })).toBe(0);
});

test('what waited and is told of at once is counted by when it changed', () => {
  expect(cutOf(1000, 20)).toBe(0);
});
