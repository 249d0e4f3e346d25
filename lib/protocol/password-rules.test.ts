import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passwordProblem, passwordRules } from './password-rules.ts';

test.each([
  ['short', 'length'],
  ['пароль7', 'length'],
  ['x'.repeat(73), 'length'],
  ['é'.repeat(73), 'length'],
  ['Password123', 'common'],
  ['aaaaaaaaaa', 'common'],
  ['Gatehouse-2026!', 'common'],
  ['clinic.hospital', 'common'],
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

test('eight characters of whatever script are the least, and 72 the most', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 90 }), (password) => {
      const { length } = [...password];
      expect(passwordRules(password)[0]?.met).toBe(length >= 8 && length <= 72);
    }),
  );
});

test('a passphrase may mention a name', () => {
  expect(passwordProblem('okonkwo under water', ['Ada', 'Okonkwo'])).toBeUndefined();
});

test('a long passphrase is accepted', () => {
  expect(passwordProblem('copper lantern wades upstream', ['Ada', 'Reyes', 'ada@example.com'])).toBeUndefined();
});

test('no kind of character is asked for, and none refused', () => {
  for (const password of ['wades upstream', 'WADESUPSTREAM', '83920174655', '€ £ ¥ ‽ § ¶ † ‡', '🦊🐢🦉🐝🦔🐌🦎🐙'])
    expect(passwordProblem(password)).toBeUndefined();
});

test('64 characters are not too many, of whatever language', () => {
  for (const words of ['copperlanternwades', 'χάλκινοφανάρι', 'медныйфонарь', '銅のランタン', '🦊🐢🦉🐝'])
    expect(passwordProblem([...words.repeat(16)].slice(0, 64).join(''))).toBeUndefined();
});

test('a word of here among others is none too many', () => {
  expect(passwordProblem('the patient copper lantern')).toBeUndefined();
});
