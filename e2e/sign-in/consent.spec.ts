import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { PASSWORD, signUp, write } from '../sign-up.ts';

/** An app on this machine, which shows what came back to it. */
let app: Server;
let callback: string;

test.beforeAll(async () => {
  app = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p id="back">${request.url?.split('?')[0]}</p>`);
  });
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
});
test.afterAll(() => void app.close());

type Started = { clientId: string; address: string; verifier: string };

/** Registers the app in the project; where it sends people. */
async function register(page: Page, project: string): Promise<Started> {
  await page.goto('/account');
  await write(page, 'POST', `/admin/projects/${project}/client`, {
    name: 'Growth charts',
    description: 'Height and weight over time',
    redirectUris: [callback],
  });
  const listed = await page.request.get(`/fhir/R4/ClientApplication?name=Growth`);
  const clientId: string = (await listed.json()).entry[0].resource.id;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'openid profile email offline_access',
    state: 'kept',
    nonce: 'once',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { clientId, address: `/oauth2/authorize?${query}`, verifier };
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`an app sends a person here, who signs in, agrees and is back with a code, at ${viewport.width} px`, async ({
    page,
    request,
    baseURL,
  }) => {
    await page.setViewportSize(viewport);
    const { project, email } = await signUp(page);
    const { clientId, address, verifier } = await register(page, project);
    await page.context().clearCookies();

    await page.goto(address);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expect(page.getByRole('heading', { name: 'Let Growth charts in?' })).toBeVisible();
    await expect(page.getByText(new URL(callback).origin)).toBeVisible();
    await expect(page.getByText('Read your e-mail address')).toBeVisible();
    if (viewport.width === 1280) await inEveryLook(page);
    await page.getByRole('button', { name: 'Let it in' }).click();
    await page.waitForURL(`${callback}?**`);
    const answer = new URL(page.url()).searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual(['kept', baseURL]);

    const form = {
      grant_type: 'authorization_code',
      code: answer.get('code')!,
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
    };
    const tokens = await request.post('/oauth2/token', { form });
    expect(tokens.status(), await tokens.text()).toBe(200);
    expect((await tokens.json()).scope).toBe('openid profile email offline_access');

    // The second time nobody is asked.
    await page.goto(address);
    await page.waitForURL(`${callback}?**`);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);

    // Until the app is taken out.
    await page.goto('/account');
    await page.getByRole('button', { name: 'Take Growth charts out' }).click();
    await expect(page.getByText('Growth charts is out')).toBeVisible();
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Let Growth charts in?' })).toBeVisible();
  });
}

test('a person may say no, and who is no member there is told so', async ({ page, browser, baseURL }) => {
  const { project } = await signUp(page);
  const { address } = await register(page, project);
  await page.goto(address);
  await page.getByRole('button', { name: 'No, go back' }).click();
  await page.waitForURL(`${callback}?**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');

  const stranger = await (await browser.newContext({ baseURL })).newPage();
  await signUp(stranger, 'Elsewhere');
  await stranger.goto(address);
  await expect(stranger.getByRole('heading', { name: 'This account is not known there' })).toBeVisible();
  await inEveryLook(stranger);
});

test('no other site shows the question in a frame of its own', async ({ page }) => {
  const { project } = await signUp(page);
  const { address } = await register(page, project);
  const answer = await page.goto(address);
  const headers = answer!.headers();
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  await expect(page.getByRole('button', { name: 'Let it in' })).toBeVisible();
});

test('a link alone signs nobody out', async ({ page }) => {
  await signUp(page);
  await page.goto('/oauth2/logout?state=x');
  await expect(page.getByRole('heading', { name: 'Sign out?' })).toBeVisible();
  await inEveryLook(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
});
