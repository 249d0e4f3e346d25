import { expect, test } from 'vitest';
import { createBackOff } from './back-off.ts';

test('pauses grow to half a minute, and begin again after a minute in which all was well', () => {
  const { next } = createBackOff();
  expect([0, 0, 0, 10, 100, 59_000, 0].map(next)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect([60_000, 0].map(next)).toEqual([1000, 2000]);
});
