import { readFileSync } from 'node:fs';
import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite } from '../people.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

test('a person takes a copy of what is kept of them, once it is clear who asks', async ({ page }) => {
  const { project, email } = await signUp(page);
  await page.goto(`/account`);
  const button = page.getByRole('button', { name: 'Export your data' });
  await button.scrollIntoViewIfNeeded();
  await inEveryLook(page);
  await ageSignIns(project);
  await tabTo(page, button);
  const coming = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('account.json');
  expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ account: { email } });
  await expect(page.getByText('The file is with your downloads.')).toBeVisible();
});

test('an administrator takes the record of a patient, and of nobody else', async ({ page }) => {
  const { project } = await signUp(page);
  const patient = await invite(page, project, 'Paul Patient', { resourceType: 'Patient' });
  const doctor = await invite(page, project, 'Dora Doctor');
  await page.goto(`/p/${project}/members/${doctor.id}?tab=security`);
  await expect(page.getByRole('heading', { name: 'Access to this project' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export the record' })).toHaveCount(0);
  await page.goto(`/p/${project}/members/${patient.id}?tab=security`);
  const button = page.getByRole('button', { name: 'Export the record' });
  await button.scrollIntoViewIfNeeded();
  await inEveryLook(page);
  const coming = page.waitForEvent('download');
  await button.click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe(`record-${patient.id}.ndjson`);
  const [first = ''] = readFileSync(await file.path(), 'utf8').split('\n');
  expect(JSON.parse(first)).toMatchObject({ resourceType: 'Patient', name: [{ family: 'Patient' }] });
});
