import type { Page } from '@playwright/test';
import { deployedBot, execute, HEADERS } from '../admissions.ts';
import { createEcho, WRITES } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp } from '../sign-up.ts';

async function replaceCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Source code/ }).press('Control+a');
  await page.keyboard.insertText(code);
}

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
