import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { recheckDomains } from '#lib/domain/mail-domains/recheck-domains.ts';
import { auditOf, login as signInStatus } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { enterBy, verified, withProvider } from '#lib/testing/mail-domains.ts';
import { makeOwner, PASSWORD } from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { createWorld, START_CTX, signIn, type World } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
let restore: () => void;
let dns: DnsServer;
let provider: IdentityProvider;
let world: World;
let domain: string;
let policy: string;

beforeAll(async () => {
  dns = await startDnsServer();
  restore = changeSettings({ DNS_SERVERS: [dns.address], FETCH_PRIVATE_ADDRESSES: true });
  provider = await startIdentityProvider([`${HERE}/auth/external`]);
});
afterAll(async () => {
  restore();
  await Promise.all([provider.stop(), dns.stop()]);
});
beforeEach(async () => {
  world = await createWorld();
  const body = { resourceType: 'AccessPolicy', name: 'Patients', resource: [{ resourceType: 'Patient' }] };
  policy = `AccessPolicy/${(await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body })).body.id}`;
  domain = (await withProvider(world, dns, provider)).domain;
});

const change = (body: unknown, more: object = {}) => world.call('PATCH', `/domains/${domain}`, { body, ...more });
const joins = (profileType = 'Practitioner') => ({ profileType, accessPolicy: { reference: policy } });
const open = async (profileType?: string) => expect((await change({ joins: joins(profileType) })).status).toBe(200);

describe('enforced', () => {
  test('the people of the domain enter by the provider alone, others as before, and an exception is made of one member', async () => {
    const password = PASSWORD;
    const [ann, bo, cy] = await Promise.all(
      [`ann@${domain}`, 'bo', `cy@${domain}`].map((name) =>
        world.invite({
          email: name.includes('@') ? name : `${newId().slice(-8)}@else.example`,
          password,
          scope: 'project',
        }),
      ),
    );
    const mailOf = (member: typeof ann) => member!.user.display!;
    const enter = async () =>
      Promise.all([ann, bo, cy].map((one) => signInStatus(mailOf(one), PASSWORD, world.projectId)));
    expect(await enter()).toEqual([200, 200, 200]);
    expect((await change({ enforced: true })).body).toMatchObject({ enforced: true });
    const except = [{ op: 'add', path: '/signInWays', value: ['password'] }];
    expect((await world.call('PATCH', `/members/${cy!.id}`, { body: except })).status).toBe(200);
    expect(await enter()).toEqual([400, 200, 200]);
    expect((await enterBy(provider, `ann@${domain}`)).tokens.project.reference).toBe(`Project/${world.projectId}`);
    const ask = (body: object) => callAuth('POST', '/auth/method', { body: { email: `ann@${domain}`, ...body } });
    expect((await ask({ projectId: world.projectId })).body.optional).toBeUndefined();
    expect((await ask({})).body.optional).toBe(true);
    const reset = { email: `ann@${domain}`, projectId: world.projectId };
    expectOutcome(await callAuth('POST', '/auth/resetpassword', { body: reset }), 400, 'email');
    expect((await change({ enforced: false })).status).toBe(200);
    expect(await enter()).toEqual([200, 200, 200]);
  });

  test('only where there is a provider, which then stays', async () => {
    const bare = await verified(world, dns);
    const set = (body: object) => world.call('PATCH', `/domains/${bare.domain}`, { body });
    expectOutcome(await set({ enforced: true }), 409, 'enforced');
    expect((await set({ enforced: true, identityProvider: provider.settings })).status).toBe(200);
    expectOutcome(await set({ identityProvider: null }), 409, 'enforced');
    expect((await set({ identityProvider: null, enforced: false })).status).toBe(200);
  });

  test('nobody locks themselves out: not by asking for a provider that they do not have', async () => {
    const own = await makeOwner();
    const bearer = await signIn(own.projectId, own.membershipId, `User/${own.userId}`);
    const settings = (value: string) =>
      callApi(bearer, 'POST', `/admin/projects/${own.projectId}/settings`, {
        body: [{ name: 'signInWays.Admin', valueString: value }],
      });
    // The domain of their address is nobody's, or another project's.
    expectOutcome(await settings('provider'), 409);
  });

  test('is over when the record is gone for a week, and does not come back by itself', async () => {
    const { record } = (await world.call('GET', `/domains/${domain}`)).body;
    await open();
    expect((await change({ enforced: true })).status).toBe(200);
    const texts = dns.texts.get(record.name)!;
    dns.texts.delete(record.name);
    for (const days of [2, 10]) await recheckDomains(START_CTX, undefined, Date.now() + days * 86_400_000);
    dns.texts.set(record.name, texts);
    const again = await world.call('POST', `/domains/${domain}/verify`);
    expect(again.body).toMatchObject({ verifiedAt: expect.any(String), enforced: false, joins: null });
  });
});

describe('who joins', () => {
  const email = () => `dee.${newId().slice(-8)}@${domain}`;

  test('nobody, unless it is said', async () => {
    expect((await enterBy(provider, email())).answer.text).toMatch(/Nobody here is known/);
  });

  test('becomes what is said, once, and never an administrator', async () => {
    await open();
    const mine = email();
    const claims = { given_name: ' Dee\u202e ', family_name: 'Reyes' };
    const { tokens } = await enterBy(provider, mine, { claims });
    expect(tokens.project.reference).toBe(`Project/${world.projectId}`);
    const me = await callAuth('GET', '/auth/me', { token: tokens.access_token });
    const id = me.body.membership.id;
    const { body: member } = await world.call('GET', `/members/${id}`);
    expect(member).toMatchObject({ accessPolicy: { reference: policy }, profile: { display: 'Dee Reyes' } });
    expect(member.admin).toBeUndefined();
    const { body: record } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${member.profile.reference}`);
    expect(record).toMatchObject({
      resourceType: 'Practitioner',
      identifier: [{ system: provider.issuer, value: `p-${mine}` }],
      name: [{ given: ['Dee'], family: 'Reyes' }],
      telecom: [{ system: 'email', value: mine }],
    });
    expect(await auditOf(world.projectId, `ProjectMembership/${id}`)).toEqual(
      expect.arrayContaining(['membership.create', 'domain.join']),
    );
    const again = await enterBy(provider, mine.toUpperCase().replace(domain.toUpperCase(), domain));
    const second = await callAuth('GET', '/auth/me', { token: again.tokens.access_token });
    expect(second.body.membership.id).toBe(id);
    // An account of the project: its provider speaks for all of it.
    expect((await callAuth('GET', '/auth/passkeys', { token: tokens.access_token })).status).toBe(200);
  });

  test('eight times at once is one member', async () => {
    await open('Patient');
    const mine = email();
    const entered = await Promise.all(Array.from({ length: 8 }, () => enterBy(provider, mine)));
    expect(entered.map(({ answer }) => answer.status)).toEqual(Array(8).fill(303));
    const { body } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/Patient?email=${mine}`);
    expect(body.entry).toHaveLength(1);
  });

  test('with a proven address of the domain alone', async () => {
    await open();
    for (const claims of [
      { email_verified: false },
      { email: `x@evil-${domain}` },
      { email: `x@sub.${domain}` },
      { email: `@${domain}` },
      { email: `"a b\u202e"@${domain}` },
      { email: `x\ny@${domain}` },
    ])
      expect((await enterBy(provider, email(), { claims })).answer.text).toMatch(/Nobody here is known/);
  });

  test('not who was suspended, and not who was removed, with an account of the project or above it', async () => {
    await open();
    for (const scope of ['project', 'server']) {
      const [off, gone] = [
        await world.invite({ email: email(), scope }),
        await world.invite({ email: email(), scope }),
      ];
      const body = [{ op: 'add', path: '/active', value: false }];
      expect((await world.call('PATCH', `/members/${off.id}`, { body })).status).toBe(200);
      expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
      for (const { user } of [off, gone])
        expect((await enterBy(provider, user.display!)).answer.text).toMatch(/Nobody here is known/);
    }
    const mine = email();
    const { tokens } = await enterBy(provider, mine);
    const me = await callAuth('GET', '/auth/me', { token: tokens.access_token });
    expect((await world.call('DELETE', `/members/${me.body.membership.id}`)).status).toBe(200);
    expect((await enterBy(provider, mine)).answer.text).toMatch(/Nobody here is known/);
  });

  test('an account above projects that somebody made with the address stays outside, and its password too', async () => {
    await open();
    const squatter = await makeOwner();
    const mine = squatter.email.replace(/@.*/, `@${domain}`);
    const other = await createWorld();
    await other.invite({ email: mine, password: PASSWORD, scope: 'server' });
    expect((await enterBy(provider, mine)).tokens.project.reference).toBe(`Project/${world.projectId}`);
    expect(await signInStatus(mine, PASSWORD, world.projectId)).toBe(400);
  });

  test('what is said must be sound: a policy of this project, which is then not deleted', async () => {
    const other = await createWorld();
    const body = { resourceType: 'AccessPolicy', name: 'Theirs' };
    const theirs = (await callApi(other.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body })).body.id;
    for (const wrong of [
      { ...joins(), profileType: 'RelatedPerson' },
      { ...joins(), admin: true },
      { profileType: 'Patient' },
      { ...joins(), accessPolicy: { reference: `AccessPolicy/${theirs}` } },
      { ...joins(), accessPolicy: { reference: 'Patient/x' } },
      { ...joins(), accessPolicy: { reference: 'AccessPolicy/a\u0000' } },
      'x',
    ])
      expectOutcome(await change({ joins: wrong }), 400);
    expectOutcome(await change({ enforced: 'yes' }), 400, 'enforced');
    await open();
    const kept = await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/${policy}`);
    expectOutcome(kept, 409);
    expect((await change({ joins: null })).body.joins).toBeNull();
    expect((await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/${policy}`)).status).toBe(200);
  });
});
