import { randomBytes } from 'node:crypto';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { invite, readMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

// The screens whose own specs have no journey without a mouse. Nothing here clicks, fills or focuses: only keys.

test('by keyboard alone: register, sign out, sign in', async ({ page }) => {
  const email = `kay-${randomBytes(6).toString('hex')}@example.com`;
  await page.goto('/register');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await tabTo(page, page.getByLabel('First name'));
  await page.keyboard.type('Kay');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Reyes');
  await page.keyboard.press('Tab');
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await inEveryLook(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const name = page.getByLabel('Project name');
  await expect(name).toBeFocused();
  await inEveryLook(page);
  await page.keyboard.type('Riverside Clinic');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);

  await expect(page.getByText('First steps')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Account of Kay Reyes' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  for (let presses = 0; presses < 10; presses++) {
    if (await page.getByRole('menuitem', { name: 'Sign out' }).evaluate((node) => node === document.activeElement))
      break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/signin/);

  await expect(page.getByRole('button', { name: 'Continue' })).toBeEnabled();
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type('not this one');
  await page.keyboard.press('Enter');
  // Refused, and no longer under way: what is pressed before that does nothing.
  await expect(page.getByText('Email or password is invalid')).toBeVisible();
  await expect(page.locator('form[aria-busy]')).toHaveCount(0);
  await inEveryLook(page);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);
});

test('by keyboard alone: a forgotten password, and a new one from the mail', async ({ page, mailTo }) => {
  const { email } = await signUp(page);
  await page.context().clearCookies();
  await page.goto('/resetpassword');
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeEnabled();
  await inEveryLook(page);
  await tabTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/a link to set a new password is on its way/)).toBeVisible();
  await inEveryLook(page);

  await page.goto(findLink(await mailTo(email), '/setpassword/'));
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save password' })).toBeEnabled();
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type('candle');
  await inEveryLook(page);
  await page.keyboard.type(' harbour sixpence 9');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\/[0-9a-f-]{36}/);
});

test('by keyboard alone: through a member’s tabs, to a new role', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  const role = page.getByLabel('Role');
  await expect(role).toBeVisible();
  await tabTo(page, role);
  await page.keyboard.type('Admin');
  await tabTo(page, page.getByRole('button', { name: 'Save access' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Access saved')).toBeVisible();
  await confirmed(page);
  expect((await readMember(page, project, ben.id)).admin).toBe(true);
  await inEveryLook(page);

  await page.reload();
  await expect(role).toBeVisible();
  await tabTo(page, page.getByRole('tab', { name: 'Access' }));
  for (const name of ['Security', 'Activity', 'JSON']) {
    const tab = page.getByRole('tab', { name });
    for (let presses = 0; presses < 6 && !(await tab.evaluate((node) => node === document.activeElement)); presses++)
      await page.keyboard.press('ArrowRight');
    await expect(tab).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  }
  await expect(page.getByText('"resourceType": "ProjectMembership"')).toBeVisible();
});
