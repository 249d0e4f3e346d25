import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite } from '../people.ts';
import { awake, settled } from '../settled.ts';
import { PASSWORD, signIn, signUp } from '../sign-up.ts';

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
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(sheet.getByText('Nora Quist is invited')).toBeVisible();
});

test('the palette finds screens, people and actions; single keys go places', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /Invites/ })).toBeVisible();
  await inEveryLook(page);
  await page.keyboard.type('okaf');
  await expect(page.getByRole('option', { name: /Ben Okafor/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/members/${ben.id}`));
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page.getByRole('heading', { name: 'Invites' })).toBeVisible();
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const what of [
    'Peek at the row',
    'Edit the row',
    'Select up to the row',
    'Go to the filters',
    'Collapse the navigation',
  ])
    await expect(keys).toContainText(what);
  await inEveryLook(page);
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
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /Riverside Clinic/ }).click();
  await page.waitForURL(`**/p/${here.project}`);
  await page.getByRole('button', { name: /Switch project/ }).click();
  await expect(page.getByRole('menuitem', { name: /Hillside Hospital/ })).toBeVisible();
  await expectAccessible();
  await page.getByRole('menuitem', { name: /Hillside Hospital/ }).click();
  await page.waitForURL(`**/p/${there.project}`);
  await expect(page.getByRole('button', { name: /Project Hillside Hospital/ })).toBeVisible();
});

test('a tab whose session another tab took to another project shows nobody of that one, and says so', async ({
  page,
  context,
  expectAccessible,
}) => {
  const here = await signUp(page, 'Riverside Clinic');
  await invite(page, here.project, 'Ben Okafor');
  await page.goto(`/p/${here.project}/members`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  const other = await context.newPage();
  const there = await signUp(other, 'Hillside Hospital');
  await invite(other, there.project, 'Chiara Moretti');
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'fetch') answers.push(await response.text().catch(() => ''));
  });
  const left = page.getByRole('heading', { name: 'This address belongs to another project' });
  await page.getByLabel('Status').selectOption('Active');
  await expect(left).toBeVisible();
  await expect(page.getByText('You are signed in to Hillside Hospital.')).toBeVisible();
  expect(answers.join()).not.toContain('Moretti');
  await expectAccessible();

  await page.getByRole('link', { name: 'Go to Hillside Hospital' }).click();
  await expect(page.getByRole('button', { name: /Project Hillside Hospital/ })).toBeVisible();
  await page.getByRole('link', { name: 'Members' }).first().click();
  await expect(page.getByRole('link', { name: 'Chiara Moretti' })).toBeVisible();
  const own = await context.newPage();
  await own.goto('/account');
  await expect(own.getByRole('button', { name: /Project Hillside Hospital/ })).toBeVisible();
  const lake = await signUp(other, 'Lakeside Surgery');
  const lookAt = (tab: Page) => tab.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await lookAt(page);
  await expect(left).toBeVisible();
  await awake(own);
  await lookAt(own);
  await expect(own.getByRole('link', { name: 'Members' }).first()).toHaveAttribute(
    'href',
    `/p/${lake.project}/members`,
  );
});

test('[ collapses the rail to icons; the server renders it so, and nothing moves', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ada Reyes' })).toBeVisible();
  const rail = page.getByRole('navigation', { name: 'Main' });
  const width = async () => (await rail.boundingBox())?.width ?? 0;
  expect(await width()).toBeGreaterThan(200);
  await page.getByLabel(/Search members/).press('[');
  expect(await width()).toBeGreaterThan(200);
  await page.getByLabel(/Search members/).fill('');
  await page.getByRole('heading', { name: 'Members' }).click();
  await page.keyboard.press('[');
  await expect.poll(width).toBeLessThan(64);
  await rail.getByRole('link', { name: 'Clients' }).hover();
  await expect(page.getByRole('tooltip', { name: 'Clients' })).toBeVisible();
  await expect(rail.getByRole('link', { name: 'Members' })).toHaveAttribute('aria-current', 'page');
  await inEveryLook(page);
  const printed = await (await page.request.get(`/p/${project}/members`)).text();
  expect(printed).toContain('Expand navigation');
  await page.reload();
  await page.getByRole('button', { name: 'Expand navigation' }).click();
  await expect(page.getByRole('button', { name: 'Collapse navigation' })).toBeFocused();
  await expect.poll(width).toBeGreaterThan(200);
});

test('who administers nothing sees what they can use, and elsewhere which role it needs', async ({ page }) => {
  const { project } = await signUp(page);
  const eve = await invite(page, project, 'Eve Lund', { password: PASSWORD, sendEmail: false });
  await page.context().clearCookies();
  await signIn(page, eve.email, PASSWORD);
  const calls: string[] = [];
  page.on('response', (response) => response.status() === 403 && calls.push(response.url()));
  await page.goto(`/p/${project}`);
  const rail = page.getByRole('navigation', { name: 'Main' });
  await expect(rail.getByRole('link')).toHaveText(['Overview']);
  await expect(rail).toContainText('administrators');
  await expect(page.getByRole('heading', { name: 'Riverside Clinic' })).toBeVisible();
  await inEveryLook(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: /Overview/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /Members|Invite|Bots|Runs|Clients|settings/ })).toHaveCount(0);
  await page.keyboard.type('ada');
  await expect(page.getByText('Nothing here is called “ada”')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page).toHaveURL(new RegExp(`/p/${project}$`));
  for (const path of ['members', `members/${eve.id}`, 'invites', 'bots', 'runs', 'clients', 'activity', 'settings']) {
    await page.goto(`/p/${project}/${path}`);
    await expect(page.getByText('This needs another role')).toBeVisible();
    await expect(page.getByText(/Only a project administrator may see/)).toBeVisible();
  }
  await inEveryLook(page);
  expect(calls).toEqual([]);
});

test('without a connection the frame says so, for as long as it is gone', async ({ page, context }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ada Reyes' })).toBeVisible();
  await context.setOffline(true);
  const said = page.getByText('You are offline');
  await expect(said).toBeVisible();
  await inEveryLook(page);
  await context.setOffline(false);
  await expect(said).toBeHidden();
});

test('what is pressed is at least 24 px high: links of the breadcrumb, ways to the lists', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}`);
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  const heightOf = async (link: Locator) => (await link.boundingBox())!.height;
  expect(await heightOf(page.getByRole('link', { name: 'All activity' }))).toBeGreaterThanOrEqual(24);
  expect(await heightOf(crumbs.getByRole('link', { name: 'Riverside Clinic' }))).toBeGreaterThanOrEqual(24);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  expect(await heightOf(crumbs.getByRole('link', { name: 'Members' }))).toBeGreaterThanOrEqual(24);
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
  const scripts: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || response.status() !== 200) return;
    scripts.push(response.body().then((body) => gzipSync(body).length));
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
  await settled(page);
  const total = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(200_000);
  const shift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  expect(shift).toBeLessThan(0.02);
});
