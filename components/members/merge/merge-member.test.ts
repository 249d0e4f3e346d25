import { expect, test } from 'vitest';
import type { Member } from '#lib/client/api/types.ts';
import { findConflicts, findDifferences, isAlreadySo, merge } from './merge-member.ts';

const BASE: Member = { resourceType: 'ProjectMembership', id: 'm', project: {}, user: {}, profile: {} };
const WARD = { reference: 'AccessPolicy/ward' };

test('only what now differs is asked about', () => {
  expect(findConflicts(BASE, { admin: true }, { ...BASE, active: false })).toEqual(['role', 'status']);
  expect(findConflicts(BASE, { admin: true }, { ...BASE, admin: true })).toEqual([]);
});

test('there is nothing to ask when what the reader wanted stands already', () => {
  expect(isAlreadySo(BASE, { admin: true }, { ...BASE, admin: true, accessPolicy: WARD })).toBe(true);
  expect(isAlreadySo(BASE, { admin: true }, { ...BASE, accessPolicy: WARD })).toBe(false);
});

test('picking theirs leaves their value alone, picking yours writes it over theirs', () => {
  const theirs = { ...BASE, active: false, accessPolicy: WARD };
  const change = { admin: true, accessPolicy: undefined };
  expect(merge(BASE, change, theirs, ['role', 'access'], {})).toEqual(change);
  expect(merge(BASE, change, theirs, ['role', 'access'], { access: 'theirs' })).toEqual({ admin: true });
});

test('what only the other one changed stays theirs unless it is picked away', () => {
  const theirs = { ...BASE, active: false };
  expect(merge(BASE, { admin: true }, theirs, ['role', 'status'], {})).toEqual({ admin: true });
  expect(merge(BASE, {}, theirs, ['status'], { status: 'yours' })).toEqual({ active: undefined });
});

test('the order of elements and what a reference is called make no difference', () => {
  const [one, other] = [
    { ...BASE, accessPolicy: { reference: 'AccessPolicy/ward', display: 'Ward' } },
    { ...BASE, accessPolicy: { display: 'Ward', reference: 'AccessPolicy/ward' } },
  ];
  expect(findDifferences(one, other)).toEqual([]);
  expect(findDifferences(one, { ...BASE, accessPolicy: WARD })).toEqual([]);
  expect(findDifferences(one, { ...BASE, accessPolicy: { reference: 'AccessPolicy/all', display: 'Ward' } })).toEqual([
    'access',
  ]);
  const access = (order: string[]) => [
    { policy: WARD, parameter: [Object.fromEntries(order.map((key) => [key, key === 'name' ? 'ward' : 'W1']))] },
  ];
  const [first, second] = [
    ['name', 'valueString'],
    ['valueString', 'name'],
  ].map((order) => ({ ...BASE, access: access(order) as unknown as Member['access'] }));
  expect(findDifferences(first!, second!)).toEqual([]);
});
