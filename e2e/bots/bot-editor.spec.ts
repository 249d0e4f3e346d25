import type { Page } from '@playwright/test';
import { deployedBot } from '../admissions.ts';
import { createEcho } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { painted } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

/** TypeScript and 5 MB of declarations, on a machine that has other things to do. */
const TYPES_MS = 60_000;

const PLAIN = `export async function handler(medplum, event) {
  medplum.nothing();
}
`;

test('types are offered, explained and checked in a worker, while the page answers', async ({ page }) => {
  test.slow();
  const { editor } = await createEcho(page);
  const problems = page.getByRole('status').filter({ hasText: /problem|types/i });
  await expect(problems).toHaveText('No problems', { timeout: TYPES_MS });

  await editor.press('Control+a');
  await page.keyboard.insertText(PLAIN);
  await expect(problems).toHaveText('1 problem');
  await expect(page.locator('.cm-lint-marker-error')).toBeVisible();
  await inEveryLook(page);

  // By keyboard: F8 goes to the next one, Control+Shift+M lists them all.
  await editor.press('F8');
  await page.keyboard.press('Control+Shift+M');
  const list = page.getByRole('listbox', { name: /Diagnostics/ });
  await expect(list.getByRole('option')).toHaveText(/Property 'nothing' does not exist/);
  await inEveryLook(page);
  await page.keyboard.press('Escape');

  await editor.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\nmedplum.readHist');
  const offers = page.getByRole('listbox', { name: 'Completions' });
  await expect(offers.getByRole('option', { name: /readHistory/ })).toBeVisible();
  await expect(page.locator('.cm-completionInfo')).toContainText('Reads resource history');
  await inEveryLook(page);
  await editor.press('Enter');
  await expect(editor).toContainText('medplum.readHistory');
});

test('types that cannot be loaded are said, and asked for again', async ({ page }) => {
  await page.route('**/admin/bot-types', (route) => route.abort());
  await createEcho(page);
  await expect(page.getByText('Types could not be loaded')).toBeVisible();
  await page.unroute('**/admin/bot-types');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No problems')).toBeVisible({ timeout: TYPES_MS });
});

test('an HL7 v2 message: its tree and its text show each other, and two answers their difference', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'Create HL7 v2 to Patient' }).click();
  const message = page.getByLabel('Input', { exact: true });
  await message.fill('MSH|^~\\&|MINE');
  await page.getByLabel('Start from a sample message').selectOption('ADT^A01, admission');
  await expect(message).toHaveValue(/HILLSIDE/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(message).toHaveValue('MSH|^~\\&|MINE');
  await page.getByLabel('Start from a sample message').selectOption('ADT^A01, admission');
  const tree = page.getByRole('tree', { name: 'Segments of the message' });
  await expect(tree.getByRole('treeitem', { name: /^PID Patient Identification/ })).toBeVisible();

  await page.getByLabel('Start from a sample message').focus();
  await page.keyboard.press('Tab');
  await expect(tree.getByRole('treeitem').first()).toBeFocused();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(tree.getByRole('treeitem', { name: /^PID-1 / })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(tree.getByRole('treeitem', { name: /PID-3 Patient Identifier List/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const box = page.getByLabel('Input', { exact: true });
  await expect(box).toBeFocused();
  expect(await selected(page)).toBe('RN-1001^^^HILLSIDE^MR');
  await expect(tree.getByRole('treeitem', { name: /^PID-3 / })).toHaveAttribute('aria-selected', 'true');
  await inEveryLook(page);

  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('MSA|AA|MSG00001');
  await box.fill((await box.inputValue()).replace('MSG00001', 'MSG00009'));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Changes' }).click();
  const changes = page.getByRole('list', { name: 'Changes since the run before' });
  await expect(changes.getByRole('listitem').filter({ hasText: 'MSA-2' })).toContainText('MSG00009');
  await expect(changes).not.toContainText('MSH-3');
  await inEveryLook(page);
});

test('code whose lines end as Windows ends them is no draft for being opened, and none for coming from elsewhere', async ({
  page,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  const code = 'export async function handler() {\r\n  return "first";\r\n}\r\n';
  const bot = await deployedBot(page, project, 'By CLI', code);
  await page.goto(`/p/${project}/bots/${bot}`);
  const editor = page.getByRole('textbox', { name: /^Source code/ });
  await expect(editor).toContainText('first');
  await expect(page.getByText('Version 1, which is live', { exact: true })).toBeVisible();
  const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes(':draft:')));
  expect(await drafts()).toEqual([]);

  const data = { code: code.replace('first', 'second'), filename: 'index.ts' };
  await write(page, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, data);
  await page.reload();
  await expect(editor).toContainText('second');
  await expect(page.getByText('Version 2, which is live', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  await expect(page.getByText('Version 3, which is live', { exact: true })).toBeVisible();
  await expect(editor).toContainText('first');
  expect(await drafts()).toEqual([]);
});

test('what changes of a bot beside its draft is no draft of somebody else; of one that is, the way back is open', async ({
  page,
}) => {
  const { project, editor } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  const bot = new URL(page.url()).pathname.split('/').at(-1);
  const conflict = page.getByRole('dialog', { name: 'Someone else saved this draft' });
  const type = async (line: string) => {
    await editor.press('Control+Home');
    await page.keyboard.type(`// ${line}\n`);
  };
  await type('first');
  await write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [{ op: 'add', path: '/description', value: 'Of the lab' }]);
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await expect(conflict).toHaveCount(0);

  // The same after a reload, which reads the Bot as it is by then.
  await type('second');
  await write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [{ op: 'add', path: '/timeout', value: 20 }]);
  await page.reload();
  await expect(editor).toContainText('// second');
  await write(page, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, {
    code: 'export const handler = () => 2;',
    filename: 'index.ts',
  });
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await expect(conflict).toHaveCount(0);

  await type('third');
  const data = { code: 'export const handler = () => "theirs";', filename: 'index.ts' };
  await write(page, 'PUT', `/admin/projects/${project}/bots/${bot}/source`, data);
  await page.keyboard.press('Control+s');
  await conflict.getByRole('button', { name: 'Take the saved text' }).click();
  await expect(editor).toContainText('theirs');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toContainText('// third');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
});

test('a resource of the project becomes the input, and says its version', async ({ page }) => {
  const { project } = await createEcho(page);
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/fhir+json' };
  const data = { resourceType: 'Patient', name: [{ family: 'Everyday', given: ['Eve'] }] };
  const made = await (await page.request.post('/fhir/R4/Patient', { data, headers })).json();
  expect(made.id, project).toBeTruthy();
  const open = page.getByRole('button', { name: 'Choose a resource' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Choose a resource as the input' });
  await expect(dialog.getByRole('button', { name: /Eve Everyday/ })).toBeVisible();
  await inEveryLook(page);
  await dialog.getByLabel('Name or id').fill('nobody');
  await expect(dialog.getByText('No Patient is found by that.')).toBeVisible();
  await dialog.getByLabel('Name or id').fill(made.id);
  await dialog.getByRole('button', { name: /Eve Everyday/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`Patient/${made.id}, version ${made.meta.versionId}`)).toBeVisible();
  await expect(page.getByLabel('Method and content type')).toHaveValue('fhir');
  await expect(page.getByLabel('Input', { exact: true })).toHaveValue(/"family": "Everyday"/);
});

test('the border between code and input is moved by key and by pointer, kept, and gone on a phone', async ({
  page,
}) => {
  await createEcho(page);
  const border = page.getByRole('separator', { name: 'Width of the code' });
  await expect(border).toHaveAttribute('aria-valuenow', '60');
  await border.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(border).toHaveAttribute('aria-valuenow', '58');
  await page.keyboard.press('End');
  await expect(border).toHaveAttribute('aria-valuenow', '75');
  await inEveryLook(page);
  await border.focus();
  await page.keyboard.press('Home');
  await expect(border).toHaveAttribute('aria-valuenow', '25');

  // Where it stands once the page is painted as narrow as that.
  await painted(page);
  const { x, y, width, height } = (await border.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 300, y + height / 2);
  await page.mouse.up();
  await expect(border).not.toHaveAttribute('aria-valuenow', '25');
  const now = Number(await border.getAttribute('aria-valuenow'));
  expect(now).toBeGreaterThan(40);
  await page.reload();
  await expect(border).toHaveAttribute('aria-valuenow', String(now));
  await border.dblclick();
  await expect(border).toHaveAttribute('aria-valuenow', '60');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(border).toBeHidden();
});

function selected(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { value, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
    return value.slice(selectionStart, selectionEnd);
  });
}
