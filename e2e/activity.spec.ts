import { expect, test } from './fixtures.ts';
import { inEveryLook, tabTo } from './looks.ts';
import { signUp, write } from './sign-up.ts';

test('what was done stands there with names; filters live in the URL; an entry shows before and after', async ({
  page,
  expectAccessible,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity`);
  const rename = [{ op: 'add', path: '/name', value: 'Hillside Clinic' }];
  const requestId = await write(page, 'PATCH', `/fhir/R4/Project/${project}`, rename);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  await expect(page.getByText('Ada Reyes changed the settings of Hillside Clinic')).toBeVisible();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeVisible();
  await inEveryLook(page);

  await page.getByLabel('Area').selectOption('Clients');
  await expect(page).toHaveURL(/area=clients/);
  await expect(page.getByText('changed the settings of')).toBeHidden();
  await page.reload();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();

  await page.getByRole('button', { name: /changed the settings of/ }).click();
  const entry = page.getByRole('dialog', { name: 'Entry' });
  await expect(entry.getByText('Before: Riverside Clinic')).toBeVisible();
  await expect(entry.getByText('After: Hillside Clinic')).toBeVisible();
  await expect(entry).toContainText(requestId);
  await inEveryLook(page);
  await entry.getByRole('button', { name: 'All on Hillside Clinic' }).click();
  await expect(page.getByRole('button', { name: 'Remove the filter: On Hillside Clinic' })).toBeVisible();
  await expect(page.getByText('Ada Reyes made the client Lab feed')).toBeHidden();
  await page.getByLabel('To day').fill('2020-01-01');
  await expect(page.getByText('Nothing fits')).toBeVisible();
  await expectAccessible();

  await page.goto(`/p/${project}/activity`);
  await page.getByRole('button', { name: /made the client Lab feed/ }).click();
  await entry.getByRole('link', { name: /^ClientApplication\// }).click();
  await expect(page.getByRole('dialog', { name: 'Lab feed' })).toBeVisible();
  await expect(page).toHaveURL(/\/clients/);
});

test('by keyboard alone: open an entry and come back to it', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/activity`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  await page.reload();
  const entry = page.getByRole('main').getByRole('listitem').getByRole('button').first();
  await expect(entry).toBeVisible();
  await tabTo(page, entry);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Entry' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(entry).toBeFocused();

  await page.keyboard.press('j');
  await expect(page.getByRole('main').getByRole('listitem').getByRole('button').nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(entry).toBeFocused();
  await page.keyboard.press('f');
  await expect(page.getByLabel('Area')).toBeFocused();
});
