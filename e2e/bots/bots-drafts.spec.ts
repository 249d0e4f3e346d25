import { createEcho, writeElsewhere } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('two administrators save one draft: the second is asked, and nothing is lost', async ({ page }) => {
  const { editor } = await createEcho(page);

  const other = await writeElsewhere(page);
  await other.keyboard.press('Control+s');
  await expect(other.getByText(/Draft saved/)).toBeVisible();

  await editor.press('Control+Home');
  await page.keyboard.type('// mine\n');
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('dialog', { name: 'Someone else saved this draft' });
  await expect(conflict.getByRole('textbox', { name: 'Yours' })).toContainText('// mine');
  await expect(conflict.getByRole('textbox', { name: 'Saved meanwhile' })).toContainText('// theirs');
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(page.getByText(/Draft saved/)).toBeVisible();
  await page.reload();
  await expect(editor).toContainText('// mine');
});

test('what is not saved survives a reload', async ({ page }) => {
  const { editor } = await createEcho(page);
  await editor.press('Control+Home');
  await page.keyboard.type('// half a thought\n');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.reload();
  await expect(editor).toContainText('// half a thought');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
});

test('code that was deployed past the draft is shown as such, and replaced only when asked', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'New bot' }).click();
  await page.getByLabel('Name', { exact: true }).fill('By hand');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: /^Source code/ });
  await expect(editor).toContainText('event.input');
  await editor.press('Control+Home');
  await page.keyboard.type('// begun\n');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  const botId = new URL(page.url()).pathname.split('/').at(-1);
  const code = 'export async function handler() { return "by hand"; }';
  await write(page, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { code, filename: 'index.ts' });
  await page.reload();
  await expect(page.getByText('Version 1, which is live, was deployed from elsewhere')).toBeVisible();
  await inEveryLook(page);

  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  await deploy.click();
  const ask = page.getByRole('dialog', { name: /^Replace version 1/ });
  await expect(ask.getByRole('textbox', { name: 'Your draft' })).toContainText('event.input');
  await expect(ask.getByRole('textbox', { name: 'Live: version 1' })).toContainText('by hand');
  await inEveryLook(page);
  await ask.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Live v1')).toBeVisible();

  // Going on from what runs: nothing to ask, and what was typed and not saved comes back.
  await editor.press('Control+Home');
  await page.keyboard.type('// unsaved\n');
  await page.getByRole('button', { name: 'Edit the live code' }).click();
  await expect(editor).toContainText('by hand');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toContainText('// unsaved');
  await page.getByRole('button', { name: 'Edit the live code' }).press('Enter');
  await expect(editor).toContainText('by hand');
  await expect(editor).toBeFocused();
  await expect(page.getByText('was deployed from elsewhere')).toHaveCount(0);
  await editor.press('Control+Home');
  await page.keyboard.type('// mine\n');
  await deploy.click();
  await expect(page.getByText('Live v2')).toBeVisible();

  // Once more past the draft; now the draft is meant.
  await write(page, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { code: `// again\n${code}`, filename: 'index.ts' });
  await deploy.click();
  await page.getByRole('button', { name: 'Deploy my draft' }).click();
  await expect(page.getByText('Live v4')).toBeVisible();
  await expect(page.getByText('was deployed from elsewhere')).toHaveCount(0);
});

test('a draft that somebody else saved is not deployed over unseen', async ({ page }) => {
  const { editor } = await createEcho(page);
  const other = await writeElsewhere(page);
  await other.keyboard.press('Control+Shift+Enter');
  await expect(other.getByText('Live v2')).toBeVisible();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else saved this draft' });
  await conflict.getByRole('button', { name: 'Take the saved text' }).click();
  await expect(editor).toContainText('// theirs');
  await expect(page.getByText('Live v2')).toBeVisible();
});

test('what is typed while a deploy is looked at is not deployed with it, and stays', async ({ page }) => {
  const { project, editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+Home');
  await page.keyboard.type('// mine\n');
  const { promise: isTyped, resolve: typed } = Promise.withResolvers<void>();
  await page.route('**/check', async (route) => {
    await isTyped;
    await route.continue();
  });
  const asked = page.waitForRequest('**/check');
  await page.getByRole('button', { name: 'Review…' }).click();
  await asked;
  await editor.press('Control+Home');
  await page.keyboard.type('// half a lin');
  typed();
  const sheet = page.getByRole('dialog', { name: 'Deploy over version 1' });
  const changes = sheet.getByRole('textbox', { name: 'Changes since version 1' });
  await expect(changes).toContainText('// mine');
  await expect(changes).not.toContainText('half');
  await sheet.getByRole('button', { name: 'Deploy this version' }).click();
  await expect(page.getByText('Live v2')).toBeVisible();
  await expect(editor).toContainText('// half a lin');
  const bot = new URL(page.url()).pathname.split('/').at(-1);
  const { source } = await (await page.request.get(`/admin/projects/${project}/bots/${bot}/versions/2`)).json();
  expect(source).toMatch(/^\/\/ mine\n/);
});
