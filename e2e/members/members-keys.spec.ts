import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite, readMember } from '../people.ts';
import { signUp } from '../sign-up.ts';

test('by keyboard alone: find a row, select it, open it, give it a policy', async ({ page }) => {
  const { project } = await signUp(page);
  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: 'Select Ben Okafor' })).toBeChecked();
  await page.keyboard.press('x');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ben Okafor' })).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Add a policy' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Policy', { exact: true }).last());
  await page.keyboard.type('Default Patient');
  await tabTo(page, page.getByRole('button', { name: 'Save access' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Access saved')).toBeVisible();
  expect(JSON.stringify(await readMember(page, project, ben.id))).toContain('AccessPolicy/');
});

test('by keyboard alone: peek, edit, filter, a range; and nothing of it when single keys are switched off', async ({
  page,
}) => {
  const { project } = await signUp(page);
  for (const name of ['Ben Okafor', 'Chiara Moretti', 'Dmitri Halloran']) await invite(page, project, name);
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press(' ');
  const peek = (name: string) => page.getByRole('dialog', { name });
  await expect(peek('Ben Okafor')).toContainText('Invited by');
  await expect(peek('Ben Okafor').getByRole('link', { name: 'Open' })).toBeFocused();
  await inEveryLook(page);
  await page.keyboard.press('j');
  await expect(peek('Chiara Moretti')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Chiara Moretti' })).toBeFocused();
  await expect(page).toHaveURL(/\/members$/);
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'Chiara Moretti' })).toBeFocused();

  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByRole('region', { name: 'Selected members' })).toContainText('2 selected');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Selected members' })).toBeHidden();
  await page.keyboard.press('f');
  await expect(page.getByLabel('Type')).toBeFocused();
  await page.getByRole('link', { name: 'Dmitri Halloran' }).focus();
  await page.keyboard.press('e');
  await expect(page.getByRole('tab', { name: 'Access' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: 'Dmitri Halloran' })).toBeVisible();

  await page.goto('/account');
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.goto(`/p/${project}/members`);
  const ben = page.getByRole('link', { name: 'Ben Okafor' });
  await expect(ben).toBeVisible();
  for (const key of [' ', 'e', 'f', 'x', '[', '?']) {
    await ben.focus();
    await page.keyboard.press(key);
    await expect(ben).toBeFocused();
  }
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Collapse navigation' })).toBeVisible();
  await expect(page).toHaveURL(/members$/);
});
