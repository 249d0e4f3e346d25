import { expect, test } from 'vitest';
import { isFailing } from './failing-bot.ts';

test('a bot fails when its newest run did, or one in ten; one that has not run today does not', () => {
  expect(isFailing({ runs: 100, failed: 1, last: 'timeout' })).toBe(true);
  expect(isFailing({ runs: 100, failed: 10, last: 'ok' })).toBe(true);
  expect(isFailing({ runs: 100, failed: 9, last: 'ok' })).toBe(false);
  expect(isFailing({ runs: 0, failed: 0, last: 'failed' })).toBe(false);
});
