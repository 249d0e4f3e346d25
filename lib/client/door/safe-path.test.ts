import { expect, test } from 'vitest';
import { oneValue } from './one-value.ts';
import { toSafePath } from './safe-path.ts';

test.each([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '/\t/evil.test',
  '/.//evil.test/x',
  '/a/..//evil.test',
  '/%2e//evil.test',
  '/./\\evil.test',
  ['/p', '/p'],
  '',
  null,
  undefined,
])('%j never leads away from this site', (next) => {
  expect(toSafePath(next)).toBeUndefined();
});

test.each(['/p/1/members?type=Patient', '/account#sessions', '/'])('%s is kept', (next) => {
  expect(toSafePath(next)).toBe(next);
});

test('a parameter that stands twice is none', () => {
  expect([oneValue('a'), oneValue(['a', 'b']), oneValue(undefined)]).toEqual(['a', undefined, undefined]);
});
