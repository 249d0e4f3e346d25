import { expect, test } from 'vitest';
import { findWaysFault, tellWays, waysOf } from './ways.ts';

const SETTINGS = [
  { name: 'signInWays.Admin', valueString: 'provider' },
  { name: 'signInWays.Patient', valueString: 'link, passkey' },
];
const patient = { profile: { reference: 'Patient/1' } };
const staff = { profile: { reference: 'Practitioner/1' } };

test('as the membership says, else for administrators, else for the profile, else all but the link', () => {
  expect(waysOf(SETTINGS, patient)).toEqual(['passkey', 'link']);
  expect(waysOf(SETTINGS, staff)).toEqual(['password', 'passkey', 'provider']);
  expect(waysOf(SETTINGS, { ...staff, admin: true })).toEqual(['provider']);
  expect(waysOf([], { ...staff, admin: true })).toEqual(['password', 'passkey', 'provider']);
  expect(waysOf(SETTINGS, { ...staff, admin: true, signInWays: ['password'] })).toEqual(['password']);
  expect(waysOf(SETTINGS, { ...patient, signInWays: [] })).toEqual(['passkey', 'link']);
});

test('a list that is none, and a group that there is not, are told', () => {
  for (const valueString of ['', ' ', 'passwords', 'link,,passkey', 'link,constructor'])
    expect(findWaysFault({ name: 'signInWays.Patient', valueString })).toContain('comma list');
  expect(findWaysFault({ name: 'signInWays.Patient', valueBoolean: true })).toContain('comma list');
  expect(findWaysFault({ name: 'signInWays.Nurse', valueString: 'link' })).toContain('none of them');
  expect(findWaysFault({ name: 'signInWays.Patient', valueString: 'link , passkey' })).toBeUndefined();
  expect(findWaysFault({ name: 'other' })).toBeUndefined();
});

test('ways in words', () => {
  expect(tellWays(['password', 'passkey', 'provider'])).toBe('a password, a passkey or your organisation’s sign-in');
  expect(tellWays(['link'])).toBe('a link by e-mail');
});
