import { expect, test } from 'vitest';
import { toChanges } from './audit-words.ts';

test('what reads the same did not change', () => {
  const before = { user: { reference: 'User/1' }, policy: { reference: 'AccessPolicy/1' } };
  const after = { user: { reference: 'User/1', display: 'Ben' }, policy: { reference: 'AccessPolicy/2' } };
  expect(toChanges(before, after, { 'AccessPolicy/1': 'Ward' })).toEqual([
    { field: 'policy', before: 'Ward', after: 'AccessPolicy/2' },
  ]);
});
