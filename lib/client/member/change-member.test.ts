import { expect, test } from 'vitest';
import type { Member } from '../api/types.ts';
import { toInverse, toPatch } from './change-member.ts';

const BASE: Member = {
  resourceType: 'ProjectMembership',
  id: 'm1',
  project: {},
  user: {},
  profile: {},
  active: false,
  accessPolicy: { reference: 'AccessPolicy/a' },
};

test('what is given is set, what is undefined is taken away, and only if it is there', () => {
  expect(toPatch(BASE, { admin: true, accessPolicy: undefined, access: undefined })).toEqual([
    { op: 'add', path: '/admin', value: true },
    { op: 'remove', path: '/accessPolicy' },
  ]);
});

test('the inverse of a change brings back exactly what it touched', () => {
  expect(toInverse(BASE, { active: true, admin: true })).toEqual({ active: false, admin: undefined });
});
