import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite, readMember } from '../people.ts';
import { awake, confirmed } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

async function typeAddress(page: Page, email: string, project: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`/signin?project=${project}`);
  await awake(page);
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a project says who signs in how, and lets nobody lock themselves out', async ({ page, mailTo }) => {
  const { email, project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Ways in' });
  const admins = card.getByRole('group', { name: 'Administrators' });
  await expect(admins.getByLabel('Password')).toBeChecked();
  await expect(admins.getByLabel('Link by e-mail')).not.toBeChecked();
  await admins.getByLabel('Password').uncheck();
  await admins.getByLabel('Identity provider').uncheck();
  await admins.getByLabel('Passkey').uncheck();
  await expect(card.getByText('Choose one at least')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Save ways in' })).toBeDisabled();
  await inEveryLook(page);
  await admins.getByLabel('Passkey').check();
  await card.getByRole('button', { name: 'Save ways in' }).click();
  await expect(card.getByText('You could not sign in any more: you would need a passkey')).toBeVisible();
  await tabTo(page, admins.getByLabel('Link by e-mail'));
  await page.keyboard.press('Space');
  await card.getByRole('button', { name: 'Save ways in' }).click();
  await expect(card.getByRole('button', { name: 'Save ways in' })).toBeHidden();
  await confirmed(page);

  await typeAddress(page, email, project);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Sign in with a passkey or a link by e-mail')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Look into your mail' })).toBeVisible();
  await expect(page.getByLabel('Six-digit code')).toBeFocused();
  await inEveryLook(page);
  await page.getByLabel('Six-digit code').fill('12345');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The code has six digits')).toBeVisible();
  const code = /\b\d{6}\b/.exec((await mailTo(email)).text)?.[0] ?? '';
  await page.getByLabel('Six-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));
});

test('a link that was mailed, opened in another browser, on a phone', async ({ page, browser, mailTo }) => {
  const { project } = await signUp(page);
  const { email, id } = await invite(page, project, 'Pia Okafor');
  await page.goto(`/p/${project}/members/${id}`);
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('As the project says')).toBeVisible();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'How Pia Okafor signs in' });
  await dialog.getByLabel('Link by e-mail').check();
  await dialog.getByLabel('Password').uncheck();
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Their own')).toBeVisible();
  expect((await readMember(page, project, id)).signInWays).toEqual(['passkey', 'link', 'provider']);

  await typeAddress(page, email, project);
  await page.getByRole('button', { name: 'E-mail me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Look into your mail' })).toBeVisible();
  await expect.poll(async () => (await mailTo(email)).subject).toBe('Sign in by mail');
  const link = findLink(await mailTo(email), '/signin/link/');
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await phone.goto(link);
  await awake(phone);
  await inEveryLook(phone);
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone).toHaveURL(new RegExp(`/p/${project}`));
  await phone.context().clearCookies();
  await phone.goto(link);
  await awake(phone);
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone.getByText('This link is not right, or no longer valid')).toBeVisible();
  await phone.close();
});

test('bounds of sessions: saved, kept, and refused where they would shut out who sets them', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Sessions' });
  await card.getByLabel('Ends when it was not used for').selectOption('30 minutes');
  await card.getByLabel('Allowed addresses').fill('203.0.113.0/24');
  await inEveryLook(page);
  await card.getByRole('button', { name: 'Save sessions' }).click();
  await expect(card.getByText(/your own address \S+ is not one of these/)).toBeVisible();
  await card.getByLabel('Allowed addresses').fill('everywhere');
  await card.getByRole('button', { name: 'Save sessions' }).click();
  await expect(card.getByText(/a list of at most 200 addresses or networks/)).toBeVisible();
  await card.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1, 203.0.113.0/24');
  await card.getByRole('button', { name: 'Save sessions' }).click();
  await expect(card.getByRole('button', { name: 'Save sessions' })).toBeHidden();
  await page.reload();
  await expect(card.getByLabel('Ends when it was not used for')).toHaveValue('30m');
  await expect(card.getByLabel('Allowed addresses')).toHaveValue('127.0.0.0/8, ::1, 203.0.113.0/24');
});
