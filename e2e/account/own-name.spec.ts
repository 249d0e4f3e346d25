import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { awake, confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('a person changes their own name: the console and the members page say it at once', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto('/account');
  await awake(page);
  await page.getByRole('button', { name: 'Change your name' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your name' });
  await expect(dialog.getByLabel('First name')).toHaveValue('Ada');
  await expect(dialog.getByText('Shows the new name.')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Last name').fill('');
  await dialog.getByRole('button', { name: 'Save the name' }).click();
  await expect(dialog.getByText('Last name is required')).toBeVisible();
  await dialog.getByLabel('Last name').fill('Stone');
  await dialog.getByRole('button', { name: 'Save the name' }).click();
  await expect(dialog).toHaveCount(0);
  await confirmed(page);
  await expect(page.getByRole('region', { name: 'Profile' }).getByText('Ada Stone', { exact: true })).toBeVisible();
  await page.goto(`/p/${project}/members`);
  await expect(page.getByText('Ada Stone').first()).toBeVisible();
});
