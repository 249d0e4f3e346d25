import { expect, test } from 'vitest';
import { advisePassword } from './password-advice.ts';

test('what a rule refuses scores nothing, and the field says why', () => {
  expect(advisePassword('Password123')).toMatchObject({ score: 0, problem: expect.any(String) });
});

test('a long passphrase is strong', () => {
  expect(advisePassword('copper lantern wades upstream').score).toBe(4);
});
