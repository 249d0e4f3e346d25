import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { findLink, readMail } from '../mailbox.ts';
import { withOwnServer } from '../own-server.ts';
import { PASSWORD } from '../sign-up.ts';

withOwnServer(3, { VERIFY_EMAIL: 'true' });

test('with VERIFY_EMAIL, who registers proves the address by link or code, and can come back later', async ({
  page,
  browser,
  request,
  expectAccessible,
}) => {
  const email = `eve-${Date.now()}@example.com`;
  await page.goto('/register');
  await register(page, email);
  await expectAccessible();
  const mail = await readMail(request, email);

  // The button of the mail's page confirms; opening it does not.
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await phone.goto(findLink(mail, '/verifyemail/'));
  await expect(phone.getByRole('button', { name: 'Confirm my address' })).toBeVisible();
  await page.getByRole('button', { name: 'I have opened the link' }).click();
  await page.getByLabel('Project name').fill('Moss Clinic');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();

  // By keyboard alone: a wrong code, then the right one.
  await page.getByLabel('Six-digit code').press('1');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The code has six digits')).toBeVisible();
  await page.getByLabel('Six-digit code').fill(/\b\d{6}\b/.exec(mail.text)![0]);
  await page.keyboard.press('Enter');
  await page.getByLabel('Project name').fill('Moss Clinic');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);

  // The link says that it has done its work, and leads on; an account that is there starts another project.
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await phone.getByRole('link', { name: 'Name your project' }).click();
  await phone.getByLabel('E-mail').fill(email);
  await phone.keyboard.press('Enter');
  await phone.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await phone.keyboard.press('Enter');
  await phone.getByLabel('Project name').fill('Second Clinic');
  await phone.keyboard.press('Enter');
  await phone.waitForURL(/\/p\/[0-9a-f-]{36}/);
  await expect(phone.getByText('Second Clinic').first()).toBeAttached();
});

test('the mail is sent again after a moment, or to another address; its code does on the page for codes as well', async ({
  page,
  browser,
  request,
}) => {
  const mistyped = `gus-${Date.now()}@example.con`;
  const email = mistyped.replace(/con$/, 'com');
  await page.clock.install();
  await page.goto('/register');
  await register(page, mistyped);
  const sendAgain = page.getByRole('button', { name: 'Send again' });
  await expect(sendAgain).toBeDisabled();
  const first = await readMail(request, mistyped);
  await expect(async () => {
    await page.clock.fastForward(1000);
    await expect(sendAgain).toBeEnabled({ timeout: 50 });
  }).toPass();
  await sendAgain.click();
  await expect(page.getByText('A new mail is on its way')).toBeAttached();
  await expect(sendAgain).toBeDisabled();
  await expect.poll(async () => (await readMail(request, mistyped)).text).not.toBe(first.text);

  await page.getByRole('button', { name: 'Use another address' }).click();
  await register(page, email);
  const code = /\b\d{6}\b/.exec((await readMail(request, email)).text)![0];
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await phone.goto('/setpassword');
  await phone.getByLabel('E-mail').fill(email);
  await phone.getByLabel('Six-digit code').fill(code);
  await phone.keyboard.press('Enter');
  await phone.getByRole('button', { name: 'Confirm my address' }).click();
  await expect(phone.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible();
  await page.getByRole('button', { name: 'I have opened the link' }).click();
  await page.getByLabel('Project name').fill('Moss Clinic');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);
});

async function register(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Eve');
  await page.getByLabel('Last name').fill('Moss');
  await page.getByLabel('Work e-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
}
