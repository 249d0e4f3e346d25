import { expect, test } from 'vitest';
import { fromTyped, STRENGTH_FIELDS, toTyped } from './provider-strength.ts';

test('what is typed is set, and shown again as it is; what is empty is nothing', () => {
  const typed = { acrValues: ' urn:a  urn:b ', mfaAmr: 'mfa, otp', mfaAcr: '', maxAge: '3600' };
  const set = fromTyped(typed);
  expect(set).toEqual({ acrValues: 'urn:a urn:b', mfaAmr: ['mfa', 'otp'], maxAge: 3600 });
  expect(STRENGTH_FIELDS.map((name) => toTyped(set, name))).toEqual(['urn:a urn:b', 'mfa otp', '', '3600']);
  expect(fromTyped({ acrValues: '', mfaAmr: ' ', mfaAcr: '', maxAge: '' })).toEqual({});
});
