import { expect, test } from 'vitest';
import { offerSignIn, regainSession } from './session-guard.ts';

test('requests that lose their session together are asked about once', async () => {
  let asked = 0;
  const takeBack = offerSignIn(async () => {
    asked += 1;
    return true;
  });
  expect(await Promise.all([regainSession(), regainSession(), regainSession()])).toEqual([true, true, true]);
  expect(asked).toBe(1);
  expect(await regainSession()).toBe(true);
  expect(asked).toBe(2);
  takeBack();
  expect(await regainSession()).toBe(false);
});
