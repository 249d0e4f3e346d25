import { expect, test } from '../fixtures.ts';
import { invite } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('what was typed is there after a reload, Back closes a sheet, the focus stays where it was', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  const members = `/p/${project}/members`;
  await page.goto(members);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await sheet.getByLabel('First name').fill('Chiara');
  await sheet.getByLabel('E-mail').fill('chiara@example.com');
  await sheet.getByText('More settings').click();
  await sheet.getByRole('textbox', { name: 'Password' }).fill('Violet-Hammock-41');
  // Leaving asks; the reload is meant.
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloaded;
  await expect(sheet.getByLabel('First name')).toHaveValue('Chiara');
  await expect(sheet.getByLabel('E-mail')).toHaveValue('chiara@example.com');
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Violet-Hammock');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  await expect(sheet).toHaveCount(0);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(sheet.getByLabel('First name')).toHaveValue('');
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(members);

  // A first tick moves nothing.
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  const before = await row.boundingBox();
  await row.getByRole('checkbox').check();
  await expect(page.getByRole('region', { name: 'Selected members' })).toBeVisible();
  expect(await row.boundingBox()).toEqual(before);
  await page.keyboard.press('Escape');
  await row.getByRole('link').focus();
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog', { name: 'Ben Okafor' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(members);

  await page.goto(`${members}/${ben.id}`);
  await page.getByLabel('Role').selectOption('Administrator');
  const again = page.waitForEvent('dialog').then((it) => it.accept());
  await page.reload();
  await again;
  await expect(page.getByLabel('Role')).toHaveValue('admin');
  await page.getByRole('button', { name: 'Save access' }).press('Enter');
  await confirmed(page);
  await expect(page.getByRole('button', { name: 'Save access' })).toHaveCount(0);
  expect(
    await page.getByRole('tabpanel', { name: 'Access' }).evaluate((it) => it.contains(document.activeElement)),
  ).toBe(true);
});
