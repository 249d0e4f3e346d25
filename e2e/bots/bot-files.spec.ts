import type { Locator, Page } from '@playwright/test';
import { createEcho } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { tookBack } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

/** TypeScript and 5 MB of declarations, on a machine that has other things to do. */
const TYPES_MS = 60_000;

const INDEX = `import { twice } from './lib/twice';
import { unit } from './units.json';
export async function handler(medplum, event) {
  return { weight: twice(event.input.n) + unit };
}
`;

const treeOf = (page: Page) => page.getByRole('tree', { name: 'Files of this bot' });
const codeOf = (page: Page, file: string) => page.getByRole('textbox', { name: `Source code, ${file}.` });

async function replace(page: Page, code: Locator, text: string): Promise<void> {
  await code.press('Control+a');
  await page.keyboard.insertText(text);
}

async function addFile(page: Page, button: string, name: string, content: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog', { name: 'New file' }).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await expect(codeOf(page, name)).toBeFocused();
  await page.keyboard.insertText(content);
}

test('a bot of three files from nothing: an import is broken, seen, mended; dry run, deploy, run, difference by file', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'New bot' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Weights');
  await page.keyboard.press('Enter');
  await expect(codeOf(page, 'index.ts')).toContainText('event.input');

  await page.getByRole('button', { name: 'Add a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New file' });
  const name = dialog.getByLabel('Name');
  await name.fill('../twice.ts');
  await expect(name).toHaveAccessibleDescription(/A name is relative/);
  await name.fill('index.ts');
  await expect(name).toHaveAccessibleDescription('index.ts is there already');
  await inEveryLook(page);
  await name.fill('lib/twice.ts');
  await page.keyboard.press('Enter');
  await expect(codeOf(page, 'lib/twice.ts')).toBeFocused();
  await page.keyboard.insertText('export const twice = (n: number): number => 2 * n;\n');
  await addFile(page, 'New file', 'units.json', '{ "unit": "kg" }\n');
  const tree = treeOf(page);
  await tree.getByRole('treeitem', { name: 'index.ts entry point' }).click();
  await replace(page, codeOf(page, 'index.ts'), INDEX);
  const problems = page.getByRole('status').filter({ hasText: /problem|types/i });
  await expect(problems).toHaveText('No problems', { timeout: TYPES_MS });
  await inEveryLook(page);

  // Moved away: the import leads nowhere.
  await tree.getByRole('treeitem', { name: 'twice.ts' }).click();
  await page.getByRole('button', { name: 'Rename or move lib/twice.ts' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('lib/double.ts');
  await page.keyboard.press('Enter');
  await expect(tree.getByRole('treeitem', { name: 'double.ts' })).toBeFocused();
  await expect(tree.getByRole('treeitem', { name: 'index.ts entry point 1 problem' })).toBeVisible();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByText('This does not compile.')).toBeVisible();
  const error = page.getByRole('button', { name: /^index\.ts:1:\d+ Cannot import "\.\/lib\/twice"/ });
  await expect(codeOf(page, 'index.ts')).toBeFocused();
  await expect(problems).toHaveText('1 problem');
  await inEveryLook(page);
  await tree.getByRole('treeitem', { name: 'double.ts' }).click();
  await error.click();
  await expect(codeOf(page, 'index.ts')).toBeFocused();
  await replace(page, codeOf(page, 'index.ts'), INDEX.replace('./lib/twice', './lib/double'));
  await expect(problems).toHaveText('No problems');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await expect(tree.getByRole('treeitem')).toHaveText([/lib/, /double\.ts/, /index\.ts/, /units\.json/]);

  await page.getByLabel('Input', { exact: true }).fill('{ "n": 21 }');
  await page.getByRole('button', { name: 'Dry run' }).click();
  const dry = page.getByRole('dialog', { name: 'Dry run of the code in the editor' });
  await expect(dry.getByText('42kg')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByText('Live v1')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('42kg');

  await tree.getByRole('treeitem', { name: 'double.ts' }).click();
  await replace(page, codeOf(page, 'lib/double.ts'), 'export const twice = (n: number): number => n + n;\n');
  await addFile(page, 'New file', 'notes.md', 'What this is for.\n');
  await page.getByRole('button', { name: 'Review…' }).click();
  const review = page.getByRole('dialog', { name: 'Deploy over version 1' });
  const changed = review.getByRole('list', { name: 'Files that differ' });
  await expect(changed.getByRole('listitem')).toHaveText([/lib\/double\.ts.*changed/, /notes\.md.*added/]);
  await changed.getByRole('button', { name: /double/ }).click();
  await expect(review.getByRole('textbox', { name: 'Changes since version 1, lib/double.ts' })).toContainText('n + n');
  await inEveryLook(page);
  await review.getByRole('button', { name: 'Deploy this version' }).click();
  await expect(page.getByText('Live v2')).toBeVisible();

  await tookBack(page);
  await page.reload();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'View version 1' }).click();
  const version = page.getByRole('dialog', { name: 'Version 1' });
  await version.getByLabel('File', { exact: true }).selectOption('lib/double.ts');
  await expect(version.getByRole('textbox', { name: 'lib/double.ts of version 1' })).toContainText('2 * n');
  await inEveryLook(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  await expect(page.getByText('Live v3')).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: 'notes.md' })).toHaveCount(0);
});

test('the files of a bot by keyboard alone: added, gone about, renamed, made the entry point, deleted', async ({
  page,
}) => {
  test.slow();
  await createEcho(page);
  await tabTo(page, page.getByRole('button', { name: 'Add a file' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New file' }).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('lib/main.ts');
  await page.keyboard.press('Enter');
  await expect(codeOf(page, 'lib/main.ts')).toBeFocused();
  await page.keyboard.insertText('export const handler = async () => "from the other";\n');

  const tree = treeOf(page);
  const row = (name: string | RegExp) => tree.getByRole('treeitem', { name });
  // What the editor offers comes when its worker has it: an Escape that closes this is none that leads out.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Tab');
    await expect(row('main.ts')).toBeFocused({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await page.keyboard.press('ArrowLeft');
  await expect(row('lib')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(row('lib')).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(row('main.ts')).toBeFocused();
  await page.keyboard.press('F2');
  const rename = page.getByRole('dialog', { name: 'Rename or move lib/main.ts' });
  await expect(rename.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('main.ts');
  await page.keyboard.press('Enter');
  await expect(row('main.ts')).toBeFocused();
  await expect(row('lib')).toHaveCount(0);

  // Before the tree stands what can be done with its files.
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Delete main.ts' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Make main.ts the entry point' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row('main.ts entry point')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(row('index.ts')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row('index.ts')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Delete');
  const remove = page.getByRole('dialog', { name: 'Delete index.ts?' });
  await tabTo(page, remove.getByRole('button', { name: 'Delete index.ts' }));
  await page.keyboard.press('Enter');
  // One file again: as before.
  await expect(tree).toHaveCount(0);
  await expect(codeOf(page, 'main.ts')).toContainText('from the other');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Live v2')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('from the other');
});

test('files that somebody else saved meanwhile: both sides of each, and nothing is lost', async ({ page }) => {
  const { project } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  const bot = new URL(page.url()).pathname.split('/').at(-1);
  const files = [
    { filename: 'a.ts', content: 'export const a = 1;\n' },
    { filename: 'b.ts', content: 'export const b = 1;\n' },
  ];
  const code = 'export const handler = async () => 1;\n';
  const save = (others: object[]) =>
    write(page, 'PUT', `/admin/projects/${project}/bots/${bot}/source`, { code, filename: 'index.ts', files: others });
  await save(files);
  await page.reload();
  await treeOf(page).getByRole('treeitem', { name: 'a.ts' }).click();
  await replace(page, codeOf(page, 'a.ts'), 'export const a = "mine";\n');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await save([files[0]!, { filename: 'b.ts', content: 'export const b = "theirs";\n' }]);
  // What is not saved survives a reload, all of it.
  await page.reload();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.keyboard.press('Control+s');
  const conflict = page.getByRole('dialog', { name: 'Someone else saved this draft' });
  await expect(conflict.getByRole('listitem')).toHaveText([/a\.ts.*changed/, /b\.ts.*changed/]);
  await expect(conflict.getByRole('textbox', { name: 'Yours: a.ts' })).toContainText('mine');
  await conflict.getByRole('button', { name: /b\.ts/ }).click();
  await expect(conflict.getByRole('textbox', { name: 'Saved meanwhile: b.ts' })).toContainText('theirs');
  await inEveryLook(page);
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click();
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await page.reload();
  await treeOf(page).getByRole('treeitem', { name: 'a.ts' }).click();
  await expect(codeOf(page, 'a.ts')).toContainText('mine');
});
