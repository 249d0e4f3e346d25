import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { sharedServer } from '../server-database.ts';
import { signUp } from '../sign-up.ts';

test('a directory is connected, told its token once, given another, looked at and disconnected', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await expect(page.getByText('No directory')).toBeVisible();
  await page.getByRole('button', { name: 'Connect a directory' }).click();
  const form = page.getByRole('dialog', { name: 'Connect a directory' });
  await form.getByRole('button', { name: 'Connect directory' }).click();
  await expect(form.getByText('Name the directory')).toBeVisible();
  await form.getByLabel('Name').fill('Okta');
  await inEveryLook(page);
  await form.getByRole('button', { name: 'Connect directory' }).click();
  const once = page.getByRole('dialog', { name: 'A token for Okta' });
  const token = (await once.getByText(/^gscim_/).textContent()) ?? '';
  await inEveryLook(page);
  await once.getByRole('button', { name: 'I have kept it' }).click();
  await expect(once).toBeHidden();
  expect(await page.content()).not.toContain(token);

  const ask = (authorization: string) =>
    page.request.get('/scim/v2/Users?filter=userName%20eq%20%22somebody%22', { headers: { authorization } });
  expect((await ask(`Bearer ${token}`)).status()).toBe(200);
  const list = page.getByRole('list', { name: 'Directories' });
  await expect(list).toContainText('0 members');
  await inEveryLook(page);

  await page.getByRole('button', { name: 'Requests: Okta' }).click();
  const log = page.getByRole('dialog', { name: 'Requests of Okta' });
  await expect(async () => {
    await log.getByRole('button', { name: 'Ask again' }).click();
    await expect(log.getByRole('list', { name: 'Requests' })).toContainText('GET /scim/v2/Users', { timeout: 1000 });
  }).toPass();
  await expect(log).not.toContainText('somebody');
  await inEveryLook(page);
  await log.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Tokens: Okta' }).click();
  const tokens = page.getByRole('dialog', { name: 'Tokens of Okta' });
  await tokens.getByRole('button', { name: 'New token' }).click();
  const next = (await once.getByText(/^gscim_/).textContent()) ?? '';
  await once.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Tokens: Okta' }).click();
  await inEveryLook(page);
  await tokens.getByRole('button', { name: `Take back the token …${token.slice(-4)}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back the token' }).click();
  await expect(page.getByText(`The token …${token.slice(-4)} works no longer`)).toBeVisible();
  expect([(await ask(`Bearer ${token}`)).status(), (await ask(`Bearer ${next}`)).status()]).toEqual([401, 200]);
  await tokens.getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('button', { name: 'Edit: Okta' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Okta' });
  await edit.getByLabel('Name').fill('Okta of the clinic');
  await edit.getByLabel('Whom it adds gets').selectOption('An invitation by mail');
  await edit.getByRole('button', { name: 'Save directory' }).click();
  await expect(list).toContainText('invites by mail');
  await page.reload();
  await expect(list).toContainText('Okta of the clinic');

  await page.getByRole('button', { name: 'Disconnect: Okta of the clinic' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect Okta of the clinic' }).click();
  await expect(page.getByText('No directory')).toBeVisible();
  expect((await ask(`Bearer ${next}`)).status()).toBe(401);
});

test('whom a directory manages is shown as such, and not deactivated by hand', async ({ page }) => {
  const { project } = await signUp(page);
  const headers = { origin: sharedServer() };
  const connected = await page.request.post(`/admin/projects/${project}/scim`, { headers, data: { name: 'Okta' } });
  const { token } = await connected.json();
  const made = await page.request.post('/scim/v2/Users', {
    headers: { authorization: `Bearer ${token}` },
    data: { userName: 'nora.field', name: { givenName: 'Nora', familyName: 'Field' } },
  });
  expect(made.status()).toBe(201);
  await page.goto(`/p/${project}/members`);
  await expect(page.getByRole('row', { name: /Nora Field/ })).toContainText('by Okta');
  await inEveryLook(page);
  await page.goto(`/p/${project}/members/${(await made.json()).id}?tab=security`);
  await expect(page.getByText('Managed by Okta', { exact: true })).toBeVisible();
  await expect(page.getByText('Okta manages it: change it there.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deactivate' })).toBeDisabled();
  await inEveryLook(page);
});

test('an administrator says what a group of the directory gives, and who is in it has it', async ({ page }) => {
  const { project } = await signUp(page);
  const headers = { origin: sharedServer() };
  const connected = await page.request.post(`/admin/projects/${project}/scim`, { headers, data: { name: 'Okta' } });
  const authorization = `Bearer ${(await connected.json()).token}`;
  const make = async (path: string, data: object) => {
    const made = await page.request.post(`/scim/v2/${path}`, { headers: { authorization }, data });
    expect(made.status()).toBe(201);
    return (await made.json()).id as string;
  };
  await page.goto(`/p/${project}/settings`);
  await page.getByRole('button', { name: 'Groups: Okta' }).click();
  const groups = page.getByRole('dialog', { name: 'Groups of Okta' });
  await expect(groups).toContainText('None yet');
  await inEveryLook(page);
  await groups.getByRole('button', { name: 'Close' }).last().click();
  const nora = await make('Users', { userName: 'nora.field', name: { givenName: 'Nora', familyName: 'Field' } });
  await make('Groups', { displayName: 'Ward 3', members: [{ value: nora }] });
  await page.reload();
  await page.getByRole('button', { name: 'Groups: Okta' }).click();
  await expect(groups.getByRole('list', { name: 'Groups' })).toContainText(/Ward 3.*1 member.*gives nothing/s);
  await groups.getByRole('button', { name: 'Change what Ward 3 gives' }).click();
  const form = page.getByRole('dialog', { name: 'What Ward 3 gives' });
  await form.getByRole('switch', { name: 'Administrator' }).click();
  await form.getByRole('button', { name: 'Add a policy' }).click();
  await form.getByRole('button', { name: 'Save what it gives' }).click();
  await expect(form.getByText('Choose a policy, or take this one away')).toBeVisible();
  await inEveryLook(page);
  await form.getByLabel('Policy', { exact: true }).selectOption('Default Practitioner Access Policy');
  await form.getByRole('button', { name: 'Save what it gives' }).click();
  await expect(groups.getByRole('list', { name: 'Groups' })).toContainText(/Admin.*Default Practitioner/s);
  await inEveryLook(page);
  const member = await page.request.get(`/admin/projects/${project}/members/${nora}`, { headers });
  expect(await member.json()).toMatchObject({ admin: true });
});

test('by keys alone', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  await tabTo(page, page.getByRole('button', { name: 'Connect a directory' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Entra');
  await page.keyboard.press('Enter');
  const once = page.getByRole('dialog', { name: 'A token for Entra' });
  await tabTo(page, once.getByRole('button', { name: 'I have kept it' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Directories' })).toContainText('Entra');
});
