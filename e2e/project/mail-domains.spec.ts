import { randomBytes } from 'node:crypto';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { type SamlProvider, startSamlProvider } from '#lib/testing/servers/saml-provider.ts';
import { makeSigningKey } from '#lib/testing/servers/saml-signing.ts';
import { expect, test } from '../fixtures.ts';
import { inEveryLook } from '../looks.ts';
import { signUp } from '../sign-up.ts';

/** In one worker: the server asks one DNS server. */
test.describe.configure({ mode: 'default' });

let provider: IdentityProvider;
let saml: SamlProvider;
let dns: DnsServer;

test.beforeAll(async ({ baseURL }) => {
  provider = await startIdentityProvider([`${baseURL}/auth/external`]);
  saml = await startSamlProvider();
  dns = await startDnsServer(Number(process.env.E2E_PORT));
});
test.afterAll(async () => {
  await Promise.all([provider.stop(), saml.stop(), dns.stop()]);
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a domain is verified, gets its provider, and lets somebody join, at ${viewport.width} px`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const domain = `clinic-${randomBytes(4).toString('hex')}.example`;
    const { project } = await signUp(page);
    await page.goto(`/p/${project}/settings`);
    await expect(page.getByText('No e-mail domain')).toBeVisible();
    await page.getByRole('button', { name: 'Add a domain' }).click();
    const claim = page.getByRole('dialog', { name: 'Add an e-mail domain' });
    await claim.getByLabel('Domain').fill('gmail.com');
    await claim.getByRole('button', { name: 'Add domain' }).click();
    await expect(claim.getByText('Anybody may have a mailbox')).toBeVisible();
    await claim.getByLabel('Domain').fill(domain);
    await claim.getByRole('button', { name: 'Add domain' }).click();

    const record = page.getByRole('dialog', { name: `The record of ${domain}` });
    const value = (await record.getByText(/^gatehouse-domain=/).textContent()) ?? '';
    await record.getByRole('button', { name: 'Verify domain' }).click();
    await expect(record.getByText('There is no TXT record')).toBeVisible();
    await inEveryLook(page);
    dns.texts.set(`_gatehouse-challenge.${domain}`, [value]);
    await record.getByRole('button', { name: 'Verify domain' }).click();
    const list = page.getByRole('list', { name: 'E-mail domains' });
    await expect(list).toContainText('no identity provider');

    await page.getByRole('button', { name: `Provider: ${domain}` }).click();
    const form = page.getByRole('dialog', { name: `The identity provider of ${domain}` });
    await form.getByRole('button', { name: 'Save provider' }).click();
    await expect(form.getByText('Enter the client ID')).toBeVisible();
    const { issuer, authorizeUrl, tokenUrl, userInfoUrl, clientId, clientSecret } = provider.settings;
    await form.getByLabel('Issuer').fill(String(issuer));
    await form.getByLabel('Authorization endpoint').fill(String(authorizeUrl));
    await form.getByLabel('Token endpoint').fill(String(tokenUrl));
    await form.getByLabel('User info endpoint').fill(String(userInfoUrl));
    await form.getByLabel('Client ID').fill(String(clientId));
    await form.getByLabel('Client secret').fill(String(clientSecret));
    await inEveryLook(page);
    await form.getByRole('button', { name: 'Save provider' }).click();
    await expect(list).toContainText('signs in at 127.0.0.1');
    await inEveryLook(page);

    await page.getByRole('button', { name: `People: ${domain}` }).click();
    const people = page.getByRole('dialog', { name: `People of ${domain}` });
    await people.getByLabel('Whom the provider names and nobody here knows').selectOption({ value: 'Practitioner' });
    await people.getByRole('button', { name: 'Save people' }).click();
    await expect(people.getByText('Choose what they may see')).toBeVisible();
    await inEveryLook(page);
    await people.getByLabel('With the access policy').selectOption({ index: 1 });
    await people.getByRole('switch', { name: 'Only by the identity provider' }).click();
    await people.getByRole('button', { name: 'Save people' }).click();
    await expect(list).toContainText('new people join as Practitioner');
    await expect(list).toContainText('and nowhere else');
    await inEveryLook(page);

    const email = `ann@${domain}`;
    await page.context().clearCookies();
    provider.person = { sub: 'ann', email, email_verified: true, given_name: 'Ann', family_name: 'Reyes' };
    // Without a project named they might be members elsewhere, too: the password is not ruled out.
    await page.goto('/account');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await inEveryLook(page);
    await page.getByRole('button', { name: 'Sign in at your organisation' }).click();
    await page.waitForURL('**/account');
    await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();
  });
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]) {
  test(`a domain gets a SAML provider by its metadata, is told when its certificate ends, and lets somebody join, at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    const domain = `clinic-${randomBytes(4).toString('hex')}.example`;
    const { project } = await signUp(page);
    await page.goto(`/p/${project}/settings`);
    await page.getByRole('button', { name: 'Add a domain' }).click();
    const claim = page.getByRole('dialog', { name: 'Add an e-mail domain' });
    await claim.getByLabel('Domain').fill(domain);
    await claim.getByRole('button', { name: 'Add domain' }).click();
    const record = page.getByRole('dialog', { name: `The record of ${domain}` });
    const value = (await record.getByText(/^gatehouse-domain=/).textContent()) ?? '';
    dns.texts.set(`_gatehouse-challenge.${domain}`, [value]);
    await record.getByRole('button', { name: 'Verify domain' }).click();
    const list = page.getByRole('list', { name: 'E-mail domains' });
    await expect(list).toContainText('no identity provider');

    saml.keys = [await makeSigningKey({ days: 20 })];
    const open = () => page.getByRole('button', { name: `Provider: ${domain}` }).click();
    const form = page.getByRole('dialog', { name: `The identity provider of ${domain}` });
    const save = form.getByRole('button', { name: 'Save provider' });
    await open();
    await form.getByLabel('It speaks').selectOption('SAML 2.0');
    await expect(form.getByText(`/auth/external/saml/${project}/metadata`)).toBeVisible();
    await save.click();
    await expect(form.getByText('Paste the metadata')).toBeVisible();
    const metadata = form.getByLabel('Metadata of the provider (XML)');
    await metadata.fill('<!DOCTYPE a><a/>');
    await save.click();
    await expect(form.getByText('This metadata cannot be used')).toBeVisible();
    await inEveryLook(page);
    await metadata.fill(saml.metadata());
    await form.getByLabel('Attribute with the given name').fill('given');
    await form.getByLabel('Attribute with the family name').fill('family');
    await save.click();
    await expect(list).toContainText('(SAML)');
    await expect(list).toContainText('Its certificate ends');
    await inEveryLook(page);

    await open();
    await expect(form.getByText('Ends soon')).toBeVisible();
    await expect(form.getByLabel('Entity ID', { exact: true })).toHaveValue(saml.entityId);
    const next = await makeSigningKey();
    const certificates = form.getByLabel('Certificates', { exact: true });
    const pem = `-----BEGIN CERTIFICATE-----\n${next.certificate}\n-----END CERTIFICATE-----`;
    const old = await certificates.inputValue();
    await certificates.fill(`${old}\nno certificate`);
    await save.click();
    await expect(form.getByText('This certificate cannot be used')).toBeVisible();
    await certificates.fill(`${old}\n${pem}`);
    await inEveryLook(page);
    await save.click();
    await expect(list).not.toContainText('Its certificate ends');
    saml.keys = [next];

    await page.getByRole('button', { name: `People: ${domain}` }).click();
    const people = page.getByRole('dialog', { name: `People of ${domain}` });
    await people.getByLabel('Whom the provider names and nobody here knows').selectOption({ value: 'Practitioner' });
    await people.getByLabel('With the access policy').selectOption({ index: 1 });
    await people.getByRole('button', { name: 'Save people' }).click();
    await expect(list).toContainText('new people join as Practitioner');

    await page.context().clearCookies();
    saml.person = { nameId: `ann@${domain}`, attributes: { given: ['Ann'], family: ['Reyes'] } };
    await page.goto('/account');
    await page.getByLabel('E-mail').fill(saml.person.nameId);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Sign in at your organisation' }).click();
    let posts = 0;
    page.on('request', (asked) => {
      if (asked.method() === 'POST' && asked.url().includes('/auth/external/saml/')) posts += 1;
    });
    await page.getByRole('link', { name: 'Sign in as who I am' }).click();
    await page.waitForURL('**/account');
    await expect(page.getByText('Practitioner in Riverside Clinic')).toBeVisible();
    // From the provider’s site without the cookie, and from ours with it.
    expect(posts).toBe(2);
  });
}
