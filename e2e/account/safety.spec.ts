import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('an account in wrong hands is looked into, locked until it is let in again, and secured', async ({
  page,
  mailTo,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Look into it' }).click();
  const sheet = page.getByRole('dialog', { name: 'Is Ben Okafor in wrong hands?' });
  await expect(sheet.getByText('Nothing in this time.')).toBeVisible();
  await inEveryLook(page);
  await sheet.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('button', { name: 'Lock them out' }).click();
  await expect(page.getByText('Ben Okafor is locked out')).toBeVisible();
  await expect(sheet.getByText('Locked')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  await sheet.getByRole('button', { name: 'Let in again' }).click();
  await page.getByRole('button', { name: 'Let them in' }).click();
  await expect(sheet.getByText('Open')).toBeVisible();
  await sheet.getByRole('button', { name: 'Reset everything' }).click();
  await page
    .getByRole('dialog', { name: 'Reset everything?' })
    .getByRole('button', { name: 'Reset everything' })
    .click();
  await expect(page.getByText('Ben Okafor has a mail to come in again')).toBeVisible();
  await confirmed(page);
  await expect.poll(async () => (await mailTo(ben.email)).subject).toBe('Your account was secured');
});
