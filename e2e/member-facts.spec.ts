import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { inEveryLook } from './looks.ts';
import { invite } from './people.ts';
import { signUp } from './sign-up.ts';

test('since when and when last: in the list, on the page of a member and in the export', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor', { admin: true });
  await invite(page, project, 'Bartholomew Featherstonehaugh', { resourceType: 'Patient' });
  await page.goto(`/p/${project}/members`);
  const row = page.getByRole('row').filter({ hasText: 'Ben Okafor' });
  await expect(row.getByText('Not yet')).toBeAttached();
  await expect(row.locator('time')).toHaveCount(2);
  const self = page.getByRole('row').filter({ hasText: 'Ada Reyes' });
  await expect(self.locator('time')).toHaveCount(3);
  await self.locator('time').first().hover();
  await expect(self.getByRole('tooltip').first()).toContainText(String(new Date().getFullYear()));
  await inEveryLook(page, expectAccessible);
  const table = page.getByRole('table', { name: 'Members' });
  expect(await table.evaluate((node) => node.scrollWidth <= node.parentElement!.clientWidth)).toBe(true);
  await page.getByRole('columnheader', { name: /Joined/ }).getByRole('button', { name: 'changed' }).click();
  await expect(page).toHaveURL(/sort=_lastUpdated/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const [head, first] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  expect(head).toContain('joined,last active,changed');
  expect(first).toMatch(/(,20\d\d-[^,]+Z){3},/);

  await page.goto(`/p/${project}/members/${ben.id}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText(/Account\s*Server-wide/);
  await expect(details).toContainText(/Joined\s*just now/);
  await inEveryLook(page, expectAccessible);
});
