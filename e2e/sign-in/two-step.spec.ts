import type { Page } from '@playwright/test';
import { type Authenticator, scan } from '#lib/testing/devices/authenticator.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite } from '../people.ts';
import { awake } from '../settled.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

/** The secret as the page shows it, for who cannot scan. */
async function scanPage(page: Page): Promise<Authenticator> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const shown = page.locator('code').filter({ hasText: /^[A-Z2-7 ]{39}$/ });
  const key = (await shown.textContent()) ?? '';
  return scan(`otpauth://totp/x?secret=${key.replaceAll(' ', '')}`);
}

async function typePassword(page: Page, email: string, project?: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(project ? `/signin?project=${project}` : '/signin');
  await awake(page);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('set up on the account page, asked for at sign-in, recovered from, removed', async ({ page, mailTo }) => {
  const { email, project } = await signUp(page);
  await page.goto('/account');
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  await expect(card.getByText('Off')).toBeVisible();
  await card.getByRole('button', { name: 'Set up' }).click();
  const phone = await scanPage(page);
  await inEveryLook(page);
  await card.getByLabel('Six-digit code').fill(phone.wrong());
  await card.getByRole('button', { name: 'Turn on' }).click();
  await expect(card.getByText('This code is not right')).toBeVisible();
  await card.getByLabel('Six-digit code').fill(phone.next());
  await card.getByRole('button', { name: 'Turn on' }).click();
  const codes = card.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [first = '', second = ''] = await codes.allTextContents();
  await inEveryLook(page);
  const download = page.waitForEvent('download');
  await card.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('gatehouse-recovery-codes.txt');
  await card.getByRole('button', { name: 'I have kept them' }).click();
  await expect(card.getByText('10 are left')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Two-step sign-in', exact: true })).toBeFocused();
  await inEveryLook(page);
  expect((await mailTo(email)).subject).toBe('Two-step sign-in was added to your account');

  await typePassword(page, email);
  const code = page.getByLabel('Six-digit code');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await inEveryLook(page);
  await code.fill(phone.wrong());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('This code is not right')).toBeVisible();
  await code.fill(phone.next());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));

  await typePassword(page, email);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(first);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));

  await page.goto('/account');
  await expect(card.getByText('9 are left')).toBeVisible();
  await card.getByRole('button', { name: 'Remove authenticator app' }).click();
  await card.getByLabel('Code', { exact: true }).fill(second);
  await card.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(card.getByText('Off')).toBeVisible();
});

test('required by the project: set up while signing in, by keyboard alone', async ({ page }) => {
  const { email, project } = await signUp(page);
  await page.goto('/account');
  const rules = [{ name: 'mfaRequired', valueString: 'everyone' }];
  await write(page, 'POST', `/admin/projects/${project}/settings`, rules);
  await typePassword(page, email);
  await expect(page.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
  const phone = await scanPage(page);
  await inEveryLook(page);
  await tabTo(page, page.getByLabel('Six-digit code'));
  await page.keyboard.type(phone.next());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await inEveryLook(page);
  await tabTo(page, page.getByRole('button', { name: 'I have kept them' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));
});

test('codes by e-mail: set up on the account page, and asked for at sign-in', async ({ page, mailTo }) => {
  const { email, project } = await signUp(page);
  await page.goto('/account');
  const rules = [{ name: 'allowedMfaMethods', valueString: 'email' }];
  await write(page, 'POST', `/admin/projects/${project}/settings`, rules);
  await page.reload();
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  const mailed = async () => {
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect(page.getByText('A code is on its way')).toBeVisible();
    await expect.poll(async () => (await mailTo(email)).subject).toBe('Your sign-in code');
    return /\b\d{6}\b/.exec((await mailTo(email)).text)?.[0] ?? '';
  };
  await card.getByRole('button', { name: 'Set up' }).click();
  await card.getByLabel('Six-digit code').fill(await mailed());
  await card.getByRole('button', { name: 'Turn on' }).click();
  await card.getByRole('button', { name: 'I have kept them' }).click();
  await expect.poll(async () => (await mailTo(email)).subject).toBe('Two-step sign-in was added to your account');
  await typePassword(page, email);
  await page.getByLabel('Six-digit code').fill(await mailed());
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));
});

test('an administrator requires it of everyone, and of somebody invited; and resets a lost phone', async ({
  page,
  browser,
  baseURL,
  mailTo,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  await card.getByLabel('Who must have it').selectOption('Everyone');
  await card.getByLabel('What may be set up').selectOption('Both');
  await inEveryLook(page);
  await card.getByRole('button', { name: 'Save two-step sign-in' }).click();
  await expect(card.getByRole('button', { name: 'Save two-step sign-in' })).toBeHidden();
  await page.reload();
  await expect(card.getByLabel('Who must have it')).toHaveValue('everyone');
  await expect(card.getByLabel('What may be set up')).toHaveValue('totp,email');

  await page.goto(`/p/${project}/members`);
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('switch', { name: 'Must set up two-step sign-in' }).click();
  await sheet.getByText('As code').click();
  await expect(sheet.getByRole('region', { name: 'This invitation as code' })).toContainText('"mfaRequired": true');
  await inEveryLook(page);

  const ben = await invite(page, project, 'Ben Okafor', { scope: 'project', mfaRequired: true, password: PASSWORD });
  const theirs = await (await browser.newContext({ baseURL })).newPage();
  await typePassword(theirs, ben.email, project);
  const phone = await scanPage(theirs);
  await theirs.getByLabel('Six-digit code').fill(phone.next());
  await theirs.getByRole('button', { name: 'Turn on' }).click();
  await theirs.getByRole('button', { name: 'I have kept them' }).click();
  await expect(theirs).not.toHaveURL(/signin/);

  await page.goto(`/p/${project}/members/${ben.id}?tab=security`);
  await expect(page.getByText('Set up: authenticator app.')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Reset authenticator app' }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Reset authenticator app' }).click();
  await expect(page.getByText('Two-step sign-in is reset')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reset authenticator app' })).toHaveCount(0);
  await expect.poll(async () => (await mailTo(ben.email)).subject).toBe('Your two-step sign-in was reset');
  await theirs.context().close();
});
