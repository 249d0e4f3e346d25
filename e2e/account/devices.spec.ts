import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { settled } from '../settled.ts';
import { signIn, signUp } from '../sign-up.ts';

test('a browser is named; one that is new is told by mail, and signed out from here', async ({
  page,
  browser,
  baseURL,
  mailTo,
  expectAccessible,
}) => {
  const { email } = await signUp(page);
  await signIn(page, email);
  await page.goto('/account');
  const list = page.getByRole('list', { name: 'Browsers' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /^Name / }).click();
  await page.getByLabel('Name', { exact: true }).fill('Desk at home');
  await expectAccessible();
  await page.getByRole('button', { name: 'Save the name' }).click();
  await expect(list.getByText('Desk at home')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Sessions' }).getByText('Desk at home')).toBeVisible();

  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  await signIn(elsewhere, email);
  expect((await mailTo(email)).subject).toBe('A new browser in your account');
  await page.reload();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await inEveryLook(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  const other = list.getByRole('listitem').filter({ hasNotText: 'Desk at home' });
  await other.getByRole('button', { name: /^Sign out / }).click();
  await page.getByRole('button', { name: 'Sign out and forget' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await settled(page);
  expect((await elsewhere.request.get('/auth/me')).status()).toBe(401);
});
