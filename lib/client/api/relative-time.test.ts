import { expect, test } from 'vitest';
import { toRelativeTime } from './relative-time.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T11:59:30Z', 'just now'],
  ['2026-11-20T12:00:30Z', 'just now'],
  ['2026-11-20T11:57:00Z', '3 minutes ago'],
  ['2026-11-19T12:00:00Z', 'yesterday'],
  ['2026-11-27T12:00:00Z', 'next week'],
  ['2026-11-27T11:59:40Z', 'in 7 days'],
  ['2026-11-20T13:59:40Z', 'in 2 hours'],
  ['2026-11-18T12:01:00Z', 'yesterday'],
  ['2024-11-01T12:00:00Z', '2 years ago'],
])('%s reads as "%s" at noon of 20 November 2026', (at, words) => {
  expect(toRelativeTime(Date.parse(at), NOW, { locale: 'en' })).toBe(words);
});

test('a narrow column has it short', () => {
  expect(toRelativeTime(NOW - 59 * 60_000, NOW, { locale: 'en', style: 'short' })).toBe('59 min. ago');
});
