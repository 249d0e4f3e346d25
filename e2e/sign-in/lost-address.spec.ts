import type { Page } from '@playwright/test';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { endWaits } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { findLink, readMail } from '../mailbox.ts';
import { invite } from '../people.ts';
import { awake, confirmed } from '../settled.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

async function addSecondStep(page: Page): Promise<ReturnType<typeof scan>> {
  await page.goto('/account');
  const { enrollUri } = await (await page.request.get('/auth/mfa/status')).json();
  const app = scan(enrollUri);
  await write(page, 'POST', '/auth/mfa/enroll', { token: app.next() });
  return app;
}

async function signInTo(page: Page, email: string, app: ReturnType<typeof scan>): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Six-digit code').fill(app.next());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function askFor(page: Page, next: string): Promise<void> {
  const card = page.getByRole('region', { name: 'Sign-in address' });
  await card.getByRole('button', { name: 'Change address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your address?' });
  await dialog.getByLabel('New address').fill(next);
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Send the mail' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  await expect(card.getByText(`New address: ${next}`)).toBeVisible();
}

test('who has lost their mailbox comes in by the second step, asks for another address, confirms it, and signs in with it once it has waited', async ({
  page,
}) => {
  const { email } = await signUp(page);
  const app = await addSecondStep(page);
  const next = `new.${email}`;
  await page.context().clearCookies();
  await page.goto('/signin');
  await awake(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'I no longer have this address' }).click();
  await expect(page.getByRole('heading', { name: 'You no longer have your address' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('link', { name: 'Sign in and change it' }).click();
  await awake(page);
  await signInTo(page, email, app);
  await expect(page).toHaveURL(/\/account#address$/);
  await awake(page);
  await askFor(page, next);
  await inEveryLook(page);

  await page.goto(findLink(await readMail(page.request, next), '/accountchange/'));
  await expect(page.getByRole('heading', { name: 'Confirm your new address' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await inEveryLook(page);
  await endWaits(next);
  await expect
    .poll(async () => (await page.request.get('/auth/me')).status(), { timeout: 45_000, message: 'every session ends' })
    .toBe(401);
  await page.goto('/signin');
  await awake(page);
  await signInTo(page, next, app);
  await expect(page).toHaveURL(/\/p\//);
});

test('the old address stops it; and the person takes another back themselves', async ({ page }) => {
  const { email } = await signUp(page);
  await addSecondStep(page);
  await page.goto('/account');
  await awake(page);
  await askFor(page, `one.${email}`);
  const card = page.getByRole('region', { name: 'Sign-in address' });
  await card.getByRole('button', { name: `Take it back: New address: one.${email}` }).click();
  await expect(card.getByText('New address:')).toHaveCount(0);
  await askFor(page, `two.${email}`);
  // Of the first, which was taken back, it is told as well.
  const { changes } = await (await page.request.get('/auth/address')).json();
  await expect
    .poll(async () => (await readMail(page.request, email)).text, { message: 'the old address is told' })
    .toContain(`/accountchange/${changes[0].id}`);
  await page.goto(findLink(await readMail(page.request, email), '/accountchange/'));
  await expect(page.getByRole('heading', { name: 'Stop this change?' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'This was not me: stop it' }).click();
  await expect(page.getByRole('heading', { name: 'The change is stopped' })).toBeVisible();
  await inEveryLook(page);
  expect((await page.request.get('/auth/me')).status()).toBe(401);
});

test('a project lets resets wait: the administrator sees it on the member’s page, and takes it back', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await awake(page);
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  await card.getByRole('combobox', { name: 'What a reset by an administrator waits for' }).click();
  await page.getByRole('option', { name: '3 days' }).click();
  await card.getByRole('button', { name: 'Save two-step sign-in' }).click();
  await confirmed(page);
  const joined = { scope: 'project', sendEmail: false, password: PASSWORD };
  const { id } = await invite(page, project, 'Nora Field', joined);
  await page.goto(`/p/${project}/members/${id}?tab=security`);
  await awake(page);
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the e-mail?' });
  await dialog.getByLabel('New e-mail').fill('nora.field.new@example.com');
  await dialog.getByRole('button', { name: 'Change e-mail' }).click();
  await expect(page.getByText('The change waits: it stands below')).toBeVisible();
  const list = page.getByRole('list', { name: 'Changes that wait' });
  await expect(list.getByText('New address: nora.field.new@example.com')).toBeVisible();
  await inEveryLook(page);
  await list.getByRole('button', { name: /^Take it back/ }).click();
  await expect(list).toHaveCount(0);
});
