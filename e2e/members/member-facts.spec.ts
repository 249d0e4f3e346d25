import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signIn, signUp } from '../sign-up.ts';

test('since when and when last: in the list, on the page of a member and in the export', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor', { admin: true });
  await invite(page, project, 'Bartholomew Featherstonehaugh', { resourceType: 'Patient' });
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  await expect(row.getByText('Not yet')).toBeAttached();
  await expect(row.locator('time')).toHaveCount(2);
  const self = page.getByRole('row').filter({ hasText: 'Ada Reyes' });
  await expect(self.locator('time')).toHaveCount(3);
  await self.locator('time').first().hover();
  await expect(self.getByRole('tooltip').first()).toContainText(String(new Date().getFullYear()));
  await inEveryLook(page);
  const table = page.getByRole('table', { name: 'Members' });
  expect(await table.evaluate((node) => node.scrollWidth <= node.parentElement!.clientWidth)).toBe(true);
  await page
    .getByRole('columnheader', { name: /Joined/ })
    .getByRole('button', { name: 'changed' })
    .click();
  await expect(page).toHaveURL(/sort=_lastUpdated/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const [head, first] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  expect(head).toContain('joined,last active,changed');
  expect(first).toMatch(/(,20\d\d-[^,]+Z){3},/);

  await page.goto(`/p/${project}/members/${ben.id}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText(/Account\s*Server-wide/);
  await expect(details).toContainText(/Joined\s*just now/);
  await inEveryLook(page);
});

const PASSWORD = 'staple orbit lantern 43';

/** A member who is signed in on two devices. */
async function onTwoDevices(page: Page, browser: Browser, project: string, baseURL: string | undefined) {
  const ben = await invite(page, project, 'Ben Okafor', { password: PASSWORD, sendEmail: false, scope: 'server' });
  const devices = await Promise.all([1, 2].map(async () => (await browser.newContext({ baseURL })).newPage()));
  for (const device of devices) await signIn(device, ben.email, PASSWORD);
  const live = async () => {
    const answers = await Promise.all(devices.map((device) => device.request.get('/auth/me')));
    return answers.filter((answer) => answer.status() === 200).length;
  };
  await confirmed(page);
  expect(await live()).toBe(2);
  return { ben, live };
}

test('sessions of a member: one ends at a press, all of them after a question, one’s own signs out', async ({
  page,
  browser,
  baseURL,
}) => {
  const { project, email } = await signUp(page);
  const { ben, live } = await onTwoDevices(page, browser, project, baseURL);
  await page.goto(`/p/${project}/members/${ben.id}?tab=security`);
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await inEveryLook(page);
  await sessions
    .first()
    .getByRole('button', { name: /^End the session/ })
    .click();
  await expect(page.getByText('The session has ended')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await confirmed(page);
  expect(await live()).toBe(1);

  await page.getByRole('button', { name: 'End all' }).click();
  const dialog = page.getByRole('dialog', { name: 'End every session of Ben Okafor?' });
  await expect(dialog).toContainText('One session ends at once');
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await expect(page.getByText('Nobody is signed in now.')).toBeVisible();
  await confirmed(page);
  expect(await live()).toBe(0);

  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByText('Session ended')).toHaveCount(2);
  await expect(page.getByText('Added to the project')).toBeVisible();
  await page.getByLabel('Show').selectOption('Sign-ins');
  await expect(page.getByText('Added to the project')).toBeHidden();
  await expect(page.getByText('Signed in', { exact: true })).toHaveCount(2);
  await inEveryLook(page);
  await page.getByLabel('Show').selectOption('Refused');
  await expect(page.getByText('Nothing of this kind')).toBeVisible();
  await expect(page).toHaveURL(/show=refused/);

  const self = await page.request.get('/auth/me', { headers: { 'sec-fetch-site': 'same-origin' } });
  await page.goto(`/p/${project}/members/${(await self.json()).membership.id}?tab=security`);
  await expect(page.getByText('This one')).toBeVisible();
  await inEveryLook(page);
  await sessions.getByRole('button', { name: /^End the session/ }).click();
  const own = page.getByRole('dialog', { name: 'End the session you are using?' });
  await expect(own).toBeVisible();
  await inEveryLook(page);
  await own.getByRole('button', { name: 'End my session' }).click();
  await page.waitForURL(/\/signin/);
  expect(await signIn(page, email)).toBe(project);
});

test('by keyboard alone: end one session of a member, then the others', async ({ page, browser, baseURL }) => {
  const { project } = await signUp(page);
  const { ben, live } = await onTwoDevices(page, browser, project, baseURL);
  await page.goto(`/p/${project}/members/${ben.id}?tab=security`);
  const ends = page.getByRole('button', { name: /^End the session/ });
  await expect(ends).toHaveCount(2);
  await tabTo(page, ends.first());
  await page.keyboard.press('Enter');
  await expect(ends).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'End all' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'End all sessions' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nobody is signed in now.')).toBeVisible();
  await confirmed(page);
  expect(await live()).toBe(0);
});
