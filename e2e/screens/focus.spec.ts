import { expect, test } from '../fixtures.ts';
import { invite } from '../people.ts';
import { settled } from '../settled.ts';
import { signUp } from '../sign-up.ts';

// Where the focus is when something opens, and when it has gone.

test('a form opens with the focus on its first field, and leaves it on the page', async ({ page }) => {
  const { project } = await signUp(page);
  const dialog = page.getByRole('dialog');
  const main = page.locator('main');
  for (const [path, button, field] of [
    ['bots', 'New bot', 'Name'],
    ['clients', 'New client', 'Name'],
    ['invites', 'Invite', 'Type'],
  ] as const) {
    await page.goto(`/p/${project}/${path}`);
    await expect(page.getByRole('button', { name: button, exact: true }).first()).toBeVisible();
    await settled(page);
    await page.keyboard.press('c');
    await expect(dialog.getByLabel(field, { exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(main, path).toBeFocused();
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await expect(dialog.getByLabel(field, { exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: button, exact: true }).first()).toBeFocused();
  }
  await page.goto(`/p/${project}/invites?invite=many`);
  await expect(dialog.getByLabel('Or paste it')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(main).toBeFocused();

  await page.reload();
  await settled(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search screens, people and actions' })).toBeFocused();
  await page.keyboard.type('shortcuts');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1);
});

test('what takes its own button away keeps the focus near', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await page.getByLabel('Description').fill('Two wards');
  await page.getByRole('button', { name: 'Save general settings' }).click();
  await expect(page.getByRole('heading', { name: 'General' })).toBeFocused();
  await page.getByLabel('Default access of patients').selectOption('No policy: full access');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'Defaults for invites' })).toBeFocused();

  const ben = await invite(page, project, 'Ben Okafor');
  await page.goto(`/p/${project}/members/${ben.id}`);
  await page.getByLabel('Role').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Save access' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
});

test('nothing that has the focus hides under the buttons of the invite sheet', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/invites?invite=one`);
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await expect(sheet.getByLabel('Type')).toBeFocused();
  await sheet.getByText('More settings').press('Enter');
  const footer = (await sheet.getByRole('button', { name: 'Send invitation' }).boundingBox())!.y;
  await sheet.getByLabel('Type').focus();
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const node = document.activeElement!;
      return { bottom: node.getBoundingClientRect().bottom, foot: Boolean(node.closest('footer')), is: node.outerHTML };
    });
    if (at.foot) return;
    expect(at.bottom, at.is.slice(0, 200)).toBeLessThanOrEqual(footer);
  }
  throw new Error('Tab never reached the buttons');
});
