import type { APIRequestContext } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { sharedServer } from '../server-database.ts';
import { confirmed, tookBack } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

test('a client is made, its secret works and is shown once; rotated, turned off, turned on again', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog', { name: 'New client' });
  await form.getByRole('button', { name: 'Create client' }).click();
  await expect(form.getByText('Client name is required')).toBeVisible();
  await expect(form.getByText('Choose a policy, or say that it may do everything')).toBeVisible();
  await form.getByLabel('Name').fill('Lab feed');
  await form.getByLabel('Purpose').fill('Posts results every hour');
  await form.getByLabel('Access policy').selectOption('Default Practitioner Access Policy');
  await form.getByText('As code').click();
  await expect(form.getByRole('region', { name: 'This request as code' })).toContainText('"name": "Lab feed"');
  await inEveryLook(page);
  await form.getByRole('button', { name: 'Create client' }).click();

  const told = page.getByRole('dialog', { name: 'The secret of Lab feed', exact: true });
  await expect(told).toBeVisible();
  const [id, first] = await told.getByRole('definition').filter({ hasText: /\S/ }).allTextContents();
  await inEveryLook(page);
  await confirmed(page);
  expect(await tokenStatus(request, id!, first!)).toBe(200);
  // A press beside what is seen once does not lose it.
  await page.mouse.click(5, 5);
  await expect(told).toBeVisible();
  await told.getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.content()).not.toContain(first!);

  const actions = page.getByRole('button', { name: 'Actions for Lab feed' }).filter({ visible: true });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(told).toBeVisible();
  const [, second] = await told.getByRole('definition').filter({ hasText: /\S/ }).allTextContents();
  await confirmed(page);
  expect(await tokenStatus(request, id!, second!)).toBe(200);
  expect(await tokenStatus(request, id!, first!)).toBe(200);
  await told.getByRole('button', { name: 'I have kept it' }).click();
  await expect(page.getByText('Old one still works')).toBeVisible();
  await actions.click();
  await page.getByRole('menuitem', { name: 'End the old secret' }).click();
  const ending = page.getByRole('dialog', { name: 'End the old secret of Lab feed?' });
  await expect(ending).toBeVisible();
  await inEveryLook(page);
  await ending.getByRole('button', { name: 'End the old secret' }).click();
  await expect(page.getByText('The old secret no longer works')).toBeVisible();
  await confirmed(page);
  expect(await tokenStatus(request, id!, first!)).toBeGreaterThanOrEqual(400);
  expect(await tokenStatus(request, id!, second!)).toBe(200);

  await actions.click();
  await page.getByRole('menuitem', { name: 'Turn off' }).click();
  await expect(page.getByText('Lab feed is off')).toBeVisible();
  await confirmed(page);
  expect(await tokenStatus(request, id!, second!)).toBeGreaterThanOrEqual(400);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Lab feed' })).toContainText('Active');
  await confirmed(page);
  expect(await tokenStatus(request, id!, second!)).toBe(200);

  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Lab feed' });
  await edit.getByLabel('Name').fill('');
  await edit.getByRole('button', { name: 'Save client' }).click();
  await expect(edit.getByText('Client name is required')).toBeVisible();
  await inEveryLook(page);
  await edit.getByLabel('Name').fill('Night feed');
  await edit.getByLabel('Purpose').fill('');
  await edit.getByRole('button', { name: 'Save client' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Night feed' });
  await expect(row).not.toContainText('Posts results');
  await page.getByRole('button', { name: 'Actions for Night feed' }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Role and access' }).click();
  await expect(page.getByRole('tab', { name: 'Access', selected: true })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Actions for Night feed' }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const removal = page.getByRole('dialog', { name: 'Delete Night feed?' });
  await inEveryLook(page);
  await removal.getByLabel(/Type/).fill('Night feed');
  await removal.getByRole('button', { name: 'Delete the client' }).click();
  // Behind the dialog the page is hidden from roles: that it is gone counts when the dialog is.
  await expect(removal).toBeHidden();
  await confirmed(page);
  await expect(row).toHaveCount(0);
  expect(await tokenStatus(request, id!, second!)).toBeGreaterThanOrEqual(400);
});

test('a client is given a second secret with a name and an end, which is shown once and taken out again', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  const headers = { origin: sharedServer() };
  const data = { name: 'Lab feed' };
  const made = await page.request.post(`/admin/projects/${project}/client`, { headers, data });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/p/${project}/clients`);
  const actions = page.getByRole('button', { name: 'Actions for Lab feed' }).filter({ visible: true });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Named secrets' }).click();
  const list = page.getByRole('dialog', { name: 'Named secrets of Lab feed' });
  await expect(list).toContainText('None: the client signs in with its first secret.');
  await inEveryLook(page);
  await list.getByRole('button', { name: 'New secret' }).click();
  const form = page.getByRole('dialog', { name: 'A new secret for Lab feed' });
  await form.getByRole('button', { name: 'Make the secret' }).click();
  await expect(form.getByText('Name the secret')).toBeVisible();
  await inEveryLook(page);
  await form.getByLabel('Name').fill('Night job');
  await form.getByRole('button', { name: 'Make the secret' }).click();
  const told = page.getByRole('dialog', { name: 'The secret of Lab feed', exact: true });
  await expect(told).toBeVisible();
  const [, secret] = await told.getByRole('definition').filter({ hasText: /\S/ }).allTextContents();
  expect(await tokenStatus(request, id, secret!)).toBe(200);
  await told.getByRole('button', { name: 'I have kept it' }).click();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Named secrets' }).click();
  await expect(list.getByRole('list', { name: 'Named secrets' })).toContainText('Night job');
  await inEveryLook(page);
  await list.getByRole('button', { name: 'Take out Night job' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take out the secret' }).click();
  await expect(page.getByText('The secret Night job works no longer')).toBeVisible();
  expect(await tokenStatus(request, id, secret!)).toBe(400);
});

test('by keyboard alone: make a client and keep its secret', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await expect(page.getByRole('button', { name: 'New client' })).toBeVisible();
  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: 'New client' });
  await expect(form).toBeVisible();
  await tabTo(page, form.getByLabel('Name'));
  await page.keyboard.type('Night feed');
  // What it may do is chosen, never left to chance.
  await tabTo(page, form.getByLabel('Access policy'));
  await form.getByLabel('Access policy').selectOption('Everything (no policy)');
  await tabTo(page, form.getByRole('button', { name: 'Create client' }));
  await page.keyboard.press('Enter');
  const told = page.getByRole('dialog', { name: 'The secret of Night feed' });
  await expect(told).toBeVisible();
  await tabTo(page, told.getByRole('button', { name: 'I have kept it' }));
  await page.keyboard.press('Enter');
  await expect(told).toBeHidden();
  const row = page.getByRole('row').filter({ hasText: 'Night feed' });
  await tabTo(page, row.getByRole('button', { name: 'Actions for Night feed' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Turn off' })).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Off');
});

test('by keyboard alone: peek at a client and at a bot, and go where each is changed', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed', description: 'Results at night' });
  await write(page, 'POST', `/admin/projects/${project}/bot`, { name: 'Intake', description: 'HL7 v2 to Patient' });
  await page.reload();
  const client = page.getByRole('link', { name: 'Lab feed' });
  await expect(client).toBeVisible();
  await client.focus();
  await page.keyboard.press(' ');
  const peek = page.getByRole('dialog', { name: 'Lab feed' });
  await expect(peek).toContainText(/Last used.*Never/s);
  await inEveryLook(page);
  await page.keyboard.press(' ');
  await expect(peek).toBeHidden();
  await expect(client).toBeFocused();
  await page.keyboard.press('e');
  await expect(page).toHaveURL(/\/clients\/[0-9a-f-]{36}$/);
  await expect(peek).toContainText('Results at night');
  await expect(page.locator('nav[aria-label=Breadcrumb]')).toContainText('Lab feed');
  await page.reload();
  await expect(peek.getByRole('button', { name: 'Close' }).last()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/clients$/);
  await expect(client).toBeFocused();
  await tookBack(page);
  await client.press('Enter');
  await expect(peek).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('link', { name: 'Intake' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press(' ');
  await expect(page.getByRole('dialog', { name: 'Intake' })).toContainText('Not deployed');
  await inEveryLook(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: /^Source code/ })).toBeVisible();
});

async function tokenStatus(request: APIRequestContext, id: string, secret: string): Promise<number> {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  return (await request.post('/oauth2/token', { form })).status();
}
