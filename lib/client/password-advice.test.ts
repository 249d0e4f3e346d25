import fc from 'fast-check';
import { expect, test } from 'vitest';
import { advisePassword } from './password-advice.ts';

test.each([
  ['short', 'length'],
  ['x'.repeat(73), 'length'],
  ['é'.repeat(37), 'length'],
  ['Password123', 'common'],
  ['aaaaaaaaaa', 'common'],
  ['23456789', 'common'],
  ['okonkwo-of-the-hill', 'personal'],
  ['xx-ada.okon-2026', 'personal'],
])('%s breaks the rule of %s, and the field says so', (password, id) => {
  const advice = advisePassword(password, ['Ada', 'Okonkwo', 'ada.okon@clinic.example']);
  expect(advice.rules.find((rule) => rule.id === id)?.met).toBe(false);
  expect(advice.score).toBe(0);
  expect(advice.problem).toBeDefined();
});

test('length is counted in bytes, so that nothing is cut off at 72', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (password) => {
      const bytes = Buffer.byteLength(password);
      expect(advisePassword(password).rules[0]?.met).toBe(bytes >= 8 && bytes <= 72);
    }),
  );
});

test('a long passphrase is strong', () => {
  expect(advisePassword('copper lantern wades upstream').score).toBe(4);
});
