import { expect, test } from 'vitest';
import type { Member } from '#lib/client/api/types.ts';
import { findGuard, isSelfHarm } from './guards.ts';

const ADMIN: Member = {
  resourceType: 'ProjectMembership',
  id: 'm1',
  project: {},
  user: { reference: 'User/u1', display: 'ada@clinic.example' },
  profile: { reference: 'Practitioner/p1' },
  admin: true,
};
const FACTS = { owner: 'User/u9', admins: 2, self: 'm9' };

test.each(['demote', 'deactivate', 'remove'] as const)(
  'nobody can %s the owner or the last administrator',
  (action) => {
    expect(findGuard(action, ADMIN, FACTS)).toBeUndefined();
    expect(findGuard(action, ADMIN, { ...FACTS, owner: 'User/u1' })).toMatch(/Owns/);
    expect(findGuard(action, ADMIN, { ...FACTS, admins: 1 })).toMatch(/only active/);
    expect(findGuard(action, { ...ADMIN, admin: false }, { ...FACTS, admins: 1 })).toBeUndefined();
  },
);

test('whom a directory manages is set active and inactive there, and all else is done here', () => {
  for (const action of ['deactivate', 'reactivate'] as const) {
    expect(findGuard(action, ADMIN, FACTS, 'Okta')).toBe('Managed by Okta: change it there');
  }
  for (const action of ['promote', 'demote', 'remove', 'reset'] as const) {
    expect(findGuard(action, ADMIN, FACTS, 'Okta')).toBeUndefined();
  }
});

test('mail goes only to somebody who has an address', () => {
  expect(findGuard('reset', ADMIN, FACTS)).toBeUndefined();
  expect(findGuard('reset', { ...ADMIN, user: { reference: 'User/u1' } }, FACTS)).toMatch(/no e-mail/);
  expect(findGuard('resend', { ...ADMIN, active: false }, FACTS)).toMatch(/Reactivate/);
});

test('taking away one’s own rights is noticed', () => {
  expect(isSelfHarm('demote', ADMIN, { ...FACTS, self: 'm1' })).toBe(true);
  expect(isSelfHarm('promote', ADMIN, { ...FACTS, self: 'm1' })).toBe(false);
});
