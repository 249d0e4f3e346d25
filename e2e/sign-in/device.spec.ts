import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

type Started = { clientId: string; device_code: string; user_code: string; verification_uri_complete: string };

/** A screen on the wall, which has begun to sign in. */
async function begin(page: Page, request: APIRequestContext, project: string): Promise<Started> {
  await page.goto('/account');
  await write(page, 'POST', `/admin/projects/${project}/client`, {
    name: 'Wall screen',
    description: 'Beds of the ward',
  });
  const listed = await page.request.get('/fhir/R4/ClientApplication?name=Wall');
  const clientId: string = (await listed.json()).entry[0].resource.id;
  const form = { client_id: clientId, scope: 'openid email user/Patient.rs' };
  const answer = await request.post('/oauth2/device_authorization', { form });
  expect(answer.status(), await answer.text()).toBe(200);
  return { clientId, ...(await answer.json()) };
}

async function poll(request: APIRequestContext, started: Started) {
  const form = { grant_type: GRANT, client_id: started.clientId, device_code: started.device_code };
  return (await request.post('/oauth2/token', { form })).json();
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a person signs in, sees what the device asks and lets it in, at ${viewport.width} px`, async ({
    page,
    request,
  }) => {
    await page.setViewportSize(viewport);
    const { project, email } = await signUp(page);
    const started = await begin(page, request, project);
    await page.context().clearCookies();

    await page.goto(started.verification_uri_complete);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expect(page.getByRole('heading', { name: 'Let a device in' })).toBeVisible();
    await expect(page.getByLabel('Code')).toHaveValue(started.user_code);
    if (viewport.width === 1280) await inEveryLook(page);
    await page.getByRole('button', { name: 'Continue' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Let Wall screen in on your device?' })).toBeVisible();
    await expect(page.getByText('See records of type Patient that you may reach')).toBeVisible();
    if (viewport.width === 1280) await inEveryLook(page);
    await page.getByRole('button', { name: 'Let it in' }).click();
    await expect(page.getByRole('heading', { name: 'Wall screen is in' })).toBeFocused();
    await inEveryLook(page);
    expect(await poll(request, started)).toMatchObject({ token_type: 'Bearer', scope: 'openid email user/Patient.rs' });
  });
}

test('a wrong code is said at its field, a typed one is found however it is typed, and no is no', async ({
  page,
  request,
}) => {
  const { project } = await signUp(page);
  const started = await begin(page, request, project);
  await page.goto('/device');
  await page.getByLabel('Code').fill('BCDF');
  await page.getByLabel('Code').press('Enter');
  await expect(page.getByText('The code has eight letters')).toBeVisible();
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await page.getByLabel('Code').press('Enter');
  await expect(page.getByText('This code is not right, or no longer valid')).toBeVisible();
  await inEveryLook(page);
  await page.getByLabel('Code').fill(started.user_code.toLowerCase().replace('-', ' '));
  await page.getByLabel('Code').press('Enter');
  await page.getByRole('button', { name: 'No, keep it out' }).click();
  await expect(page.getByRole('heading', { name: 'Wall screen stays out' })).toBeVisible();
  expect((await poll(request, started)).error).toBe('access_denied');
});

test('who is no member there is told so', async ({ page, browser, request, baseURL }) => {
  const { project } = await signUp(page);
  const started = await begin(page, request, project);
  const stranger = await (await browser.newContext({ baseURL })).newPage();
  await signUp(stranger, 'Elsewhere');
  await stranger.goto(started.verification_uri_complete);
  await stranger.getByRole('button', { name: 'Continue' }).click();
  await expect(stranger.getByRole('heading', { name: 'This account is not known there' })).toBeVisible();
  await inEveryLook(stranger);
});
