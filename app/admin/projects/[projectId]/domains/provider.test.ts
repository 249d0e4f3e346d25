import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newSecret, SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { recheckDomains } from '#lib/domain/mail-domains/recheck-domains.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import * as made from '#lib/testing/mail-domains.ts';
import { addProject, CTX, makeClient } from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, START_CTX, type World } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
const [ROOT, ROOT_SECRET] = [newId(), newSecret()];
const DAY = 86_400_000;
let restore: () => void;
let dns: DnsServer;
let provider: IdentityProvider;
let world: World;
let other: World;

beforeAll(async () => {
  dns = await startDnsServer();
  restore = changeSettings({
    DNS_SERVERS: [dns.address],
    FETCH_PRIVATE_ADDRESSES: true,
    SUPERADMIN_CLIENT_ID: ROOT,
    SUPERADMIN_CLIENT_SECRET: ROOT_SECRET,
  });
  await ensureSuperAdmin(CTX);
  provider = await startIdentityProvider([`${HERE}/auth/external`]);
  [world, other] = [await createWorld(), await createWorld()];
});
afterAll(async () => {
  restore();
  await Promise.all([provider.stop(), dns.stop()]);
});

const claim = (domain?: string, of = world) => made.claim(of, domain);
const verified = (domain?: string, of = world) => made.verified(of, dns, domain);
const withProvider = (of = world) => made.withProvider(of, dns, provider);
const enter = (email: string, query = {}) => made.enterBy(provider, email, { query });

/** Kept of a domain's provider. */
async function countSecrets(domain: string): Promise<number> {
  const [row] = await db().execute<{ n: number }>(sql`
    select count(*)::int as n from provider_secret s join resource r on s.owner = 'DomainConfiguration/' || r.id
    where r.project_id = ${SUPER_ADMIN_PROJECT} and s.project_id = ${SUPER_ADMIN_PROJECT} and not r.deleted
      and r.content->>'domain' = ${domain}`);
  return row?.n ?? 0;
}

describe('its provider', () => {
  test('is set for what is verified, shown without its secret, and taken out', async () => {
    const body = { identityProvider: provider.settings };
    const { domain } = await claim();
    expectOutcome(await world.call('PATCH', `/domains/${domain}`, { body }), 409, 'domain');
    const { domain: own } = await withProvider();
    const { text, body: row } = await world.call('GET', `/domains/${own}`);
    const { clientSecret: _, ...shown } = provider.settings;
    expect(row.identityProvider).toEqual(shown);
    expect(text).not.toContain(CLIENT_SECRET);
    expect(await countSecrets(own)).toBe(1);
    const removed = await world.call('PATCH', `/domains/${own}`, { body: { identityProvider: null } });
    expect(removed.body).toMatchObject({ identityProvider: null });
    expect(await countSecrets(own)).toBe(0);
    expect((await callAuth('POST', '/auth/method', { body: { email: `a@${own}` } })).body).toEqual({});
  });

  test('what is none is told', async () => {
    const { domain } = await verified();
    const { settings } = provider;
    const wrong = [
      { ...settings, authorizeUrl: 'javascript:alert(1)' },
      { ...settings, tokenUrl: 'file:///etc/passwd' },
      { ...settings, tokenUrl: undefined },
      { ...settings, useSubject: true },
      { ...settings, clientSecret: '' },
      { ...settings, clientId: 'a\u0000' },
      { ...settings, issuer: undefined, userInfoUrl: undefined },
      'x',
    ];
    for (const identityProvider of wrong)
      expectOutcome(await world.call('PATCH', `/domains/${domain}`, { body: { identityProvider } }), 400);
  });

  test('lets members of the project in, for the project alone: their account above it stays closed', async () => {
    const { domain } = await withProvider();
    const invited = await world.invite({ email: `ann@${domain}`, scope: 'server' });
    const userId = invited.user.reference.split('/')[1]!;
    const elsewhere = await addProject(userId, `ann@${domain}`);
    const asked = await callAuth('POST', '/auth/method', { body: { email: `Ann@${domain}` } });
    expect(asked.body).toEqual({
      domain,
      optional: true,
      authorizeUrl: expect.stringContaining(`projectId=${world.projectId}`),
    });
    const { tokens } = await enter(`ann@${domain}`);
    expect(tokens.project.reference).toBe(`Project/${world.projectId}`);
    const token = tokens.access_token;
    const membership = elsewhere.membershipId;
    const switched = await callAuth('POST', '/auth/switch', { token, body: { membership } });
    expect([switched.status, (await callAuth('GET', '/auth/passkeys', { token })).status]).toEqual([400, 403]);
    const body = { email: `ann@${domain}`, projectId: other.projectId };
    expect((await callAuth('POST', '/auth/method', { body })).body).toEqual({});
    const there = await enter(`ann@${domain}`, { projectId: other.projectId });
    expect([there.answer.status, there.answer.text]).toEqual([400, expect.stringMatching(/another project’s/)]);
    const client = await makeClient(other.projectId);
    expect((await enter(`ann@${domain}`, { clientId: client.id })).answer.status).toBe(400);
  });

  test('lets in nobody who is no member, and takes no password away from anybody', async () => {
    const { domain } = await withProvider();
    await other.invite({ email: `bo@${domain}` });
    expect((await enter(`bo@${domain}`)).answer.text).toMatch(/Nobody here is known/);
    const reset = await callAuth('POST', '/auth/resetpassword', { body: { email: `bo@${domain}` } });
    expect(reset.status).toBe(200);
  });

  test('is gone with the domain, also for who is on the way', async () => {
    const { domain } = await withProvider();
    await world.invite({ email: `cy@${domain}` });
    expect((await enter(`cy@${domain}`)).answer.status).toBe(303);
    expect((await world.call('DELETE', `/domains/${domain}`)).status).toBe(200);
    expect((await enter(`cy@${domain}`)).answer.status).toBe(400);
    expectOutcome(await world.call('GET', `/domains/${domain}`), 404);
    const again = await claim(domain);
    expect(again.record.value).not.toBe(dns.texts.get(again.record.name)?.[1]);
  });
});

describe('DNS is asked again, once a day', () => {
  const at = (days: number) => recheckDomains(START_CTX, undefined, Date.now() + days * DAY);
  const rowOf = async (domain: string) => (await world.call('GET', `/domains/${domain}`)).body;

  test('a record that is gone for a week ends it, one that comes back does not, and silence says nothing', async () => {
    const [kept, gone] = [await withProvider(), await withProvider()];
    const texts = dns.texts.get(kept.record.name)!;
    for (const { record } of [kept, gone]) dns.texts.delete(record.name);
    await at(0.5);
    expect((await rowOf(gone.domain)).missingSince).toBeNull();
    dns.failing = true;
    await at(2);
    dns.failing = false;
    expect((await rowOf(gone.domain)).missingSince).toBeNull();
    await at(3);
    expect((await rowOf(gone.domain)).missingSince).toEqual(expect.any(String));
    dns.texts.set(kept.record.name, texts);
    await at(9);
    expect(await rowOf(gone.domain)).toMatchObject({ verifiedAt: expect.any(String) });
    expect(await rowOf(kept.domain)).toMatchObject({ missingSince: null });
    await at(11);
    expect(await rowOf(gone.domain)).toMatchObject({ verifiedAt: null, missingSince: null, identityProvider: null });
    expect(await rowOf(kept.domain)).toMatchObject({ verifiedAt: expect.any(String) });
    const actions = await auditOf(world.projectId, `Project/${world.projectId}`);
    expect(actions).toEqual(expect.arrayContaining(['domain.check', 'domain.lapse']));
    const { record } = await claim(gone.domain, other);
    dns.texts.set(record.name, [record.value]);
    expect((await other.call('POST', `/domains/${gone.domain}/verify`)).status).toBe(200);
  });
});
