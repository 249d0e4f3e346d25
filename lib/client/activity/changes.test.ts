import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toChanges } from './changes.ts';

test('only what differs is shown, by its path', () => {
  const before = { name: 'A', admin: true, features: ['bots'], list: [{ a: 1 }, { a: 2 }] };
  const after = { name: 'B', admin: true, features: ['bots', 'cron'], list: [{ a: 1 }, { a: 3 }] };
  expect(toChanges(before, after)).toEqual([
    { path: 'name', before: 'A', after: 'B' },
    { path: 'features', before: 'bots', after: 'bots, cron' },
    { path: 'list[1].a', before: '2', after: '3' },
  ]);
});

test('a reference is shown by its name', () => {
  const after = { policy: { reference: 'AccessPolicy/1' }, other: { reference: 'User/2', display: 'Ada' } };
  expect(toChanges(undefined, after, { 'AccessPolicy/1': 'Ward staff' }).map((change) => change.after)).toEqual([
    'Ward staff',
    'Ada',
  ]);
});

test('two long texts that differ at the end are a change', () => {
  expect(toChanges(`${'x'.repeat(500)}a`, `${'x'.repeat(500)}b`)).toHaveLength(1);
});

test('nothing differs from itself', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => toChanges(value, structuredClone(value)).length === 0));
});
