import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite } from '../people.ts';
import { awake, confirmed } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

async function startSignIn(page: Page, project: string, email: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`/signin?project=${project}`);
  await awake(page);
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('who is a member twice labels one of both, and chooses by it where they sign in', async ({ page }) => {
  const { project } = await signUp(page);
  const joined = { scope: 'project', sendEmail: false, admin: true };
  const { email } = await invite(page, project, 'Pia Day', { ...joined, password: PASSWORD });
  await invite(page, project, 'Pia Night', { ...joined, email, forceNewMembership: true });
  await startSignIn(page, project, email);
  await page
    .getByRole('button', { name: /Pia Day/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));
  await page.goto('/account');
  const list = page.getByRole('list', { name: 'Your projects' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await list
    .getByRole('button', { name: /^Label .*, Pia Day$/ })
    .last()
    .click();
  const dialog = page.getByRole('dialog', { name: /^Label / });
  await dialog.getByLabel('Label').fill('Night ward');
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Save the label' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  await expect(list.getByText('Night ward')).toBeVisible();
  await inEveryLook(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /Switch project/ }).click();
  await expect(page.getByRole('menuitem', { name: /· Night ward$/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await startSignIn(page, project, email);
  await expect(page.getByRole('button', { name: /Night ward/ })).toBeVisible();
});
