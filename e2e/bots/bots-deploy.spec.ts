import { deployedBot, recorded } from '../admissions.ts';
import { createEcho } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, pressTwice } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

test('the keys of a bot rest while a dialog is open', async ({ page, baseURL }) => {
  const { editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+Home');
  await page.keyboard.type('// begun\n');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Bot settings' });
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'GET' || calls.push(request.url()));
  await settings.getByLabel('Description').focus();
  for (const key of ['Control+Enter', 'Control+Shift+Enter']) await page.keyboard.press(key);
  // What the keys had set off would have been asked before this.
  await page.evaluate(() => fetch('/healthcheck', { method: 'HEAD' }));
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  expect(calls).toEqual([`${baseURL}/healthcheck`]);
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Live v2')).toBeVisible();
  // What was just said lies over the page, and the keys work on.
  await expect(page.getByText('Callers get this version from now on.')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('youSent');
});

test('the keys that run and deploy rest in fields of other forms', async ({ page, baseURL }) => {
  const { editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+Home');
  await page.keyboard.type('// begun\n');
  await page.getByRole('tab', { name: 'Connections' }).click();
  const webhook = page.getByRole('region', { name: 'Webhook' });
  await webhook.getByRole('switch', { name: 'It has an address' }).click();
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'GET' || calls.push(request.url()));
  const attempts = page.getByRole('region', { name: 'Attempts', exact: true }).getByLabel('Attempts');
  const others = [attempts, webhook.getByLabel('Who signs'), webhook.getByRole('switch').first()];
  for (const field of [...others, page.getByLabel('Method and content type')])
    for (const key of ['Control+Enter', 'Control+Shift+Enter']) await field.press(key);
  await page.evaluate(() => fetch('/healthcheck', { method: 'HEAD' }));
  await expect.poll(() => calls.length).toBeGreaterThan(0);
  expect(calls).toEqual([`${baseURL}/healthcheck`]);
  await page.getByLabel('Input', { exact: true }).press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('youSent');
});

test('a key that is held runs a bot once', async ({ page }) => {
  const { project } = await signUp(page);
  const slow = 'export const handler = () => new Promise((resolve) => setTimeout(resolve, 4000));';
  const bot = await deployedBot(page, project, 'Slow', slow);
  await page.goto(`/p/${project}/bots/${bot}`);
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeEnabled();
  await run.focus();
  await page.keyboard.down('Enter');
  const stop = page.getByRole('button', { name: 'Stop waiting' });
  await expect(stop).toBeFocused();
  for (let repeats = 0; repeats < 4; repeats += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(stop).toBeFocused();
  await recorded(page, project, 1);
});

test('pressed twice by mistake: one deploy, one way back; what is live already is not deployed again', async ({
  page,
}) => {
  const { editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+Home');
  await page.keyboard.type('// second\n');
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  const calls: string[] = [];
  page.on('request', (request) => /deploy|rollback/.test(request.url()) && calls.push(request.url()));
  await pressTwice(page, deploy);
  await expect(page.getByText('Live v2')).toBeVisible();
  await expect(deploy).toBeEnabled();
  expect(calls).toHaveLength(1);
  await deploy.click();
  // Said once more where the second press came when the first was through.
  await expect(page.getByText('Version 2 is exactly this code.').first()).toBeVisible();
  expect(calls).toHaveLength(1);

  await editor.press('Control+Home');
  await page.keyboard.type('// third\n');
  await deploy.click();
  await expect(page.getByText('Live v3')).toBeVisible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  // Without what was just said, which lies over the list.
  await page.reload();
  await pressTwice(page, page.getByRole('button', { name: 'Roll back to v1' }));
  await expect(page.getByText('Live v4')).toBeVisible();
  expect(calls).toHaveLength(3);
});

test('a way back to what samples do not expect is told with why, and gone when one says so', async ({ page }) => {
  test.slow();
  const { editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+a');
  await page.keyboard.insertText('export async function handler() { return { echoed: 2 }; }\n');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByText('Live v2')).toBeVisible();
  await page.getByRole('tab', { name: 'Samples' }).click();
  await page.getByRole('button', { name: 'Keep a sample' }).click();
  const keep = page.getByRole('dialog', { name: 'Keep a sample' });
  await keep.getByLabel('Name').fill('A two');
  await keep.getByRole('button', { name: 'Run it dry' }).click();
  await keep.getByRole('button', { name: 'Keep it, and expect this' }).click();
  await expect(page.getByRole('list', { name: 'Samples of this bot' })).toContainText('A two');
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' });
  await expect(dialog.getByRole('list', { name: 'Samples' })).toContainText('A two: output');
  await inEveryLook(page);
  const [, , project, , botId] = new URL(page.url()).pathname.split('/');
  // Not over what went live meanwhile: that is told, and asked about anew.
  const newer = { code: 'export async function handler() { return { echoed: 2 }; } // newer', filename: 'index.ts' };
  await write(page, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, newer);
  await dialog.getByRole('button', { name: 'Roll back all the same' }).click();
  await expect(page.getByText('Version 3 is live by now').first()).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Live v3')).toBeVisible();
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  await dialog.getByRole('button', { name: 'Roll back all the same' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Live v4')).toBeVisible();

  // So is one that is tried.
  const trial = { version: 1, share: 10, force: true };
  await write(page, 'PUT', `/admin/projects/${project}/bots/${botId}/canary`, trial);
  await page.reload();
  await page.getByRole('button', { name: 'Make version 1 live' }).click();
  const ask = page.getByRole('dialog', { name: 'Make version 1 live?' });
  await expect(ask.getByRole('list', { name: 'Samples' })).toContainText('A two: output');
  await inEveryLook(page);
  await ask.getByRole('button', { name: 'Make it live all the same' }).click();
  await expect(ask).toHaveCount(0);
  await expect(page.getByText('Live v1')).toBeVisible();
});

test('what went live while a deploy was looked at is not replaced unseen', async ({ page }) => {
  const { project, editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await editor.press('Control+Home');
  await page.keyboard.type('// mine\n');
  await page.getByRole('button', { name: 'Review…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Deploy over version 1' });
  await expect(sheet.getByRole('textbox', { name: 'Changes since version 1' })).toContainText('// mine');
  await sheet.getByLabel('Note').fill('Why it is so');
  const botId = new URL(page.url()).pathname.split('/').at(-1);
  const code = 'export async function handler() { return "theirs"; }';
  await write(page, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { code, filename: 'index.ts' });
  await sheet.getByRole('button', { name: 'Deploy this version' }).click();
  // Looked at anew, with what was typed.
  const again = page.getByRole('dialog', { name: 'Deploy over version 2' });
  await expect(again.getByText('Version 2 is live by now')).toBeVisible();
  await expect(again.getByRole('textbox', { name: 'Changes since version 2' })).toContainText('// mine');
  await expect(again.getByLabel('Note')).toHaveValue('Why it is so');
  await expect(page.getByText('Live v2')).toBeVisible();
  const versions = await page.request.get(`/admin/projects/${project}/bots/${botId}/versions`);
  expect((await versions.json()).rows).toHaveLength(2);
  await inEveryLook(page);
  await again.getByRole('button', { name: 'Deploy this version' }).click();
  await expect(page.getByText('Live v3')).toBeVisible();
});
