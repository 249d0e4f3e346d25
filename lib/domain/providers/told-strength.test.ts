import { expect, test } from 'vitest';
import { isTwoFactors, isYoungEnough, readStrength } from './told-strength.ts';

test('of what a provider says only what is well formed is read', () => {
  expect(readStrength({ acr: 'a', amr: ['mfa', 1, null], auth_time: 5 })).toEqual({
    acr: 'a',
    amr: ['mfa'],
    authTime: 5,
  });
  expect(readStrength({ acr: 7, amr: 'mfa', auth_time: '5' })).toEqual({ amr: [] });
  expect(readStrength({ amr: Array.from({ length: 1000 }, () => 'x') }).amr).toHaveLength(50);
});

test('without a word of the provider, and by names of Object.prototype, nothing is two factors', () => {
  expect(isTwoFactors({}, undefined)).toBe(false);
  expect(isTwoFactors({}, { amr: ['toString', 'constructor'], acr: 'mfa' })).toBe(false);
  expect(isTwoFactors({ mfaAmr: [] }, { amr: ['mfa'] })).toBe(false);
});

test('where an age is asked for, one that is not told, is too old or lies ahead is not young enough', () => {
  const now = 1_000_000_000_000;
  const at = (authTime: number | undefined) => isYoungEnough({ maxAge: 60 }, { amr: [], authTime }, 10, now);
  expect([at(undefined), at(999_999_000), at(1_000_000_100), at(999_999_950), at(999_999_935)]).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(isYoungEnough({ maxAge: 60 }, undefined, 10, now)).toBe(false);
  expect(isYoungEnough({}, undefined, 10, now)).toBe(true);
});
