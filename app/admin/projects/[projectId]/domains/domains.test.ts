import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newSecret } from '#lib/base/ids.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import * as made from '#lib/testing/mail-domains.ts';
import { aDomain } from '#lib/testing/mail-domains.ts';
import { CTX, makeClient, toBasic } from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
const [ROOT, ROOT_SECRET] = [newId(), newSecret()];
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

describe('a domain is a project’s own', () => {
  test('when DNS says what it was told to say, and not before', async () => {
    const { domain, record } = await claim();
    expect(record).toEqual({
      name: `_gatehouse-challenge.${domain}`,
      value: expect.stringMatching(/^gatehouse-domain=[\w-]{43}$/),
    });
    const verify = () => world.call('POST', `/domains/${domain}/verify`);
    expectOutcome(await verify(), 400, 'domain');
    dns.texts.set(record.name, [`${record.value}x`, 'gatehouse-domain=', 'x'.repeat(300)]);
    expectOutcome(await verify(), 400, 'domain');
    dns.failing = true;
    expect((await verify()).text).toMatch(/DNS did not answer/);
    dns.failing = false;
    dns.texts.set(record.name, ['something else', record.value]);
    const answer = await verify();
    expect(answer.body).toEqual({
      domain,
      record,
      createdAt: expect.any(String),
      verifiedAt: expect.any(String),
      checkedAt: expect.any(String),
      missingSince: null,
      identityProvider: null,
      samlProvider: null,
      enforced: false,
      joins: null,
    });
    const { body } = await world.call('GET', '/domains');
    expect(body).toEqual({
      callbackUrl: `${HERE}/auth/external`,
      samlService: { entityId: expect.any(String), acsUrl: expect.any(String) },
      rows: expect.arrayContaining([answer.body]),
    });
    const actions = await auditOf(world.projectId, `Project/${world.projectId}`);
    expect(actions).toEqual(expect.arrayContaining(['domain.claim', 'domain.verify']));
  });

  test('capital letters and spaces are the same domain, once in a project', async () => {
    const domain = aDomain();
    const answered = await world.call('POST', '/domains', { body: { domain: ` ${domain.toUpperCase()} ` } });
    expect([answered.status, answered.body.domain]).toEqual([201, domain]);
    expectOutcome(await world.call('POST', '/domains', { body: { domain } }), 409, 'domain');
    expect((await world.call('GET', `/domains/${domain.toUpperCase()}`)).status).toBe(200);
  });

  test('what is no domain, and where anybody may have a mailbox', async () => {
    const wrong = [
      'localhost',
      'a',
      '10.0.0.1',
      'a..b.test',
      `${'x'.repeat(250)}.test`,
      'bü.test',
      'a\u0000.test',
      'gmail.com',
    ];
    for (const domain of [...wrong, 'Outlook.COM', '', 7, null, '_x.test', 'x.test.'])
      expectOutcome(await world.call('POST', '/domains', { body: { domain } }), 400, 'domain');
    expectOutcome(await world.call('POST', '/domains', { body: { domain: aDomain(), more: 1 } }), 400);
  });

  test('of two projects that show it the first has it, and the other is not told who that is', async () => {
    const { domain } = await verified();
    const { record } = await claim(domain, other);
    dns.texts.get(record.name)!.push(record.value);
    const refused = await other.call('POST', `/domains/${domain}/verify`);
    expectOutcome(refused, 409, 'domain');
    expect(refused.text).not.toContain(world.projectId);
    expectOutcome(
      await other.call('PATCH', `/domains/${domain}`, { body: { identityProvider: provider.settings } }),
      409,
    );
    expect((await world.call('DELETE', `/domains/${domain}`)).status).toBe(200);
    expect((await other.call('POST', `/domains/${domain}/verify`)).status).toBe(200);
  });

  test('fifty at once, of two projects: one has it', async () => {
    const domain = aDomain();
    const records = [(await claim(domain)).record, (await claim(domain, other)).record];
    dns.texts.set(
      records[0]!.name,
      records.map(({ value }) => value),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? world : other).call('POST', `/domains/${domain}/verify`)),
    );
    const winners = new Set(answers.flatMap(({ status }, n) => (status === 200 ? [n % 2] : [])));
    expect(winners.size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  test('the super-admin’s domain is not to be had, and theirs not the super-admin’s to change by FHIR', async () => {
    const root = (method: string, path: string, body?: unknown) =>
      callApi(toBasic(ROOT, ROOT_SECRET), method, `/fhir/R4/DomainConfiguration${path}`, { body });
    const domain = aDomain();
    const resource = { resourceType: 'DomainConfiguration', domain };
    expect((await root('POST', '', resource)).status).toBe(201);
    const { record } = await claim(domain);
    dns.texts.set(record.name, [record.value]);
    expectOutcome(await world.call('POST', `/domains/${domain}/verify`), 409, 'domain');
    const own = await verified();
    const { body } = await root('GET', `?domain=${own.domain}`);
    const [found] = body.entry.map(({ resource: one }: { resource: object }) => one);
    expect(found).toMatchObject({ domain: own.domain, project: { reference: `Project/${world.projectId}` } });
    expectOutcome(await root('PUT', `/${found.id}`, { ...found, project: undefined }), 409);
    expectOutcome(await root('DELETE', `/${found.id}`), 409);
    const stolen = { ...resource, domain: aDomain(), project: { reference: `Project/${other.projectId}` } };
    expectOutcome(await root('POST', '', stolen), 409);
  });
});

describe('who may', () => {
  test('administrators of the project, and nobody else', async () => {
    const { domain } = await claim();
    const plain = (await makeClient(world.projectId)).basic;
    const paths = [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${domain}`],
      ['PATCH', `/${domain}`],
      ['DELETE', `/${domain}`],
      ['POST', `/${domain}/verify`],
    ] as const;
    for (const [method, path] of paths) {
      const body = method === 'GET' ? undefined : {};
      expectOutcome(await world.call(method, `/domains${path}`, { body, bearer: plain }), 403);
      expectOutcome(await world.call(method, `/domains${path}`, { body, bearer: other.owner.bearer }), 403);
      if (path) expectOutcome(await other.call(method, `/domains${path}`, { body }), 404);
    }
    for (const name of ['x', '%00', 'a%00.test', "' or 1=1 --", 'x'.repeat(4000), '__proto__'])
      expectOutcome(await world.call('GET', `/domains/${name}`), 404);
  });

  test('with a fresh proof, where it is hard to take back', async () => {
    const { domain } = await verified();
    const admin = await world.invite({ admin: true });
    const bearer = await signIn(world.projectId, admin.id, admin.user.reference);
    const change = () =>
      world.call('PATCH', `/domains/${domain}`, { body: { identityProvider: provider.settings }, bearer });
    expect((await change()).status).toBe(200);
    await db().execute(sql`update login set auth_time = now() - interval '1 hour'
      where project_id = ${world.projectId} and user_ref = ${admin.user.reference}`);
    for (const answer of [await change(), await world.call('DELETE', `/domains/${domain}`, { bearer })])
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Show again who you are')]);
  });

  test('a limited administrator names no provider: by it they could be another one', async () => {
    const { domain } = await verified();
    const policy = { resourceType: 'AccessPolicy', name: 'Patients', resource: [{ resourceType: 'Patient' }] };
    const answered = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
    const access = [{ policy: { reference: `AccessPolicy/${answered.body.id}` } }];
    const limited = await world.invite({ admin: true, access });
    const bearer = await signIn(world.projectId, limited.id, limited.user.reference);
    const body = { identityProvider: provider.settings };
    expectOutcome(await world.call('PATCH', `/domains/${domain}`, { body, bearer }), 403);
    const client = await makeClient(world.projectId);
    const own = [{ op: 'add', path: '/identityProvider', value: provider.settings }];
    const patch = (by: string) =>
      callApi(by, 'PATCH', `/fhir/R4/ClientApplication/${client.id}`, {
        body: own,
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const refused = await patch(bearer);
    expectOutcome(refused, 403);
    expect(refused.text).toContain('A policy limits you');
    expect((await patch(world.owner.bearer)).status).toBe(200);
    expect((await world.call('PATCH', `/domains/${domain}`, { body })).status).toBe(200);
  });
});
