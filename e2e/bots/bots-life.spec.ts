import type { Page } from '@playwright/test';
import { createEcho, WRITES } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { write } from '../sign-up.ts';

async function replaceCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Source code/ }).press('Control+a');
  await page.keyboard.insertText(code);
}

test('a sample is kept from what runs, tried with the code in the editor, edited and deleted', async ({
  page,
  expectAccessible,
}) => {
  test.slow();
  await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await page.getByRole('tab', { name: 'Samples' }).click();
  await expect(page.getByRole('heading', { name: 'No samples' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Keep a sample' }).click();
  const keep = page.getByRole('dialog', { name: 'Keep a sample' });
  await keep.getByLabel('Name').fill('An echo');
  await keep.getByRole('button', { name: 'Run it dry' }).click();
  await expect(keep.getByText('Would end well')).toBeVisible();
  await expect(keep.getByText('It would change nothing.')).toBeVisible();
  await inEveryLook(page);
  await keep.getByRole('button', { name: 'Keep it, and expect this' }).click();
  const list = page.getByRole('list', { name: 'Samples of this bot' });
  await expect(list).toContainText('An echo');
  await page.getByRole('button', { name: 'Try the code' }).click();
  const result = page.getByRole('region', { name: 'How the code did' });
  await expect(result.getByRole('heading', { name: 'The code in the editor' })).toBeVisible();
  await expect(result.getByText(/^As expected, /)).toBeVisible();
  // It says nothing of a text that came later.
  const editor = page.getByRole('textbox', { name: /^Source code/ });
  await editor.press('Control+Home');
  await page.keyboard.type('x');
  await expect(result.getByRole('heading', { name: 'An earlier text: try again' })).toBeVisible();
  await expectAccessible();
  await page.keyboard.press('Backspace');
  await expect(result.getByRole('heading', { name: 'The code in the editor' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit An echo' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit the sample' });
  await edit.getByLabel('Name').fill('Other echo');
  await edit.getByLabel('Answers of other servers').fill('{"mail": 3}');
  await edit.getByRole('button', { name: 'Save the sample' }).click();
  await expect(edit.getByText(/^mail: /)).toBeVisible();
  await inEveryLook(page);
  await edit.getByLabel('Answers of other servers').fill('{"mail": true}');
  await edit.getByRole('button', { name: 'Save the sample' }).click();
  await expect(list).toContainText('Other echo');
  // Nor of another sample.
  await expect(result).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit Other echo' }).click();
  await expect(edit.getByLabel('Answers of other servers')).toHaveValue(/"mail": true/);
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Delete Other echo' }).click();
  await page.getByRole('button', { name: 'Delete the sample' }).click();
  await expect(page.getByRole('heading', { name: 'No samples' })).toBeVisible();
});

test('samples that expect something else since a deploy was looked at are shown, with what was typed', async ({
  page,
}) => {
  const { project } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await page.getByRole('textbox', { name: /^Source code/ }).press('Control+Home');
  await page.keyboard.type('// mine\n');
  await page.getByRole('button', { name: 'Review…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Deploy over version 1' });
  await sheet.getByLabel('Note').fill('Why it is so');
  const bot = new URL(page.url()).pathname.split('/').at(-1);
  await write(page, 'POST', `/admin/projects/${project}/bots/${bot}/samples`, {
    name: 'No echo',
    input: { contentType: 'application/json', body: '{}' },
    expects: { ok: false },
  });
  const deploy = sheet.getByRole('button', { name: 'Deploy this version' });
  await deploy.click();
  await expect(sheet.getByText('A sample is not as expected', { exact: true })).toBeVisible();
  await expect(deploy).toBeDisabled();
  await expect(sheet.getByLabel('Note')).toHaveValue('Why it is so');
  await sheet.getByLabel('Deploy it all the same; the audit log will say so').click();
  await deploy.click();
  await expect(page.getByText('Live v2')).toBeVisible();
  await expect(sheet).toHaveCount(0);
});

test('a dry run shows what would be changed, and nothing of it is there', async ({ page }) => {
  await createEcho(page);
  await replaceCode(page, WRITES);
  await page.getByRole('button', { name: 'Dry run' }).click();
  const sheet = page.getByRole('dialog', { name: 'Dry run of the code in the editor' });
  await expect(sheet.getByText('Would create')).toBeVisible();
  await expect(sheet.getByRole('textbox', { name: 'Would create Basic' })).toContainText('"made"');
  await inEveryLook(page);
  // What other servers are taken to answer is there the next time.
  await sheet.getByLabel('Answers of other servers').fill('{"mail": true}');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(sheet.getByLabel('Answers of other servers')).toHaveValue('{"mail": true}');
  await expect(sheet.getByText('Would create')).toBeVisible();
  const found = await page.evaluate(() => fetch('/fhir/R4/Basic?_summary=count').then((answer) => answer.json()));
  expect(found.total).toBe(0);
});

test('secrets of a bot are set and replaced, and never shown', async ({ page }) => {
  await createEcho(page);
  await page.getByRole('tab', { name: 'Secrets' }).click();
  await expect(page.getByRole('heading', { name: 'No secrets' })).toBeVisible();
  await page.getByRole('button', { name: 'Add secret' }).click();
  const form = page.getByRole('dialog', { name: 'Add a secret of this bot' });
  await form.getByLabel('Name').fill('LAB_KEY');
  await form.getByLabel('Value', { exact: true }).fill('very-secret');
  await inEveryLook(page);
  await form.getByRole('button', { name: 'Keep secret' }).click();
  const list = page.getByRole('list', { name: 'Secrets of this bot' });
  await expect(list).toContainText('LAB_KEY');
  await expect(list).toContainText('This bot alone');
  await inEveryLook(page);
  expect(await page.content()).not.toContain('very-secret');
  await page.getByRole('button', { name: 'Replace LAB_KEY' }).click();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('another');
  await page.keyboard.press('Enter');
  await expect(page.getByText('LAB_KEY is replaced')).toBeVisible();
  await page.getByRole('button', { name: 'Delete LAB_KEY' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete LAB_KEY' }).click();
  await expect(page.getByRole('heading', { name: 'No secrets' })).toBeVisible();

  // What the live code asks for is known without a run that fails.
  const bot = new URL(page.url()).pathname.split('/').pop()!;
  const code = 'export async function handler(medplum, event) { return event.secrets.LAB_KEY === undefined; }';
  await write(page, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, { code, filename: 'index.js' });
  await page.reload();
  await expect(list).toContainText(/LAB_KEY\s*In the live code\s*Not set/);
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Set LAB_KEY' }).click();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('another');
  await page.keyboard.press('Enter');
  await expect(list).toContainText(/LAB_KEY\s*In the live code\s*This bot alone/);
});
