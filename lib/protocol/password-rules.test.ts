import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordProblem, passwordRules } from './password-rules.ts';

test.each([
  ['short', 'length'],
  ['x'.repeat(73), 'length'],
  ['é'.repeat(37), 'length'],
  ['Password123', 'common'],
  ['aaaaaaaaaa', 'common'],
  ['23456789', 'common'],
  ['Okonkwo2026!', 'personal'],
  ['ada.okon@clinic.example', 'personal'],
  ['okon.2026!', 'personal'],
])('%s breaks the rule of %s and is refused with a reason', (password, id) => {
  const personal = ['Ada', 'Okonkwo', 'ada.okon@clinic.example'];
  const rule = passwordRules(password, personal).find((entry) => entry.id === id);
  expect(rule?.met).toBe(false);
  expect(passwordProblem(password, personal)).toBeDefined();
});

test('length is counted in bytes, so that nothing is cut off at 72', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (password) => {
      const bytes = Buffer.byteLength(password);
      expect(passwordRules(password)[0]?.met).toBe(bytes >= 8 && bytes <= 72);
    }),
  );
});

test('a passphrase may mention a name', () => {
  expect(passwordProblem('okonkwo under water', ['Ada', 'Okonkwo'])).toBeUndefined();
});

test('a long passphrase is accepted', () => {
  expect(passwordProblem('copper lantern wades upstream', ['Ada', 'Reyes', 'ada@example.com'])).toBeUndefined();
});
