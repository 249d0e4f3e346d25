import { expect, test } from 'vitest';
import { projectRunsQuery } from '#lib/protocol/bots/runs/run-requests.ts';
import { CAUSES, type RunSearch, STATUSES, toRunFilter, WINDOWS } from './run-search.ts';

const NOW = Date.parse('2026-11-24T08:00:00Z');
const ANY: RunSearch = { bot: '', version: null, status: 'any', trigger: 'any', window: 'any', fingerprint: '' };

test('what is not narrowed is not asked for', () => {
  expect(toRunFilter(ANY, NOW)).toEqual({});
});

test('a version is one of a bot', () => {
  expect(toRunFilter({ ...ANY, version: 2 }, NOW)).toEqual({});
  expect(toRunFilter({ ...ANY, bot: 'b', version: 2 }, NOW)).toEqual({ bot: 'b', version: '2' });
});

test('a window begins so long before now', () => {
  expect(toRunFilter({ ...ANY, window: 'hour' }, NOW)).toEqual({ since: '2026-11-24T07:00:00.000Z' });
  expect(toRunFilter({ ...ANY, window: 'week' }, NOW)).toEqual({ since: '2026-11-17T08:00:00.000Z' });
});

test('whatever can be chosen is what the API takes', () => {
  const bot = '018f5d2e-0000-7000-8000-000000000001';
  for (const status of STATUSES)
    for (const trigger of CAUSES)
      for (const window of WINDOWS)
        expect(
          projectRunsQuery.safeParse(
            toRunFilter({ bot, version: 2, status, trigger, window, fingerprint: '0123456789abcdef' }, NOW),
          ).error,
        ).toBeUndefined();
});
