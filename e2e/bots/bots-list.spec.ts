import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { confirmed } from '../settled.ts';
import { signUp } from '../sign-up.ts';

test('bots by what runs them, their category and how they stand; one is duplicated, turned off and on again, and deleted', async ({
  page,
}) => {
  test.slow();
  const { project } = await signUp(page);
  const headers = { 'sec-fetch-site': 'same-origin' };
  const make = async (data: object) =>
    (await page.request.post(`/admin/projects/${project}/bot`, { data, headers })).json();
  const nightly = await make({ name: 'Nightly report', cronString: '0 4 * * *', category: [{ text: 'Reports' }] });
  await make({ name: 'Lab results', publicWebhook: true });
  const data = { code: 'export const handler = () => "asleep";', filename: 'index.ts' };
  await page.request.post(`/fhir/R4/Bot/${nightly.id}/$deploy`, { data, headers });

  await page.goto(`/p/${project}/bots`);
  const table = page.getByRole('table', { name: 'Bots' });
  const row = table.getByRole('row', { name: /Nightly report/ });
  await expect(row).toContainText('Schedule');
  await expect(row).toContainText('Live v1');
  await page.getByLabel('What runs them').selectOption('Webhook');
  await expect(row).toHaveCount(0);
  await expect(table.getByRole('row', { name: /Lab results/ })).toContainText('Webhook');
  await page.getByLabel('What runs them').selectOption('Any trigger');
  await page.getByLabel('Category').selectOption('Reports');
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByLabel('How they do').selectOption('Not deployed');
  await expect(page.getByRole('heading', { name: 'No bot matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all bots' }).click();
  await expect(table.getByRole('row')).toHaveCount(3);
  await inEveryLook(page);

  const actions = page.getByRole('button', { name: 'Actions for Nightly report' }).filter({ visible: true });
  await tabTo(page, actions);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Promote…' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Runs' }).click();
  await expect(page.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`bot=${nightly.id}`));
  await page.goBack();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Turn off' }).click();
  await expect(page.getByText('Nightly report is off')).toBeVisible();
  await confirmed(page);
  const run = () => page.request.post(`/fhir/R4/Bot/${nightly.id}/$execute`, { data: {}, headers });
  expect((await run()).status()).toBe(400);
  await page.getByLabel('How they do').selectOption('Off');
  await expect(row.getByText('Off', { exact: true })).toBeVisible();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Turn on' }).click();
  await expect(page.getByRole('heading', { name: 'No bot matches' })).toBeVisible();
  await confirmed(page);
  expect(await (await run()).text()).toBe('asleep');
  await page.getByRole('button', { name: 'Show all bots' }).click();

  await actions.click();
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Duplicate Nightly report' });
  await expect(dialog.getByLabel('Name')).toHaveValue('Copy of Nightly report');
  await inEveryLook(page);
  await dialog.getByLabel('Name').fill('Weekly report');
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'Weekly report' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Source code/ })).toContainText('asleep');
  await expect(page.getByText('Not deployed')).toBeVisible();

  await page.goto(`/p/${project}/bots`);
  await page.getByRole('button', { name: 'Actions for Weekly report' }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const remove = page.getByRole('dialog', { name: 'Delete Weekly report?' });
  await remove.getByRole('textbox').fill('Weekly report');
  await remove.getByRole('button', { name: 'Delete the bot' }).click();
  await expect(page.getByText('The bot is deleted')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(3);
});
