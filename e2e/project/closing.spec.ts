import { readFileSync } from 'node:fs';
import { ageSignIns } from '../database.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { findLink } from '../mailbox.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

test('the owner closes the project by its name: everybody is out, and the mailed link opens it again', async ({
  page,
  expectAccessible,
  mailTo,
}) => {
  const { project, email } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await page.getByRole('button', { name: 'Close the project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close Riverside Clinic?' });
  await expect(dialog.getByRole('button', { name: 'Close the project' })).toBeDisabled();
  await inEveryLook(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  await dialog.getByRole('textbox').fill('Riverside Clinic');
  await dialog.getByRole('button', { name: 'Close the project' }).click();
  await expect(page).toHaveURL(/\/signin/);

  const enter = async () => {
    await page.goto('/signin');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const mail = await mailTo(email);
  expect(mail.subject).toBe('“Riverside Clinic” was closed');
  const link = findLink(mail, '/reopen/');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Open Riverside Clinic again?' })).toBeVisible();
  await expectAccessible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Open the project' }).click();
  await expect(page.getByRole('heading', { name: 'Riverside Clinic is open again' })).toBeVisible();
  await expectAccessible();
  await page.goto(link);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This link has been used' })).toBeVisible();
  await enter();
  await expect(page).toHaveURL(new RegExp(`/p/${project}`));
});

test('the owner asks for the removal as well, and is mailed the day and the way back', async ({ page, mailTo }) => {
  const { project, email } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await page.getByRole('button', { name: 'Close the project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close Riverside Clinic?' });
  await dialog.getByRole('checkbox', { name: 'Remove the project for good' }).check();
  await expect(dialog.getByText('nothing is left of it')).toBeVisible();
  await inEveryLook(page);
  await dialog.getByRole('textbox').fill('Riverside Clinic');
  await dialog.getByRole('button', { name: 'Close the project' }).click();
  await expect(page).toHaveURL(/\/signin/);
  const mail = await mailTo(email);
  expect(mail.subject).toMatch(/^“?Riverside Clinic”? is removed on \d+ \w+ \d{4}$/);
  await page.goto(findLink(mail, '/reopen/'));
  await page.getByRole('button', { name: 'Open the project' }).click();
  await expect(page.getByRole('heading', { name: 'Riverside Clinic is open again' })).toBeVisible();
});

test('the whole project is kept as a file, by keyboard too, once it is clear who asks', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await ageSignIns(project);
  const button = page.getByRole('button', { name: 'Export the project' });
  await tabTo(page, button);
  const coming = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe(`project-${project}.ndjson`);
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(JSON.parse(lines[0]!)).toMatchObject({ kind: 'manifest', project: { id: project } });
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ kind: 'end', lines: lines.length - 1 });
  await expect(page.getByText('The file is with your downloads.')).toBeVisible();
  await expect(button).toBeVisible();
});
