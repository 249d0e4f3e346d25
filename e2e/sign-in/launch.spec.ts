import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook, tabTo } from '../looks.ts';
import { signUp, write } from '../sign-up.ts';

/** An app about one patient, on this machine. */
let app: Server;
let callback: string;

test.beforeAll(async () => {
  app = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>back</p>'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
});
test.afterAll(() => void app.close());

const SCOPE = 'openid launch/patient patient/*.rs';

async function register(page: Page, project: string): Promise<string> {
  await page.goto('/account');
  const client = { name: 'Growth charts', redirectUris: [callback] };
  await write(page, 'POST', `/admin/projects/${project}/client`, client);
  const listed = await page.request.get('/fhir/R4/ClientApplication?name=Growth');
  return (await listed.json()).entry[0].resource.id;
}

function toRequest(clientId: string, change: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: SCOPE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  });
  return { address: `/oauth2/authorize?${query}`, verifier };
}

/** What the app has in the end. */
async function redeem(page: Page, request: APIRequestContext, clientId: string, verifier: string) {
  await page.waitForURL(`${callback}?**`);
  const code = new URL(page.url()).searchParams.get('code')!;
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: callback,
    code_verifier: verifier,
  };
  const tokens = await request.post('/oauth2/token', { form });
  expect(tokens.status(), await tokens.text()).toBe(200);
  return tokens.json();
}

async function addPatient(page: Page, given: string, more: object = {}): Promise<string> {
  const body = { resourceType: 'Patient', name: [{ given: [given], family: 'Reed' }], ...more };
  await write(page, 'POST', '/fhir/R4/Patient', body);
  const found = await page.request.get(`/fhir/R4/Patient?given=${given}`);
  return (await found.json()).entry[0].resource.id;
}

test('an app about one patient: the person finds whom, by keyboard, and the app has that one', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  const clientId = await register(page, project);
  const empty = toRequest(clientId);
  await page.goto(empty.address);
  await expect(page.getByText('Know which patient you choose')).toBeVisible();
  await page.getByRole('button', { name: 'Yes, choose the patient' }).click();
  await expect(page.getByText('There is no patient whom you may read.')).toBeVisible();
  await inEveryLook(page);

  await page.goto('/account');
  await addPatient(page, 'Anna', { birthDate: '1980-02-29', identifier: [{ value: 'MRN-7' }] });
  const bea = await addPatient(page, 'Beatrice', { birthDate: '1999-12-31', gender: 'female' });
  const { address, verifier } = toRequest(clientId);
  await page.goto(address);
  await page.getByRole('button', { name: 'Yes, choose the patient' }).click();
  await expect(page.getByRole('heading', { name: 'Which patient?' })).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('2 patients')).toBeVisible();
  await inEveryLook(page);

  await page.keyboard.type('reed nobody');
  await expect(page.getByText('Nobody fits whom you may read.')).toBeVisible();
  await page.getByLabel('Name').fill('');
  await page.getByLabel('Number').fill('MRN-7');
  await expect(page.getByText('One patient', { exact: true })).toBeVisible();
  await expect(page.getByText('Born 1980-02-29')).toBeVisible();
  await page.getByLabel('Number').fill('');
  await page.getByLabel('Date of birth').fill('1999-12-31');
  await expect(page.getByText('One patient', { exact: true })).toBeVisible();
  await page.getByLabel('Name').focus();
  await tabTo(page, page.getByRole('radio', { name: /Beatrice Reed/ }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Go on with Beatrice Reed' }));
  await page.keyboard.press('Enter');
  expect(await redeem(page, request, clientId, verifier)).toMatchObject({ patient: bea, need_patient_banner: true });
});

test('the second time the patient alone is asked, on a phone; what fails says so, and no goes back', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { project } = await signUp(page);
  const clientId = await register(page, project);
  const anna = await addPatient(page, 'Anna');
  for (const isFirst of [true, false]) {
    const { address, verifier } = toRequest(clientId);
    await page.goto(address);
    if (isFirst) await page.getByRole('button', { name: 'Yes, choose the patient' }).click();
    await page.getByText('Anna Reed').click();
    await page.getByRole('button', { name: 'Go on with Anna Reed' }).click();
    expect((await redeem(page, request, clientId, verifier)).patient).toBe(anna);
  }
  const refused = page.route('**/auth/authorization/patients', (route) => route.fulfill({ status: 503, body: '' }));
  await refused;
  await page.goto(toRequest(clientId).address);
  await expect(page.getByText('Could not load the patients')).toBeVisible();
  await page.unroute('**/auth/authorization/patients');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Anna Reed')).toBeVisible();
  await page.getByRole('button', { name: 'No, go back' }).click();
  await page.waitForURL(`${callback}?**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
});

test('an app that was opened about a patient says about whom', async ({ page, request }) => {
  const { project } = await signUp(page);
  await page.goto('/account');
  const client = { name: 'Growth charts', redirectUris: [callback], launchUri: `${callback}/launch` };
  await write(page, 'POST', `/admin/projects/${project}/client`, client);
  const listed = await page.request.get('/fhir/R4/ClientApplication?name=Growth');
  const clientId = (await listed.json()).entry[0].resource.id;
  const anna = await addPatient(page, 'Anna');
  const opened = await page.request.post('/auth/launch', {
    data: { clientId, patient: anna },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(opened.status(), await opened.text()).toBe(201);
  const { address, verifier } = toRequest(clientId, {
    scope: 'openid launch patient/*.rs',
    launch: (await opened.json()).launch,
  });
  await page.goto(address);
  await expect(page.getByText('It was opened about Anna Reed.')).toBeVisible();
  await page.getByRole('button', { name: 'Let it in' }).click();
  expect((await redeem(page, request, clientId, verifier)).patient).toBe(anna);
});
