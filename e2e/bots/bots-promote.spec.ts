import type { Page } from '@playwright/test';
import { createEcho, WRITES } from '../echo-bot.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { addProject } from '../owner.ts';
import { write } from '../sign-up.ts';

test('who is in one project alone is told so; nothing is promoted', async ({ page }) => {
  await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await page.getByRole('button', { name: 'Promote…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Promote version 1 to another project' });
  await expect(dialog.getByText('You administer no other project.')).toBeVisible();
  await inEveryLook(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('what is live is brought to another project: seen before, made there with the secrets that it lacks, and seen again', async ({
  page,
}) => {
  test.slow();
  const { project, user } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  await addProject(user, 'Riverside Production');
  const bot = new URL(page.url()).pathname.split('/').pop()!;
  await page.getByRole('button', { name: 'Promote…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Promote version 1 to another project' });
  await expect(dialog.getByRole('alert')).toContainText('no identifier');
  await expect(dialog.getByRole('button', { name: 'Promote' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [
    { op: 'add', path: '/identifier', value: [{ value: 'echo' }] },
    { op: 'add', path: '/timeout', value: 42 },
  ]);
  await write(page, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, { code: WRITES, filename: 'index.ts' });
  await page.reload();
  await expect(page.getByText('Live v2')).toBeVisible();

  await page.getByRole('button', { name: 'Promote…' }).click();
  const second = page.getByRole('dialog', { name: 'Promote version 2 to another project' });
  const seen = second.getByRole('region', { name: 'What would change there' });
  await expect(seen).toContainText('It is made there, with version 2 as its first.');
  await expect(seen).toContainText('Time limit: 42');
  await second.getByLabel('Access policy there').selectOption('Default Practitioner Access Policy');
  await second.getByLabel('LAB_KEY').fill('typed-there');
  await second.getByLabel('Live at once').click();
  await inEveryLook(page);
  await second.getByRole('button', { name: 'Make it there' }).click();
  const arrived = page.getByRole('dialog', { name: 'It is live there, as version 1' });
  await expect(arrived).toContainText('The bot was made there');
  await expect(arrived).toContainText('It lacks nothing there that its source names.');
  await inEveryLook(page);
  await arrived.getByRole('button', { name: 'Close' }).first().click();

  await page.getByRole('button', { name: 'Promote…' }).click();
  await expect(seen).toContainText('Version 2 becomes version 2 of');
  await expect(seen).toContainText('Version 1 is live there.');
  await expect(seen).toContainText('What is live there has the same source.');
  await expect(second.getByLabel('LAB_KEY')).toHaveCount(0);
  await expect(second.getByLabel('Access policy there')).toHaveCount(0);

  // A sample that comes along is not as expected there: who knows that goes on.
  await write(page, 'POST', `/admin/projects/${project}/bots/${bot}/samples`, {
    name: 'Another answer',
    input: { contentType: 'application/json', body: '{}' },
    expects: { output: [{ path: '', value: 'something else' }] },
  });
  // What is live there would have settings at once: they come with what is live.
  const settings = second.getByRole('switch', { name: 'With its settings' });
  await expect(settings).toBeDisabled();
  await second.getByLabel('Live at once').click();
  await expect(settings).toBeEnabled();
  await second.getByLabel('With its samples').click();
  await second.getByRole('button', { name: 'Promote' }).click();
  await expect(second.getByRole('list', { name: 'Samples' })).toContainText('Another answer: output');
  await inEveryLook(page);
  await second.getByLabel('Promote all the same').click();
  await second.getByRole('button', { name: 'Promote' }).click();
  await expect(page.getByRole('dialog', { name: 'It is live there, as version 2' })).toBeVisible();
});

/** The page's session goes to another project of the same person. */
async function goTo(page: Page, name: string, project: string): Promise<void> {
  await page.getByRole('button', { name: /Switch project/ }).click();
  await page.getByRole('menuitem', { name: new RegExp(name) }).click();
  await page.waitForURL(`**/p/${project}`);
}

test('what somebody began there and no version has is told before, and stays', async ({ page }) => {
  test.slow();
  const { project, user } = await createEcho(page);
  await expect(page.getByText('Live v1')).toBeVisible();
  const there = await addProject(user, 'Riverside Production');
  const address = page.url();
  const bot = new URL(address).pathname.split('/').pop()!;
  await write(page, 'PATCH', `/fhir/R4/Bot/${bot}`, [{ op: 'add', path: '/identifier', value: [{ value: 'echo' }] }]);
  const brought = { project: there, create: true };
  await write(page, 'POST', `/admin/projects/${project}/bots/${bot}/promote`, brought);

  await page.reload();
  await goTo(page, 'Riverside Production', there);
  const found = await (await page.request.get('/fhir/R4/Bot?identifier=echo')).json();
  const { id } = found.entry[0].resource;
  const begun = { code: 'export const handler = () => "begun";', filename: 'index.ts' };
  await write(page, 'PUT', `/admin/projects/${there}/bots/${id}/source`, begun);
  await goTo(page, 'Riverside Clinic', project);

  await page.goto(address);
  await page.getByRole('button', { name: 'Promote…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Promote version 1 to another project' });
  const seen = dialog.getByRole('region', { name: 'What would change there' });
  await expect(seen).toContainText('Its draft there has changes that no version has: it stays as it is.');
  await expect(seen).toContainText(/Version 1 becomes version 2 of Echo\./);
  await inEveryLook(page);
  await dialog.getByRole('button', { name: 'Promote' }).click();
  const arrived = page.getByRole('dialog', { name: 'It is there, as version 2', exact: true });
  await expect(arrived).toContainText('The draft there has changes that no version has, and stayed.');
  await inEveryLook(page);
});
