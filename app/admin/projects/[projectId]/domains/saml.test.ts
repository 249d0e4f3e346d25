import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newSecret } from '#lib/base/ids.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { aDomain, claim, enterBySaml, verified, withProvider, withSaml } from '#lib/testing/mail-domains.ts';
import { CTX, toBasic } from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { type SamlProvider, startSamlProvider } from '#lib/testing/servers/saml-provider.ts';
import { makeSigningKey } from '#lib/testing/servers/saml-signing.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
const [ROOT, ROOT_SECRET] = [newId(), newSecret()];
let restore: () => void;
let dns: DnsServer;
let provider: SamlProvider;
let openId: IdentityProvider;
let world: World;

beforeAll(async () => {
  dns = await startDnsServer();
  restore = changeSettings({
    DNS_SERVERS: [dns.address],
    FETCH_PRIVATE_ADDRESSES: true,
    SUPERADMIN_CLIENT_ID: ROOT,
    SUPERADMIN_CLIENT_SECRET: ROOT_SECRET,
  });
  await ensureSuperAdmin(CTX);
  provider = await startSamlProvider();
  openId = await startIdentityProvider([`${HERE}/auth/external`]);
  world = await createWorld();
});
afterAll(async () => {
  restore();
  await Promise.all([provider.stop(), openId.stop(), dns.stop()]);
});

const set = (domain: string, body: object) => world.call('PATCH', `/domains/${domain}`, { body });
const parts = () => ({
  entityId: provider.entityId,
  ssoUrl: provider.ssoUrl,
  certificates: provider.keys.map(({ certificate }) => certificate),
});

describe('a SAML provider', () => {
  test('is set by its metadata, shown with its certificates and until when they are good, and taken out', async () => {
    const { domain } = await withSaml(world, dns, provider, { emailAttribute: 'mail' });
    const { body: row } = await world.call('GET', `/domains/${domain}`);
    const { certificates, ...rest } = parts();
    expect(row).toMatchObject({ identityProvider: null, samlProvider: { ...rest, emailAttribute: 'mail' } });
    expect(row.samlProvider.certificates).toEqual([
      {
        value: certificates[0],
        fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
        startsAt: expect.any(String),
        endsAt: expect.any(String),
      },
    ]);
    const ends = Date.parse(row.samlProvider.certificates[0].endsAt) - Date.now();
    expect(Math.round(ends / 86_400_000)).toBe(365);
    expect((await set(domain, { samlProvider: null })).body).toMatchObject({ samlProvider: null });
    expect((await callAuth('POST', '/auth/method', { body: { email: `a@${domain}` } })).body).toEqual({});
    expect(await auditOf(world.projectId, `Project/${world.projectId}`)).toContain('domain.update');
  });

  test('is set in parts: certificates as PEM or base64, each kept once', async () => {
    const { domain } = await verified(world, dns);
    const [one] = parts().certificates;
    const pem = `-----BEGIN CERTIFICATE-----\n${one!.match(/.{1,64}/g)!.join('\r\n')}\n-----END CERTIFICATE-----\n`;
    const { body } = await set(domain, { samlProvider: { ...parts(), certificates: [pem, one] } });
    expect(body.samlProvider.certificates.map(({ value }: { value: string }) => value)).toEqual([one]);
  });

  test('is set as docs/domains.md has it', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/domains.md'), 'utf8');
    const { samlProvider } = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!);
    expect(samlProvider.certificates).toEqual(['MIIC…']);
    const { certificates } = parts();
    const { domain } = await verified(world, dns);
    const { body } = await set(domain, { samlProvider: { ...samlProvider, certificates } });
    expect(body.samlProvider).toMatchObject({ ...samlProvider, certificates: [{ value: certificates[0] }] });
  });

  test('takes the place of an OpenID provider, whose secret is gone, and gives it back', async () => {
    const { domain } = await withProvider(world, dns, openId);
    const samlProvider = parts();
    const both = { samlProvider, identityProvider: openId.settings };
    expectOutcome(await set(domain, both), 400, 'samlProvider');
    // One kind is not taken out by saying that there is none of the other.
    expect((await set(domain, { samlProvider: null })).body.identityProvider).toMatchObject({ issuer: openId.issuer });
    expect((await set(domain, { samlProvider })).body).toMatchObject({ identityProvider: null });
    await world.invite({ email: `p@${domain}` });
    expect((await enterBySaml(provider, domain)).answer.status).toBe(303);
    const back = await set(domain, { identityProvider: openId.settings });
    expect(back.body).toMatchObject({ samlProvider: null, identityProvider: { issuer: openId.issuer } });
  });

  test('may be the only way in, and then stays', async () => {
    const { domain } = await withSaml(world, dns, provider);
    expect((await set(domain, { enforced: true })).body.enforced).toBe(true);
    expectOutcome(await set(domain, { samlProvider: null }), 409, 'enforced');
    expect((await set(domain, { samlProvider: null, enforced: false })).status).toBe(200);
  });

  test('is not set for what is not verified, nor by who is no administrator', async () => {
    const { domain } = await claim(world);
    expectOutcome(await set(domain, { samlProvider: parts() }), 409, 'domain');
    const other = await createWorld();
    const body = { samlProvider: parts() };
    const answer = await world.call('PATCH', `/domains/${domain}`, { body, bearer: other.owner.bearer });
    expectOutcome(answer, 403);
  });

  test('what is none is told, by the field', async () => {
    const { domain } = await verified(world, dns);
    const [short, elliptic] = [await makeSigningKey({ bits: 1024 }), await makeSigningKey({ elliptic: true })];
    const metadata = provider.metadata();
    const wrong: [object | string, ...string[]][] = [
      [{}, 'samlProvider.entityId', 'samlProvider.ssoUrl', 'samlProvider.certificates'],
      [{ ...parts(), entityId: '' }, 'samlProvider.entityId'],
      [{ ...parts(), entityId: 'a\nb' }, 'samlProvider.entityId'],
      [{ ...parts(), ssoUrl: 'javascript:alert(1)' }, 'samlProvider.ssoUrl'],
      [{ ...parts(), ssoUrl: undefined }, 'samlProvider.ssoUrl'],
      [{ ...parts(), certificates: [] }, 'samlProvider.certificates'],
      [{ ...parts(), certificates: ['MIIB'] }, 'samlProvider.certificates[0]'],
      [{ ...parts(), certificates: [...parts().certificates, '§'] }, 'samlProvider.certificates[1]'],
      [{ ...parts(), certificates: [short.certificate] }, 'samlProvider.certificates[0]'],
      [{ ...parts(), certificates: [elliptic.certificate] }, 'samlProvider.certificates[0]'],
      [{ ...parts(), certificates: Array(11).fill(parts().certificates[0]) }, 'samlProvider.certificates'],
      [{ ...parts(), emailAttribute: '' }, 'samlProvider.emailAttribute'],
      [{ ...parts(), metadata }, 'samlProvider.entityId', 'samlProvider.ssoUrl', 'samlProvider.certificates'],
      [{ metadata: '' }, 'samlProvider.metadata'],
      [{ metadata: 'no XML' }, 'samlProvider.metadata'],
      [{ metadata: '<a/>' }, 'samlProvider.metadata'],
      [{ metadata: `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${metadata}` }, 'samlProvider.metadata'],
      [{ metadata: metadata.replace('<md:KeyDescriptor', '<!DOCTYPE a><md:KeyDescriptor') }, 'samlProvider.metadata'],
      [{ metadata: metadata.replace(/entityID="[^"]*"/, '') }, 'samlProvider.metadata'],
      [{ metadata: metadata.replaceAll('IDPSSODescriptor', 'SPSSODescriptor') }, 'samlProvider.metadata'],
      [{ metadata: metadata.replace('HTTP-Redirect', 'SOAP') }, 'samlProvider.metadata'],
      [{ metadata: metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/s, '') }, 'samlProvider.metadata'],
      [{ metadata: metadata.replaceAll(provider.ssoUrl, 'file:///x') }, 'samlProvider.ssoUrl'],
      [{ metadata: metadata + ' '.repeat(256 * 1024) }, 'samlProvider.metadata'],
      [{ metadata: '<a>'.repeat(60_000) }, 'samlProvider.metadata'],
      [{ ...parts(), extra: true }, 'samlProvider.extra'],
      ['x', 'samlProvider'],
    ];
    for (const [samlProvider, ...fields] of wrong) expectOutcome(await set(domain, { samlProvider }), 400, ...fields);
  });
});

describe('what a SAML provider is told of us', () => {
  test('stands where the domains are, and as XML at an open address, whoever asks', async () => {
    const { body } = await world.call('GET', '/domains');
    const acsUrl = `${HERE}/auth/external/saml/${world.projectId}`;
    expect(body.samlService).toEqual({ entityId: `${acsUrl}/metadata`, acsUrl });
    const { status, headers, text } = await callAuth('GET', `${acsUrl}/metadata`.slice(HERE.length));
    expect([status, headers.get('content-type')]).toEqual([200, 'application/samlmetadata+xml']);
    expect(text).toContain(`entityID="${acsUrl}/metadata"`);
    expect(text).toContain(`Location="${acsUrl}"`);
    expect(text).toContain('WantAssertionsSigned="true"');
    expect((await callAuth('GET', `/auth/external/saml/${newId()}/metadata`)).status).toBe(200);
    expectOutcome(await callAuth('GET', '/auth/external/saml/x"y/metadata'), 404);
  });
});

describe('who joins by a SAML provider', () => {
  test('becomes what is said at their first sign-in, with the names that it gives, and is the same at the next', async () => {
    const names = { givenNameAttribute: 'given', familyNameAttribute: 'family' };
    const { domain } = await withSaml(world, dns, provider, names);
    const policy = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', {
      body: { resourceType: 'AccessPolicy', name: 'Patients', resource: [{ resourceType: 'Patient' }] },
    });
    const mine = `dee.${newId().slice(-8)}@${domain}`;
    const person = { nameId: mine, attributes: { given: ['Dee'], family: ['Reyes & Söhne'] } };
    expect((await enterBySaml(provider, domain, { person })).answer.text).toMatch(/Nobody here is known/);
    const accessPolicy = { reference: `AccessPolicy/${policy.body.id}` };
    expect((await set(domain, { joins: { profileType: 'Practitioner', accessPolicy } })).status).toBe(200);
    const entered = await Promise.all(Array.from({ length: 4 }, () => enterBySaml(provider, domain, { person })));
    const profiles = new Set(entered.map(({ tokens }) => tokens.profile.reference));
    expect(profiles.size).toBe(1);
    const { body: record } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${[...profiles][0]}`);
    expect(record).toMatchObject({
      identifier: [{ system: provider.entityId, value: mine }],
      name: [{ given: ['Dee'], family: 'Reyes & Söhne' }],
      telecom: [{ system: 'email', value: mine }],
    });
  });
});

describe('a domain of the super-admin', () => {
  const asRoot = (method: string, path: string, body?: unknown) =>
    callApi(toBasic(ROOT, ROOT_SECRET), method, `/fhir/R4/${path}`, { body });

  test('has a SAML provider as well, for members of every project', async () => {
    const domain = aDomain();
    const given = { resourceType: 'DomainConfiguration', domain, samlProvider: parts() };
    const wrong = { ...parts(), certificates: ['x'] };
    expectOutcome(
      await asRoot('POST', 'DomainConfiguration', { ...given, samlProvider: wrong }),
      400,
      'DomainConfiguration.samlProvider.certificates[0]',
    );
    const both = { ...given, identityProvider: openId.settings };
    expectOutcome(await asRoot('POST', 'DomainConfiguration', both), 400, 'DomainConfiguration.samlProvider');
    const made = await asRoot('POST', 'DomainConfiguration', given);
    expect(made.status, made.text).toBe(201);
    await world.invite({ email: `p@${domain}`, scope: 'server' });
    const { tokens } = await enterBySaml(provider, domain);
    expect(tokens.project.reference).toBe(`Project/${world.projectId}`);
    expect((await asRoot('DELETE', `DomainConfiguration/${made.body.id}`)).status).toBe(200);
  });
});
