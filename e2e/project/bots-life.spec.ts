import type { Page } from '@playwright/test';
import { deployedBot, execute, HEADERS } from '../admissions.ts';
import { createEcho, WRITES } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

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

test('a deploy that differs is shown before it is live, tried on a share of the runs and made live; versions are compared', async ({
  page,
}) => {
  test.slow();
  await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await page.getByRole('tab', { name: 'Samples' }).click();
  await page.getByRole('button', { name: 'Keep a sample' }).click();
  const keep = page.getByRole('dialog', { name: 'Keep a sample' });
  await keep.getByLabel('Name').fill('An echo');
  await keep.getByRole('button', { name: 'Run it dry' }).click();
  await keep.getByRole('button', { name: 'Keep it, and expect this' }).click();
  await expect(page.getByRole('list', { name: 'Samples of this bot' })).toBeVisible();

  await replaceCode(page, WRITES);
  await page.keyboard.press('Control+Shift+Enter');
  const sheet = page.getByRole('dialog', { name: 'Deploy over version 1' });
  await expect(sheet.getByText('Not as expected', { exact: true })).toBeVisible();
  const wants = sheet.getByRole('list', { name: 'What it wants' });
  await expect(wants).toContainText('Create Basic');
  await expect(wants).toContainText('Search Task');
  await expect(wants).toContainText('Read the secret LAB_KEY');
  await expect(wants).toContainText('Not allowed today: no secret of this name is set');
  await expect(sheet.getByRole('textbox', { name: 'Changes since version 1' })).toContainText('resourceType');
  const deploy = sheet.getByRole('button', { name: 'Deploy this version' });
  await expect(deploy).toBeDisabled();
  await inEveryLook(page);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page.getByText('Live v1')).toBeVisible();

  await page.getByRole('button', { name: 'Review…' }).click();
  await sheet.getByLabel('Note').fill('Says whether it has the key');
  await sheet.getByLabel('Runs on it').selectOption('50');
  // The rest by the keyboard alone.
  await tabTo(page, sheet.getByLabel('Deploy it all the same; the audit log will say so'));
  await page.keyboard.press('Space');
  await tabTo(page, sheet.getByRole('button', { name: 'Try on 50 % of runs' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Version 2 is tried on 50 % of the runs').first()).toBeVisible();
  await expect(page.getByText('Live v1')).toBeVisible();
  await expect(page.getByText('On 50 % of the runs version 2 is tried, also of these.')).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Make version 2 live' }).click();
  const ask = page.getByRole('dialog', { name: 'Make version 2 live?' });
  await ask.getByRole('button', { name: 'Make it live all the same' }).click();
  await expect(page.getByText('Live v2')).toBeVisible();
  await expect(page.getByText('Version 2 is tried on 50 % of the runs')).toHaveCount(0);
  await expect(page.getByText('On 50 % of the runs version 2 is tried, also of these.')).toHaveCount(0);

  await page.reload();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByText('Says whether it has the key')).toBeVisible();
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  const compare = page.getByRole('dialog', { name: 'Compare versions' });
  await expect(compare.getByRole('textbox', { name: 'Changes from version 1 to version 2' })).toContainText('made');
  await inEveryLook(page);
  await compare.getByLabel('Note').fill('The key is not there yet');
  // A press outside takes no note away.
  await page.mouse.click(5, 400);
  await expect(compare.getByLabel('Note')).toHaveValue('The key is not there yet');
  await compare.getByRole('button', { name: 'Go back to version 1' }).click();
  await expect(page.getByText('Live v3')).toBeVisible();
  await expect(page.getByText('The key is not there yet')).toBeVisible();
});

test('a trial that was taken back is told until something newer is live; one that somebody else replaced is not ended unseen', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const [good, bad] = ['export const handler = () => 1;', 'export const handler = () => { throw new Error("no"); };'];
  const bot = await deployedBot(page, project, 'Tried', bad);
  const deploy = async (data: object) => {
    const deployed = await page.request.post(`/fhir/R4/Bot/${bot}/$deploy`, { data, headers: HEADERS });
    expect(deployed.status(), await deployed.text()).toBe(200);
  };
  await deploy({ code: good });
  const trial = { data: { version: 1, share: 50 }, headers: HEADERS };
  // An older version than what is live.
  expect((await page.request.put(`/admin/projects/${project}/bots/${bot}/canary`, trial)).status()).toBe(200);
  const state = async () => {
    await execute(page, bot, [{}, {}, {}, {}]);
    return (await (await page.request.get(`/admin/projects/${project}/bots/${bot}/canary`)).json()).canary.state;
  };
  await expect.poll(state, { timeout: 60_000 }).toBe('reverted');
  await page.goto(`/p/${project}/bots/${bot}`);
  const told = page.getByText('Version 1 failed more, and was taken back by itself');
  await expect(told).toBeVisible();
  await inEveryLook(page);
  await deploy({ code: `${good} // newer` });
  await page.reload();
  await expect(page.getByText('Live v3')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Versions' })).toBeVisible();
  await expect(told).toHaveCount(0);

  await deploy({ code: `${good} // tried`, canary: 10 });
  await page.reload();
  await expect(page.getByText('Version 4 is tried on 10 % of the runs').first()).toBeVisible();
  await deploy({ code: `${good} // instead`, canary: 20 });
  await page.getByRole('button', { name: 'Make version 4 live' }).click();
  await expect(page.getByText('Version 5 is tried by now').first()).toBeVisible();
  await expect(page.getByText('Version 5 is tried on 20 % of the runs').first()).toBeVisible();
  await expect(page.getByText('Live v3')).toBeVisible();
  // By key alone: it goes with what is said of the trial, and the focus stays on the page.
  const withdraw = page.getByRole('button', { name: 'Withdraw it' });
  await expect(withdraw).toBeEnabled();
  await tabTo(page, withdraw);
  await page.keyboard.press('Enter');
  await expect(withdraw).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await expect(page.getByRole('button', { name: 'Roll back to v2' }).first()).toBeVisible();
  await deploy({ code: `${good} // live meanwhile` });
  await page.getByRole('button', { name: 'Roll back to v2' }).first().click();
  await expect(page.getByText('Version 6 is live by now').first()).toBeVisible();
  // The list has it by now, and the next press is not refused.
  await expect(page.getByRole('button', { name: 'Roll back to v3' })).toBeVisible();
  await expect(page.getByText('Live v6')).toBeVisible();
  // By key: what was just said lies over the list.
  const back = page.getByRole('button', { name: 'Roll back to v2' });
  await expect(back).toBeEnabled();
  await back.press('Enter');
  await expect(page.getByText('Live v7')).toBeVisible();
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
