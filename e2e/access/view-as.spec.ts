import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink, type Mail } from '../mailbox.ts';
import { invite } from '../people.ts';
import { PASSWORD, signIn, signUp } from '../sign-up.ts';

type MailTo = (address: string) => Promise<Mail>;
type Person = { id: string; email: string };

const headers = { 'sec-fetch-site': 'same-origin' };

/** Who reads women alone, without their birth dates, and has come in in a browser of their own. */
async function enter(page: Page, project: string, mailTo: MailTo, there: Page): Promise<Person> {
  const rule = { resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['birthDate'] };
  const data = { resourceType: 'AccessPolicy', name: 'Women', resource: [rule] };
  const made = await page.request.post('/fhir/R4/AccessPolicy', { data, headers });
  expect(made.status(), await made.text()).toBe(201);
  const accessPolicy = { reference: `AccessPolicy/${(await made.json()).id}` };
  const ben = await invite(page, project, 'Ben Okafor', { membership: { accessPolicy } });
  const link = new URL(findLink(await mailTo(ben.email), '/setpassword/'));
  const form = { id: link.pathname.split('/').pop(), secret: link.hash.slice(1), password: PASSWORD };
  expect((await there.request.post('/auth/setpassword', { data: form })).status()).toBe(200);
  expect(await signIn(there, ben.email)).toBe(project);
  for (const [family, gender] of [
    ['Lindqvist', 'female'],
    ['Hansen', 'male'],
  ]) {
    const patient = { resourceType: 'Patient', gender, birthDate: '1970-01-01', name: [{ given: ['Kim'], family }] };
    expect((await page.request.post('/fhir/R4/Patient', { data: patient, headers })).status()).toBe(201);
  }
  return ben;
}

test('an administrator looks with a member’s eyes, who sees who looked and why; the other tab stays the administrator’s', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const there = await (await browser.newContext({ baseURL })).newPage();
  const ben = await enter(page, project, mailTo, there);
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByRole('button', { name: 'View as Ben Okafor' }).click();
  const dialog = page.getByRole('dialog', { name: 'View as Ben Okafor' });
  await dialog.getByRole('button', { name: 'Start the view' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Why').fill('He says that a record is missing');
  await dialog.getByRole('button', { name: 'Start the view' }).click();

  const screen = page.getByRole('dialog', { name: 'As Ben Okafor sees it' });
  await expect(screen.getByRole('status').first()).toContainText('You look with the eyes of Ben Okafor');
  await expect(screen.getByRole('timer')).toHaveText(/^9:\d\d$/);
  await expect(screen.getByRole('list', { name: 'Types that are read' })).toContainText('Patient');
  await screen.getByLabel('Type', { exact: true }).fill('Patient');
  await screen.getByRole('button', { name: 'Look' }).click();
  const records = screen.getByRole('list', { name: 'Records' });
  await expect(records.getByRole('listitem')).toHaveCount(1);
  await records.getByRole('button', { name: /Kim Lindqvist/ }).click();
  await expect(records.getByText('"gender": "female"')).toBeVisible();
  await expect(records.getByText('birthDate')).toHaveCount(0);
  await inEveryLook(page);
  await screen.getByLabel('Type', { exact: true }).fill('Observation');
  await screen.getByRole('button', { name: 'Look' }).click();
  await expect(screen.getByText('This is closed')).toBeVisible();
  await inEveryLook(page);

  // The cookie is the administrator's, all the while; and the token stands in no storage and no address.
  expect((await (await page.request.get('/auth/me', { headers })).json()).membership.admin).toBe(true);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href, history.state]));
  expect(kept).not.toContain('eyJ');

  await screen.getByRole('button', { name: 'End the view' }).click();
  await expect(screen).toHaveCount(0);
  await expect(page.getByText('You are yourself again')).toBeVisible();
  await expect(page.getByRole('button', { name: 'View as Ben Okafor' })).toBeFocused();

  expect(findLink(await mailTo(ben.email), '/account')).toContain('#views');
  await there.goto('/account');
  const own = there.getByRole('list', { name: 'Who looked with your eyes' });
  await expect(own).toContainText('He says that a record is missing');
  await expect(own).toContainText('Ada Reyes');
});

test('with the keyboard alone; Back ends it, and so does loading the page anew', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const there = await (await browser.newContext({ baseURL })).newPage();
  const ben = await enter(page, project, mailTo, there);
  await page.goto(`/p/${project}/members/${ben.id}`);
  const begin = async () => {
    await tabTo(page, page.getByRole('button', { name: 'View as Ben Okafor' }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Why').fill('A look');
    const started = page.waitForResponse((answer) => answer.url().endsWith('/view-as'));
    await page.keyboard.press('Enter');
    return `Bearer ${(await (await started).json()).token}`;
  };
  const isOver = async (authorization: string) =>
    expect.poll(async () => (await there.request.get('/auth/me', { headers: { authorization } })).status()).toBe(401);
  const screen = page.getByRole('dialog', { name: 'As Ben Okafor sees it' });

  const first = await begin();
  await expect(screen).toBeFocused();
  await tabTo(page, screen.getByLabel('Type', { exact: true }));
  await page.keyboard.type('Patient');
  await page.keyboard.press('Enter');
  await expect(screen.getByRole('button', { name: /Kim Lindqvist/ })).toBeVisible();
  await page.goBack();
  await expect(screen).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'View as Ben Okafor' })).toBeFocused();
  await isOver(first);

  const second = await begin();
  await expect(screen).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(screen).toHaveCount(0);
  await isOver(second);

  const third = await begin();
  await expect(screen).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'View as Ben Okafor' })).toBeVisible();
  await expect(screen).toHaveCount(0);
  await isOver(third);
});
