import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { confirmed } from '../settled.ts';
import { signUp, write } from '../sign-up.ts';

/** An app on this machine, which is opened about a patient. */
let app: Server;
let appUrl: string;

test.beforeAll(async () => {
  app = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>opened</p>'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/launch`;
});
test.afterAll(() => void app.close());

test('a client is kept within what an administrator types, is opened about a patient, and what it asked is seen', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await page.getByRole('button', { name: 'New client' }).click();
  const form = page.getByRole('dialog', { name: 'New client' });
  await form.getByLabel('Name').fill('Growth charts');
  await form.getByLabel('What it is').selectOption('An app that people sign in to');
  await form.getByLabel('Redirect addresses').fill('nowhere');
  await form.getByLabel('Access policy').selectOption('Default Practitioner Access Policy');
  await form.getByRole('button', { name: 'Create client' }).click();
  await expect(form.getByText('nowhere is no whole address')).toBeVisible();
  await form.getByLabel('Redirect addresses').fill(`${appUrl}/back`);
  await inEveryLook(page);
  await form.getByRole('button', { name: 'Create client' }).click();
  const told = page.getByRole('dialog', { name: 'The secret of Growth charts', exact: true });
  await expect(told).toBeVisible();
  const [id, secret] = await told.getByRole('definition').filter({ hasText: /\S/ }).allTextContents();
  await told.getByRole('button', { name: 'I have kept it' }).click();
  // Whoever makes it is responsible.
  await expect(page.getByRole('row').filter({ hasText: 'Growth charts' })).toContainText('Ada Reyes');
  const grant = { grant_type: 'client_credentials', client_id: id!, client_secret: secret! };
  const refused = await request.post('/oauth2/token', { form: grant });
  expect((await refused.json()).error).toBe('unauthorized_client');

  const actions = page.getByRole('button', { name: 'Actions for Growth charts' }).filter({ visible: true });
  await actions.click();
  await expect(page.getByRole('menuitem', { name: 'Launch' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Growth charts' });
  await edit.getByText('Sign-in and limits').click();
  await edit.getByLabel('Launch address').fill('ftp://x');
  await edit.getByLabel('Allowed addresses').fill('203.0.113.0/99');
  await edit.getByLabel('Allowed origins').fill('https://app.example.com/x');
  await edit.getByRole('button', { name: 'Save client' }).click();
  await expect(edit.getByText('203.0.113.0/99 is no IP address or network')).toBeVisible();
  await expect(edit.getByText('https://app.example.com/x is no origin')).toBeVisible();
  await inEveryLook(page);
  await edit.getByLabel('Launch address').fill(appUrl);
  await edit.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1');
  await edit.getByLabel('Allowed origins').fill('');
  await edit.getByLabel('Allowed scopes').fill('openid launch\npatient/*.rs');
  await edit.getByLabel('It acts for itself').check();
  await edit.getByRole('button', { name: 'Save client' }).click();
  await expect(page.getByText('The client is saved')).toBeVisible();
  await confirmed(page);
  const stored = await (await page.request.get(`/fhir/R4/ClientApplication/${id}`)).json();
  expect(stored).toMatchObject({
    launchUri: appUrl,
    allowedAddress: ['127.0.0.0/8', '::1'],
    allowedScope: ['openid', 'launch', 'patient/*.rs'],
    grantType: ['authorization_code', 'refresh_token', 'client_credentials'],
  });
  expect((await request.post('/oauth2/token', { form: { ...grant, scope: 'user/*.rs' } })).status()).toBe(400);
  expect((await request.post('/oauth2/token', { form: { ...grant, scope: 'openid' } })).status()).toBe(200);

  await actions.click();
  await page.getByRole('menuitem', { name: 'Requests' }).click();
  const requests = page.getByRole('dialog', { name: 'Requests of Growth charts' });
  await expect(async () => {
    await requests.getByRole('button', { name: 'Ask again' }).click();
    await expect(requests.getByRole('list', { name: 'Requests' })).toContainText('POST /oauth2/token', {
      timeout: 500,
    });
    await expect(requests.getByRole('status')).toContainText('3 in all, 2 failed', { timeout: 500 });
  }).toPass();
  await requests.getByLabel('Which requests').selectOption('Only failed');
  await expect(requests.getByRole('listitem')).toHaveCount(2);
  await inEveryLook(page);
  await requests.getByRole('button', { name: 'Close' }).last().click();

  await write(page, 'POST', '/fhir/R4/Patient', {
    resourceType: 'Patient',
    name: [{ given: ['Nora'], family: 'Quill' }],
  });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Launch' }).click();
  const launch = page.getByRole('dialog', { name: 'Launch Growth charts' });
  await launch.getByLabel('Name of the patient').fill('Nobodyatall');
  await expect(launch.getByText('Nobody fits whom you may read.')).toBeVisible();
  await launch.getByLabel('Name of the patient').fill('Quill');
  await launch.getByRole('radio').check();
  await inEveryLook(page);
  const opening = page.context().waitForEvent('page');
  await launch.getByRole('button', { name: 'Launch' }).click();
  const opened = await opening;
  await opened.waitForURL(`${appUrl}?**`);
  const { searchParams } = new URL(opened.url());
  expect([...searchParams.keys()].sort()).toEqual(['iss', 'launch']);
  await opened.close();
  const done = page.getByRole('dialog', { name: 'Growth charts is opened' });
  await expect(done).toContainText('About Nora Quill');
  await done.getByRole('button', { name: 'Close' }).last().click();
});

test('somebody else is named as responsible; once they have left it is said, and found', async ({ page }) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/clients`);
  await write(page, 'POST', `/admin/projects/${project}/client`, { name: 'Lab feed' });
  const person = {
    resourceType: 'Practitioner',
    firstName: 'Ben',
    lastName: 'Next',
    email: `ben-${Date.now()}@example.com`,
  };
  await write(page, 'POST', `/admin/projects/${project}/invite`, { ...person, sendEmail: false });
  const found = await page.request.get('/fhir/R4/ProjectMembership?name:contains=Next');
  const { id } = (await found.json()).entry[0].resource;
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Lab feed' });
  await row.getByRole('button', { name: 'Actions for Lab feed' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Lab feed' });
  await edit.getByRole('button', { name: 'Name somebody else' }).click();
  await edit.getByLabel('Responsible').fill('Ben');
  await edit.getByRole('button', { name: 'Ben Next' }).click();
  await edit.getByRole('button', { name: 'Save client' }).click();
  await expect(row).toContainText('Ben Next');
  await confirmed(page);
  await page.evaluate(
    (path) => fetch(path, { method: 'DELETE' }).then((it) => it.status),
    `/admin/projects/${project}/members/${id}`,
  );
  await page.reload();
  await expect(row).toContainText('Has left');
  await inEveryLook(page);
  await page.getByRole('combobox', { name: 'Responsible' }).selectOption('Nobody, or who has left');
  await expect(page).toHaveURL(/owner=open/);
  await expect(row).toBeVisible();
  // The client that came with the project is nobody's.
  const others = page.getByRole('row').filter({ hasText: 'Default Client' });
  await expect(others).toBeVisible();
  await page.getByRole('combobox', { name: 'Responsible' }).selectOption('Ben Next');
  await expect(others).toHaveCount(0);
  await expect(row).toBeVisible();
});

test('apps register themselves with a token that is shown once, and stand among the clients as such', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  await page.goto(`/p/${project}/settings`);
  const card = page.getByRole('region', { name: 'Apps that register themselves' });
  await card.getByRole('switch', { name: 'Apps may register themselves' }).click();
  await expect(card.getByText('There is no token: no app can register.')).toBeVisible();
  await confirmed(page);
  await card.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'A new registration token' });
  await form.getByRole('button', { name: 'Make the token' }).click();
  await expect(form.getByText('Name the token')).toBeVisible();
  await form.getByLabel('Name').fill('Partner portal');
  await inEveryLook(page);
  await form.getByRole('button', { name: 'Make the token' }).click();
  const told = page.getByRole('dialog', { name: 'The token Partner portal' });
  const token = await told.getByRole('definition').first().textContent();
  await inEveryLook(page);
  await told.getByRole('button', { name: 'I have kept it' }).click();
  const headers = { authorization: `Bearer ${token}` };
  const data = { client_name: 'Growth charts', redirect_uris: ['https://app.example.com/callback'] };
  expect((await request.post('/oauth2/register', { headers, data })).status()).toBe(201);
  await page.reload();
  await expect(card.getByRole('list', { name: 'Registration tokens' })).toContainText('1 of 1 app');
  await inEveryLook(page);
  await card.getByRole('button', { name: 'Take back Partner portal' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back the token' }).click();
  await expect(page.getByText('The token Partner portal works no longer')).toBeVisible();
  await page.goto(`/p/${project}/clients`);
  const row = page.getByRole('row').filter({ hasText: 'Growth charts' });
  await expect(row).toContainText('Registered itself');
  await expect(row).toContainText('None of its own');
});
