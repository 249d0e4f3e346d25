import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { invite, readMember } from '../people.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('a member has dates: set on their page, kept, shown in the list, on a desk and on a phone', async ({ page }) => {
  const { project } = await signUp(page);
  const { id } = await invite(page, project, 'Pia Okafor');
  await page.goto(`/p/${project}/members/${id}`);
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('In from the day they joined, and without an end.')).toBeVisible();
  await page.getByRole('button', { name: 'Change dates' }).click();
  const dialog = page.getByRole('dialog', { name: 'When Pia Okafor is in' });
  await dialog.getByLabel('First day').fill('2020-05-02');
  await dialog.getByLabel('Last day').fill('2020-05-01');
  await expect(dialog.getByText('Before the first day')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await inEveryLook(page);
  await dialog.getByLabel('Last day').fill('2999-12-31');
  await dialog.getByLabel('On leave until').fill('2998-01-01');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await confirmed(page);
  await expect(page.getByText('On leave until 1 Jan 2998.')).toBeVisible();
  const member = await readMember(page, project, id);
  expect([member.period, member.suspendedUntil]).toEqual([{ start: '2020-05-02', end: '2999-12-31' }, '2998-01-01']);

  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('row', { name: /Pia Okafor/ })).toContainText('on leave until 1 Jan 2998');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('on leave until 1 Jan 2998');

  await page.goto(`/p/${project}/members/${id}`);
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Change dates' }).click();
  await dialog.getByLabel('On leave until').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Until 31 Dec 2999.')).toBeVisible();
  await inEveryLook(page);
});
