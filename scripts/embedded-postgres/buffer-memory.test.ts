import { expect, test } from 'vitest';
import { bufferMemory } from './buffer-memory.ts';

const GIB = 1024 ** 3;

test.each([
  ['a small machine', GIB, 0, 256],
  ['a machine', 8 * GIB, 0, 1024],
  ['a large machine', 256 * GIB, 0, 2048],
  ['a container', 64 * GIB, 4 * GIB, 512],
  ['a container without a limit', 8 * GIB, 2 ** 64, 1024],
])('PostgreSQL keeps an eighth of the memory of %s, within bounds', (_, total, constrained, mib) => {
  expect(bufferMemory(total, constrained)).toBe(mib);
});
