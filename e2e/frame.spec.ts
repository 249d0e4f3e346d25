import { gzipSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';
import { inEveryLook } from './looks.ts';
import { findLink } from './mailbox.ts';
import { invite } from './people.ts';
import { PASSWORD, signUp } from './sign-up.ts';

test('a session that ends over a form is taken up again in place, and the form goes through', async ({
  page,
  expectAccessible,
}) => {
  const { project, email } = await signUp(page);
  await page.goto(`/p/${project}/members?invite=one`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await sheet.getByLabel('First name').fill('Nora');
  await sheet.getByLabel('Last name').fill('Quist');
  await sheet.getByLabel('E-mail', { exact: true }).fill(`nora-${project}@example.com`);
  await page.evaluate(() => fetch('/oauth2/logout', { method: 'POST' }));
  await sheet.getByRole('button', { name: 'Send invitation' }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.getByLabel('E-mail').fill(email);
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expectAccessible();
  await again.getByRole('button', { name: 'Sign in' }).click();
  await expect(sheet.getByText('Nora Quist is invited')).toBeVisible();
});

test('the palette finds screens, people and actions; single keys go places', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /Invites/ })).toBeVisible();
  await inEveryLook(page, expectAccessible);
  await page.keyboard.type('okaf');
  await expect(page.getByRole('option', { name: /Ben Okafor/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/members/${ben.id}`));
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page.getByRole('heading', { name: 'Invites' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Invite people');
  await inEveryLook(page, expectAccessible);
});

test('one person in two projects chooses one, and goes from it to the other', async ({
  page,
  browser,
  mailTo,
  expectAccessible,
}) => {
  const [first, second] = [await (await browser.newContext()).newPage(), await (await browser.newContext()).newPage()];
  const here = await signUp(first, 'Riverside Clinic');
  const there = await signUp(second, 'Hillside Hospital');
  const ben = await invite(first, here.project, 'Ben Okafor');
  const link = new URL(findLink(await mailTo(ben.email), '/setpassword/'));
  const data = { id: link.pathname.split('/').pop(), secret: link.hash.slice(1), password: PASSWORD };
  expect((await page.request.post('/auth/setpassword', { data })).status()).toBe(200);
  await invite(second, there.project, 'Ben Okafor', { email: ben.email });

  await page.goto('/signin');
  await page.getByLabel('E-mail').fill(ben.email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /Riverside Clinic/ }).click();
  await page.waitForURL(`**/p/${here.project}`);
  await page.getByRole('button', { name: /Switch project/ }).click();
  await expect(page.getByRole('menuitem', { name: /Hillside Hospital/ })).toBeVisible();
  await expectAccessible();
  await page.getByRole('menuitem', { name: /Hillside Hospital/ }).click();
  await page.waitForURL(`**/p/${there.project}`);
  await expect(page.getByRole('button', { name: /Project Hillside Hospital/ })).toBeVisible();
});

test('on a phone the rail is a drawer', async ({ page, expectAccessible }) => {
  const { project } = await signUp(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/p/${project}/members`);
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expectAccessible();
  await page.getByRole('dialog').getByRole('link', { name: 'Invites' }).click();
  await expect(page.getByRole('heading', { name: 'Invites' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the members page stands still while it loads, and is at most 200 kB of script', async ({ page }) => {
  const { project } = await signUp(page);
  for (const name of ['Ben Okafor', 'Chiara Moretti', 'Dmitri Halloran']) await invite(page, project, name);
  const scripts: number[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script' || response.status() !== 200) return;
    scripts.push(gzipSync(await response.body()).length);
  });
  await page.addInitScript(() => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as unknown as { value: number }).value;
      document.documentElement.dataset.shift = String(shift);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('row')).toHaveCount(5);
  await page.waitForLoadState('networkidle');
  const total = scripts.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(200_000);
  const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  expect(shift).toBeLessThan(0.02);
});
