import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp } from '../sign-up.ts';

const FAILING = `export async function handler(medplum, event) {
console.warn('asked for', event.input.ward);
if (event.input.ward !== '3') throw new Error('No such ward: ' + event.input.ward);
return { ward: 3 };
}`;

test('what the page of a bot asks is on its way with the pointer or the focus', async ({ page }) => {
  const { project } = await signUp(page);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const data = { name: 'Lab results' };
  const bot = await (await page.request.post(`/admin/projects/${project}/bot`, { data, headers })).json();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(`/fhir/R4/Bot/${bot.id}`)) asked += 1;
  });
  await page.goto(`/p/${project}/bots`);
  const name = page.getByRole('link', { name: 'Lab results' });
  await name.focus();
  await expect.poll(() => asked).toBe(1);
  await name.click();
  await expect(page.getByRole('heading', { name: 'Lab results' })).toBeVisible();
  expect(asked).toBe(1);
});

test('a template becomes a bot that runs; it is edited, refused, deployed, run with a query and rolled back', async ({
  page,
  expectAccessible,
}) => {
  test.slow();
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await expect(page.getByRole('heading', { name: 'No bots yet' })).toBeVisible();
  await inEveryLook(page);

  await page.getByRole('button', { name: 'Create HL7 v2 to Patient' }).click();
  const editor = page.getByRole('textbox', { name: /^Source code/ });
  await expect(editor).toContainText('getSegment');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('MSA|AA|MSG00001')).toBeVisible();
  await page.getByRole('button', { name: 'Logs (1)' }).click();
  await expect(page.getByRole('list', { name: 'Log lines' })).toContainText('Patient/');

  await editor.press('Control+Home');
  await page.keyboard.type('let x = ;\n');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByText('This does not compile. Version 1 stays live.')).toBeVisible();
  await expect(page.getByText('1:9 Unexpected ";"')).toBeVisible();
  await expect(page.locator('.cm-lint-marker-error').first()).toBeVisible();
  await page.getByRole('button', { name: '1:9 Unexpected ";"' }).click();
  await expect(editor).toBeFocused();
  await inEveryLook(page);

  await editor.press('Control+a');
  await page.keyboard.insertText(FAILING);
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/Draft saved/)).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Live v2')).toBeVisible();
  await page.getByLabel('Method and content type').selectOption('GET · Query');
  await page.getByLabel(/^Query/).fill('ward=7');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('No such ward: 7').first()).toBeVisible();
  await page.getByRole('button', { name: 'Output' }).click();
  await page.getByLabel(/^Query/).fill('ward=3');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('"ward": 3')).toBeVisible();

  // The last run stands above it, and moves it no more.
  const runs = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(runs).toHaveCount(4);
  const failed = runs.filter({ hasText: 'No such ward' });
  await failed.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Message' })).toBeVisible();
  await expectAccessible();
  // Where it failed is in the source, and the sheet is in its way no more.
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^index\.ts:3:/ })
    .click();
  await expect(editor).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).not.toHaveURL(/[?&](?:at|run)=/);
  await page.getByLabel('Version', { exact: true }).selectOption('v1');
  await expect(runs).toHaveCount(2);
  await page.getByLabel('Status', { exact: true }).selectOption('Not OK');
  await expect(page.getByRole('heading', { name: 'No run fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(runs).toHaveCount(4);
  await runs.last().getByRole('button').focus();
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await page.keyboard.press('Shift+x');
  await expect(page.getByText('3 runs chosen')).toBeVisible();
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog', { name: 'Run' })).toBeVisible();
  await page.keyboard.press('Escape');

  // What narrows the runs opens no version.
  await page.getByLabel('Version', { exact: true }).selectOption('v1');
  await expect(runs).toHaveCount(2);
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('button', { name: 'Roll back to v1' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Roll back to v1' }).click();
  await expect(page.getByText('Live v3')).toBeVisible();
  await page.goto(`/p/${project}/bots`);
  await expect(page.getByRole('row').nth(1)).toContainText('HL7 v2 to Patient');
  await inEveryLook(page);
});

test('each number stands beside its line, from the first sight of the code', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'Create HL7 v2 to Patient' }).click();
  await expect(page.getByRole('textbox', { name: /^Source code/ })).toContainText('getSegment');
  await page.reload();
  await expect(page.getByRole('textbox', { name: /^Source code/ })).toContainText('getSegment');
  const apart = () =>
    page.evaluate(() => {
      const topOf = (selector: string) => [...document.querySelectorAll(selector)].at(-1)!.getBoundingClientRect().top;
      return Math.abs(topOf('.cm-line') - topOf('.cm-lineNumbers .cm-gutterElement'));
    });
  await expect.poll(apart).toBeLessThan(2);
});

test('settings of a bot: refused at the field, saved, and the way to its access', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'Create Echo' }).click();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  const settings = page.getByRole('dialog', { name: 'Bot settings' });
  await settings.getByLabel('Name', { exact: true }).fill('x'.repeat(129));
  await settings.getByLabel('Time limit, seconds').fill('901');
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await expect(settings.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('At most 128 characters');
  await expect(settings.getByText('Whole seconds from 1 to 900')).toBeVisible();
  await inEveryLook(page);
  await settings.getByLabel('Name', { exact: true }).fill('Intake');
  await settings.getByLabel('Identifier value').fill('intake');
  await settings.getByLabel('Time limit, seconds').fill('20');
  await settings.getByLabel('Category').fill('Intake of patients');
  await settings.getByLabel('In the audit log').selectOption('Runs that failed');
  await settings.getByRole('switch', { name: 'It runs with the rights of whoever calls it' }).click();
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Intake' })).toBeVisible();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(settings.getByLabel('Identifier value')).toHaveValue('intake');
  await expect(settings.getByLabel('Category')).toHaveValue('Intake of patients');
  await expect(settings.getByLabel('In the audit log')).toHaveValue('on-error');
  await expect(settings.getByRole('switch', { name: 'It runs with the rights of whoever calls it' })).toBeChecked();
  await expect(settings.getByRole('switch', { name: 'The bot gets the text' })).not.toBeChecked();
  await settings.getByRole('link', { name: 'among the members' }).click();
  await expect(page.getByRole('table', { name: 'Members' }).getByRole('link')).toHaveCount(1);
  await page.goBack();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await settings.getByRole('button', { name: 'Delete bot' }).click();
  const removal = page.getByRole('dialog', { name: 'Delete Intake?' });
  await expect(removal.getByRole('button', { name: 'Delete the bot' })).toBeDisabled();
  await inEveryLook(page);
  await removal.getByLabel(/^Type/).fill('Intake');
  await removal.getByRole('button', { name: 'Delete the bot' }).click();
  await expect(page).toHaveURL(/\/bots$/);
  await expect(page.getByText('Intake', { exact: true })).toHaveCount(0);
});

test('by keyboard alone: make a bot, edit, leave the editor, deploy, run', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/bots`);
  const create = page.getByRole('button', { name: 'New bot' });
  await expect(create).toBeVisible();
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New bot' })).toBeVisible();
  await tabTo(page, page.getByLabel('Name', { exact: true }));
  await page.keyboard.type('Night report');
  await page.getByText('As code').click();
  await expect(page.getByRole('region', { name: 'This bot as code' })).toContainText('"name": "Night report"');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.keyboard.press('Enter');

  const editor = page.getByRole('textbox', { name: /^Source code/ });
  await expect(editor).toContainText('event.input');
  await tabTo(page, editor);
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('// by key\n');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  const save = page.getByRole('button', { name: 'Save draft' });
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Draft saved/)).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(save).toBeFocused();
  const review = page.getByRole('button', { name: 'Review…' });
  await tabTo(page, review);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Deploy' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(review).toBeFocused();
  await tabTo(page, editor);
  for (const key of ['Escape', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Live v1')).toBeVisible();
  await tabTo(page, page.getByLabel('Input', { exact: true }));
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{"ward": 3}');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('region', { name: 'Output' })).toContainText('"ward": 3');

  // Held until it is stopped: one button starts and stops it, and keeps the focus.
  await page.route('**/$execute', () => {});
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await page.keyboard.press('Shift+Tab');
  await expect(run).toBeFocused();
  await page.keyboard.press('Enter');
  const stop = page.getByRole('button', { name: 'Stop waiting' });
  await expect(stop).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(run).toBeFocused();
});
