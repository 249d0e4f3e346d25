import type { Page } from '@playwright/test';
import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { interceptFromNowOn, painted, settled } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

test('what is hard to take back asks who is there when the sign-in is old, and is done then; the everyday is not asked', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await ageSignIns(project);
  await makeClient(page);
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await expectAccessible();
  await dialog.getByLabel('Your password').fill('not this one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Incorrect password')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'The secret of Lab feed', exact: true })).toBeVisible();
  await settled(page);
});

test('who turns away has done nothing; what asks is whole when it opens, however long that takes', async ({ page }) => {
  const { project } = await signUp(page);
  await interceptFromNowOn(page);
  await page.goto(`/p/${project}/clients`);
  await ageSignIns(project);
  let answer: () => void = () => {};
  const isToBeAnswered = new Promise<void>((done) => {
    answer = done;
  });
  await page.route('**/auth/proof', async (route) => {
    await isToBeAnswered;
    await route.continue();
  });
  const asked = page.waitForRequest('**/auth/proof');
  await makeClient(page);
  await asked;
  await painted(page);
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await expect(dialog).toHaveCount(0);
  answer();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/Show again who you are/)).toBeVisible();
});

async function makeClient(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog', { name: 'New client' });
  await form.getByLabel('Name').fill('Lab feed');
  await form.getByLabel('Access policy').selectOption('Default Practitioner Access Policy');
  await form.getByRole('button', { name: 'Create client' }).click();
}
