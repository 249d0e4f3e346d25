import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { invite } from '../people.ts';
import { signUp } from '../sign-up.ts';

test('by keyboard alone: invite somebody', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/invites`);
  await expect(page.getByText('No one is waiting')).toBeVisible();
  await page.keyboard.press('c');
  const sheet = page.getByRole('dialog', { name: 'Invite' });
  await expect(sheet).toBeVisible();
  await tabTo(page, sheet.getByLabel('First name'));
  await page.keyboard.type('Nora');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Quist');
  await page.keyboard.press('Tab');
  await page.keyboard.type(`nora-${project}@example.com`);
  await page.keyboard.press('Enter');
  await expect(sheet.getByText('Nora Quist is invited')).toBeVisible();
  await tabTo(page, sheet.getByRole('button', { name: 'Done' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'Nora Quist' })).toBeVisible();
});

test('by keyboard alone: look at one invitation after the other beside the list', async ({ page }) => {
  const { project } = await signUp(page);
  await invite(page, project, 'Ben Okafor');
  await invite(page, project, 'Chiara Moretti', { admin: true });
  await page.goto(`/p/${project}/invites`);
  await expect(page.getByRole('link', { name: 'Ben Okafor' })).toBeVisible();
  const peek = (name: string) => page.getByRole('dialog', { name });
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog')).toContainText('Invited by');
  await inEveryLook(page);
  const [first, second] = (await peek('Ben Okafor').isVisible())
    ? ['Ben Okafor', 'Chiara Moretti']
    : ['Chiara Moretti', 'Ben Okafor'];
  await page.keyboard.press('j');
  await expect(peek(second)).toBeVisible();
  await page.keyboard.press('k');
  await expect(peek(first)).toContainText('Sent by');
  await page.keyboard.press('Space');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('link', { name: first }).filter({ visible: true })).toBeFocused();
});
