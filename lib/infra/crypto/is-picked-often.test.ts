import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'vitest';
import { isPickedOften } from './is-picked-often.ts';

test('the list has far more than 3,000 that are long enough, and is asked whatever the case', async () => {
  const long = dictionary['passwords-common'].filter((one) => one.length >= 8);
  expect(long.length).toBeGreaterThan(3000);
  for (const one of long.slice(0, 3000)) expect(await isPickedOften(one.toUpperCase()), one).toBe(true);
  expect(await isPickedOften('copper lantern wades upstream')).toBe(false);
  expect(await isPickedOften('toString')).toBe(false);
});
