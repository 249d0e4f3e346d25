import { createHash, randomBytes } from 'node:crypto';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { PASSWORD, write } from '../sign-up.ts';

let provider: IdentityProvider;

test.beforeAll(async ({ baseURL }) => {
  provider = await startIdentityProvider([`${baseURL}/auth/external`]);
});
test.afterAll(() => provider.stop());

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`the addresses of a domain sign in at its identity provider, and go on where they were, at ${viewport.width} px`, async ({
    page,
    request,
    superadminToken,
  }) => {
    await page.setViewportSize(viewport);
    const domain = `hospital-${randomBytes(4).toString('hex')}.example`;
    const email = `ada@${domain}`;
    const codeChallenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
    const person = { firstName: 'Ada', lastName: 'Reyes', email, password: PASSWORD, projectId: 'new' };
    const proof = { codeChallenge, codeChallengeMethod: 'S256' };
    const made = await request.post('/auth/newuser', { data: { ...person, ...proof } });
    const { login } = await made.json();
    const data = { login, projectName: 'Riverside Clinic' };
    expect((await request.post('/auth/newproject', { data })).status()).toBe(200);
    const configured = await request.post('/fhir/R4/DomainConfiguration', {
      headers: { authorization: `Bearer ${superadminToken}` },
      data: { resourceType: 'DomainConfiguration', domain, identityProvider: provider.settings },
    });
    expect(configured.status(), await configured.text()).toBe(201);

    provider.person = { sub: 'ada', email, email_verified: true };
    await page.goto('/account');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/account');
    await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();

    // Who the provider does not vouch for stays outside, with a reason.
    await page.context().clearCookies();
    await page.goto('/signin?login=00000000-0000-4000-8000-00000000abcd&code=x');
    await expect(page.getByText('Your identity provider could not sign you in here.')).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    await inEveryLook(page);
  });
}

test('where a second step is a must, who comes from a provider that tells of none sets one up, and shows it from then on', async ({
  page,
  request,
  superadminToken,
}) => {
  const domain = `hospital-${randomBytes(4).toString('hex')}.example`;
  const email = `ada@${domain}`;
  const codeChallenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  const person = { firstName: 'Ada', lastName: 'Reyes', email, password: PASSWORD, projectId: 'new' };
  const proof = { codeChallenge, codeChallengeMethod: 'S256' };
  const { login } = await (await request.post('/auth/newuser', { data: { ...person, ...proof } })).json();
  const data = { login, projectName: 'Riverside Clinic' };
  expect((await request.post('/auth/newproject', { data })).status()).toBe(200);
  const configured = await request.post('/fhir/R4/DomainConfiguration', {
    headers: { authorization: `Bearer ${superadminToken}` },
    data: { resourceType: 'DomainConfiguration', domain, identityProvider: provider.settings },
  });
  expect(configured.status(), await configured.text()).toBe(201);
  provider.person = { sub: 'ada', email, email_verified: true };
  const come = async () => {
    await page.context().clearCookies();
    await page.goto('/account');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await come();
  await page.waitForURL('**/account');
  const { projectId } = await (await page.request.get('/api/auth/session')).json();
  const rule = [{ name: 'mfaRequired', valueString: 'everyone' }];
  await write(page, 'POST', `/admin/projects/${projectId}/settings`, rule);

  await come();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const shown = page.locator('code').filter({ hasText: /^[A-Z2-7 ]{39}$/ });
  const phone = scan(`otpauth://totp/x?secret=${((await shown.textContent()) ?? '').replaceAll(' ', '')}`);
  await inEveryLook(page);
  await page.getByLabel('Six-digit code').fill(phone.next());
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();

  await come();
  await page.getByLabel('Six-digit code').fill(phone.next());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();

  provider.strength = { amr: ['pwd', 'mfa'] };
  await come();
  await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();
  provider.strength = undefined;
});
