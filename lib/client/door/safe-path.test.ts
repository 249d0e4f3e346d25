import { expect, test } from 'vitest';
import { toSafePath } from './safe-path.ts';

test.each([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '/\t/evil.test',
  '',
  null,
  undefined,
])('%j never leads away from this site', (next) => {
  expect(toSafePath(next)).toBeUndefined();
});

test.each(['/p/1/members?type=Patient', '/account#sessions', '/'])('%s is kept', (next) => {
  expect(toSafePath(next)).toBe(next);
});
