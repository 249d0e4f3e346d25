import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, newSecret } from '#lib/base/ids.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import type { IdentityProvider as Settings } from '#lib/protocol/fhir/client-types.ts';
import { spendLink } from '#lib/testing/accounts.ts';
import { sentTo } from '#lib/testing/browser.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { addPasskey } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp, verify } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { withProvider } from '#lib/testing/mail-domains.ts';
import {
  addProject,
  askToken,
  CTX,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  PASSWORD,
  redeem,
  toBasic,
} from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type IdentityProvider, STRONG, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { pkceOf } from '#lib/testing/sign-in/pkce.ts';
import { setProject } from '#lib/testing/ways.ts';
import { createWorld } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
const DOMAIN = 'second-factor.example';
const [ROOT, ROOT_SECRET] = [newId(), newSecret()];
let restore: () => void;
let dns: DnsServer;
let provider: IdentityProvider;
let configured: string;

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
  const made = await asRoot('POST', 'DomainConfiguration', toDomain({}));
  expect(made.status, made.text).toBe(201);
  configured = made.body.id;
});
afterAll(async () => {
  await asRoot('DELETE', `DomainConfiguration/${configured}`);
  restore();
  await Promise.all([provider.stop(), dns.stop()]);
});
beforeEach(async () => {
  provider.strength = undefined;
  await configure({});
});

function asRoot(method: string, path: string, body?: unknown) {
  return callApi(toBasic(ROOT, ROOT_SECRET), method, `/fhir/R4/${path}`, { body });
}

function toDomain(change: Partial<Settings>) {
  const identityProvider = { ...provider.settings, ...change };
  return { resourceType: 'DomainConfiguration', domain: DOMAIN, identityProvider };
}

async function configure(change: Partial<Settings>) {
  const saved = await asRoot('PUT', `DomainConfiguration/${configured}`, { ...toDomain(change), id: configured });
  expect(saved.status, saved.text).toBe(200);
}

/** Of the domain, with a password, in a project that asks everybody for a second factor. */
async function person(rules: Record<string, string> = { mfaRequired: 'everyone' }): Promise<Owner> {
  const world = await createWorld();
  const email = `p-${newId()}@${DOMAIN}`;
  const made = await world.invite({ email, scope: 'server' });
  const [mail] = await waitingMail(email);
  expect((await spendLink(mail?.params.url, PASSWORD)).status).toBe(200);
  const set = await setProject(world.projectId, rules);
  expect(set.status, set.text).toBe(200);
  const userId = made.user.reference.slice('User/'.length);
  return { userId, email, projectId: world.projectId, membershipId: made.id };
}

type Come = { login: string; code: string | null; asked: URL; verifier: string };

/** To the provider and back to our sign-in page. */
async function comeBy(email: string, query: Record<string, string> = {}): Promise<Come | Answer> {
  provider.person = { sub: `p-${email}`, email, email_verified: true };
  const { verifier, ...challenge } = pkceOf();
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const started = await callAuth('GET', `/auth/external?${new URLSearchParams({ domain, ...challenge, ...query })}`);
  const asked = sentTo(started);
  const back = await provider.visit(asked);
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const answer = await callAuth('GET', `${back.pathname}${back.search}`, { headers: { cookie } });
  if (answer.status !== 303) return answer;
  const page = sentTo(answer);
  return { login: page.searchParams.get('login')!, code: page.searchParams.get('code'), asked, verifier };
}

async function come(email: string): Promise<Come> {
  const came = await comeBy(email);
  if ('body' in came) throw new Error(came.text);
  return came;
}

const resume = async (login: string) => (await callAuth('GET', `/auth/login/${login}`)).body;
const enroll = (login: string, token: string) =>
  callAuth('POST', '/auth/mfa/login-enroll', { body: { login, token, method: 'totp' } });

describe('where the project asks for a second factor', () => {
  test('who comes by a provider that tells of none enrols one, and shows it from then on', async () => {
    const them = await person();
    const first = await come(them.email);
    expect(first.code).toBeNull();
    const demand = await resume(first.login);
    expect(demand).toMatchObject({ mfaEnrollRequired: true, allowedMfaMethods: ['totp'] });
    expect(demand.code).toBeUndefined();
    const profile = { login: first.login, profile: them.membershipId };
    expect((await callAuth('POST', '/auth/profile', { body: profile })).body.code).toBeUndefined();
    const app = scan(demand.enrollUri);
    const done = await enroll(first.login, app.next());
    const tokens = await redeem({ code: done.body.code, code_verifier: first.verifier });
    expect(tokens.status, tokens.text).toBe(200);
    expect(decodeJwt(tokens.body.id_token)).toMatchObject({ acr: expect.stringContaining('two-factors') });

    const second = await come(them.email);
    expect(second.code).toBeNull();
    expect(await resume(second.login)).toMatchObject({ mfaRequired: true, mfaMethods: ['totp'] });
    expectOutcome(await verify(second.login, app.wrong()), 400, 'token');
    const shown = await verify(second.login, app.next());
    expect((await redeem({ code: shown.body.code, code_verifier: second.verifier })).status).toBe(200);
  });

  test.each([['mfa'], ['pwd', 'otp'], ['fpt'], ['hwk']])(
    'a provider that tells of one is believed: amr %s',
    async (...amr) => {
      const them = await person();
      provider.strength = { amr };
      const { code, verifier } = await come(them.email);
      expect((await redeem({ code: code!, code_verifier: verifier })).status).toBe(200);
    },
  );

  test.each([['pwd'], ['sms'], ['user'], ['pin'], ['MFA']])(
    'and one that tells of nothing more than a password is not: amr %s',
    async (...amr) => {
      const them = await person();
      provider.strength = { amr };
      const { code, login } = await come(them.email);
      expect([code, (await resume(login)).mfaEnrollRequired]).toEqual([null, true]);
    },
  );

  test('what counts is what the provider’s settings name, and nothing else then', async () => {
    const them = await person();
    const isIn = async (strength: IdentityProvider['strength']) => {
      provider.strength = strength;
      return (await come(them.email)).code !== null;
    };
    await configure({ acrValues: STRONG, mfaAcr: [STRONG] });
    expect((await come(them.email)).asked.searchParams.get('acr_values')).toBe(STRONG);
    expect([await isIn({ acr: STRONG }), await isIn({ acr: 'other' }), await isIn({ amr: ['mfa'] })]).toEqual([
      true,
      false,
      false,
    ]);
    await configure({ mfaAmr: ['sms'] });
    expect([await isIn({ amr: ['sms'] }), await isIn({ amr: ['mfa'] })]).toEqual([true, false]);
  });

  test('how old a sign-in there may be is asked for, and what is told of it is looked at', async () => {
    const them = await person({});
    await configure({ maxAge: 3600 });
    provider.strength = { ago: 0 };
    const young = await come(them.email);
    expect([young.asked.searchParams.get('max_age'), typeof young.code]).toEqual(['3600', 'string']);
  });

  test('of its administrators only asks no other member; an invitation may ask one alone', async () => {
    const them = await person({ mfaRequired: 'admins' });
    expect((await come(them.email)).code).not.toBeNull();
    await changeMember(them, { admin: true });
    expect((await come(them.email)).code).toBeNull();
  });

  test('who has a factor and is not asked for one comes in as before, but adds no other way in that goes around it elsewhere', async () => {
    const them = await person({});
    await enrollTotp(them);
    const { code, verifier } = await come(them.email);
    const { body } = await redeem({ code: code!, code_verifier: verifier });
    const options = () => callAuth('POST', '/auth/passkeys/options', { token: body.access_token, body: {} });
    expect((await options()).status).toBe(200);
    const elsewhere = await addProject(them.userId, them.email);
    await setProject(elsewhere.projectId, { mfaRequired: 'everyone' });
    expectOutcome(await options(), 403);
  });

  test('who has a passkey takes it, where that is a way in; else they enrol a factor', async () => {
    const them = await person({});
    await addPasskey(them);
    await setProject(them.projectId, { mfaRequired: 'everyone' });
    expect(await resume((await come(them.email)).login)).toMatchObject({ mfaRequired: true, mfaMethods: ['passkey'] });
    await changeMember(them, { signInWays: ['provider'] });
    expect(await resume((await come(them.email)).login)).toMatchObject({ mfaEnrollRequired: true });
  });
});

test('a project’s own provider sets no factor up for an account above projects, which is entered elsewhere, too', async () => {
  const world = await createWorld();
  const { domain } = await withProvider(world, dns, provider);
  await setProject(world.projectId, { mfaRequired: 'everyone' });
  const email = `ann@${domain}`;
  await world.invite({ email, scope: 'server' });
  const refused = await comeBy(email);
  expect([(refused as Answer).status, (refused as Answer).text]).toEqual([400, expect.stringContaining('set one up')]);
  const own = await world.invite({ email: `own@${domain}`, scope: 'project' });
  expect(own.id).toBeDefined();
  expect(await resume((await come(`own@${domain}`)).login)).toMatchObject({ mfaEnrollRequired: true });
});

test('a token that is exchanged has nobody to ask: refused where a factor is a must', async () => {
  const owner = await makeOwner();
  const identityProvider = provider.settings as Settings;
  const client = await makeClient(owner.projectId, { identityProvider });
  provider.person = { sub: 'p-1', email: owner.email, email_verified: true };
  const exchange = async () =>
    askToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: client.id,
      subject_token: await provider.accessToken(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
  expect((await exchange()).status).toBe(200);
  await setProject(owner.projectId, { mfaRequired: 'everyone' });
  expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' });
});

test('settings that nothing signs, or that are no words, are refused', async () => {
  const wrong: Partial<Settings>[] = [
    { maxAge: 1e9 },
    { acrValues: 'a  b' },
    { mfaAmr: ['a b'] },
    { mfaAcr: Array.from({ length: 21 }, (_, at) => `a${at}`) },
    { issuer: undefined, mfaAmr: ['mfa'] },
    { issuer: undefined, maxAge: 60 },
  ];
  for (const change of wrong) {
    const saved = await asRoot('PUT', `DomainConfiguration/${configured}`, { ...toDomain(change), id: configured });
    expectOutcome(saved, 400);
  }
});
