import type { Page } from '@playwright/test';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { readMail } from '../mailbox.ts';
import { awake, confirmed } from '../settled.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

/** Signed up, with an authenticator that this session has shown. */
async function enter(page: Page, project: string): Promise<{ email: string; app: ReturnType<typeof scan> }> {
  const { email } = await signUp(page, project);
  await page.goto('/account');
  const { enrollUri } = await (await page.request.get('/auth/mfa/status')).json();
  const app = scan(enrollUri);
  await write(page, 'POST', '/auth/mfa/enroll', { token: app.next() });
  return { email, app };
}

test('who has two accounts signs in to the other, sees what comes over and what ends, and has one', async ({
  page,
}) => {
  test.slow();
  const other = await enter(page, 'Harbour Clinic');
  await page.context().clearCookies();
  const own = await enter(page, 'Riverside Clinic');
  await page.goto('/account');
  await awake(page);
  const card = page.getByRole('region', { name: 'Another account of yours' });
  await card.getByRole('button', { name: 'Merge an account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Merge another account' });
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog.getByText('Valid email address is required')).toBeVisible();
  await dialog.getByLabel('Address of the other account').fill(other.email);
  await dialog.getByLabel('Password of the other account', { exact: true }).fill('Not-The-One-77');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog.getByText('Email or password is invalid')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Password of the other account', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByLabel('Code of the other account').fill(other.app.next());
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog.getByRole('heading', { name: `From now on entered with ${own.email}` })).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Harbour Clinic' })).toContainText('Owner');
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Merge the accounts' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  const projects = page.getByRole('region', { name: /projects/i }).first();
  await expect(projects.getByText('Harbour Clinic').first()).toBeVisible();
  await expect
    .poll(async () => (await readMail(page.request, other.email)).text)
    .toContain(`merged the account of ${other.email}`);
});
