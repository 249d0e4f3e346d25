import type { Page } from '@playwright/test';
import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { awake, interceptFromNowOn, settled } from '../settled.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

const LOADING = 'Loading how you can show it';

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

test('who turns away has done nothing; what asks is whole when it opens, and opens when that takes too long', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await interceptFromNowOn(page);
  await page.goto(`/p/${project}/clients`);
  await ageSignIns(project);
  await awake(page);
  const shown = await page.evaluateHandle((label) => {
    const seen = { skeleton: false };
    new MutationObserver(() => {
      seen.skeleton ||= document.querySelector(`[aria-label="${label}"]`) !== null;
    }).observe(document.body, { subtree: true, childList: true });
    return seen;
  }, LOADING);
  await makeClient(page);
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/Show again who you are/)).toBeVisible();
  expect(await shown.jsonValue()).toEqual({ skeleton: false });

  await page.route('**/auth/proof', () => {});
  await page.getByRole('dialog', { name: 'New client' }).getByRole('button', { name: 'Create client' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
});

async function makeClient(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog', { name: 'New client' });
  await form.getByLabel('Name').fill('Lab feed');
  await form.getByLabel('Access policy').selectOption('Default Practitioner Access Policy');
  await form.getByRole('button', { name: 'Create client' }).click();
}
