import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { awake } from '../settled.ts';
import { PASSWORD, signIn, signUp } from '../sign-up.ts';

const NEXT = 'another quiet harbour 17';

test('password, sessions and appearance', async ({ page, browser, baseURL, expectAccessible }) => {
  const { email } = await signUp(page);
  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  const project = await signIn(elsewhere, email);
  await elsewhere.goto(`/p/${project}`);
  await page.goto('/account');
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await inEveryLook(page);

  await sessions.getByRole('button', { name: /^End/ }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  expect((await elsewhere.request.get('/auth/me')).status()).toBe(401);

  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password', { exact: true }).fill(NEXT);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Incorrect password')).toBeVisible();
  await expectAccessible();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Password', exact: true })).toBeFocused();
  await signIn(elsewhere, email, NEXT);

  await page.getByText('Dark', { exact: true }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByRole('button', { name: 'Account of Ada Reyes' }).click();
  await page.getByRole('menuitemradio', { name: 'Light' }).click();
  await expect(page.getByRole('radio', { name: 'Light', exact: true })).toBeChecked();
});

test('by keyboard alone: choose a theme, turn single keys off', async ({ page }) => {
  await signUp(page);
  await page.goto('/account');
  await awake(page);
  await tabTo(page, page.getByRole('radio', { name: 'Like the system' }));
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await tabTo(page, page.getByRole('switch', { name: 'Single-key shortcuts' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+?');
  await expect(page.getByRole('dialog')).toBeVisible();
});
