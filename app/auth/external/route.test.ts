import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newSecret, SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { ensureSuperAdmin } from '#lib/domain/projects/ensure-super-admin.ts';
import { unseal } from '#lib/infra/crypto/seal.ts';
import type { IdentityProvider as Settings } from '#lib/protocol/fhir/client-types.ts';
import { auditOf, login as signInStatus } from '#lib/testing/accounts.ts';
import { CALLBACK } from '#lib/testing/app.ts';
import { sentTo } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import {
  addProject,
  CTX,
  makeClient,
  makeOwner,
  type Owner,
  PASSWORD,
  redeem,
  type TestClient,
  toBasic,
} from '#lib/testing/people.ts';
import { CLIENT_SECRET, type IdentityProvider, startIdentityProvider } from '#lib/testing/servers/identity-provider.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { pkceOf } from '#lib/testing/sign-in/pkce.ts';
import { setProject } from '#lib/testing/ways.ts';

const HERE = 'http://localhost:3999';
const DOMAIN = 'example.com';
const AFTERWARDS = 'https://portal.example.com/after';
const [ROOT, ROOT_SECRET] = [newId(), newSecret()];
let restore: () => void;
let owner: Owner;
let client: TestClient;
/** Of the domain, and of the client alone. */
let provider: IdentityProvider;
let other: IdentityProvider;
let configured: string;

function asRoot(method: string, path: string, body?: unknown) {
  return callApi(toBasic(ROOT, ROOT_SECRET), method, `/fhir/R4/${path}`, { body });
}

beforeAll(async () => {
  restore = changeSettings({
    FETCH_PRIVATE_ADDRESSES: true,
    SUPERADMIN_CLIENT_ID: ROOT,
    SUPERADMIN_CLIENT_SECRET: ROOT_SECRET,
  });
  await ensureSuperAdmin(CTX);
  owner = await makeOwner();
  client = await makeClient(owner.projectId, { redirectUris: [CALLBACK] });
  const callbacks = [`${HERE}/auth/external`, `${HERE}/auth/external/${client.id}`];
  [provider, other] = await Promise.all([startIdentityProvider(callbacks), startIdentityProvider(callbacks)]);
  const identityProvider = provider.settings;
  const domain = { resourceType: 'DomainConfiguration', domain: DOMAIN, identityProvider };
  const made = await asRoot('POST', 'DomainConfiguration', { ...domain, allowedPostLoginRedirectUrls: [AFTERWARDS] });
  expect(made.status, made.text).toBe(201);
  configured = made.body.id;
  const changed = { redirectUris: [CALLBACK], identityProvider: other.settings as Settings };
  const app = { resourceType: 'ClientApplication', id: client.id, name: 'Program', ...changed };
  const path = `/fhir/R4/ClientApplication/${client.id}`;
  const admin = await makeClient(owner.projectId, {}, { admin: true });
  const put = await callApi(admin.basic, 'PUT', path, { body: app });
  expect(put.status, put.text).toBe(200);
  expect(put.text).not.toContain(CLIENT_SECRET);
});
afterAll(async () => {
  await asRoot('DELETE', `DomainConfiguration/${configured}`);
  restore();
  await Promise.all([provider.stop(), other.stop()]);
});

type Begun = { to: URL; cookie: string; verifier: string };

async function begin(query: Record<string, string> = {}, path = '/auth/external'): Promise<Begun> {
  const { verifier, ...challenge } = pkceOf();
  const start: Record<string, string> = path === '/auth/external' ? { domain: DOMAIN } : {};
  const answer = await callAuth('GET', `${path}?${new URLSearchParams({ ...start, ...challenge, ...query })}`);
  const line = answer.headers.get('set-cookie') ?? '';
  return { to: sentTo(answer), cookie: line.split(';')[0]!, verifier };
}

function open(url: URL, cookie: string, change: Record<string, string> = {}) {
  const address = new URL(url);
  for (const [name, value] of Object.entries(change)) address.searchParams.set(name, value);
  return callAuth('GET', `${address.pathname}${address.search}`, { headers: { cookie } });
}

function isSomebody(email: string, more = {}) {
  provider.person = { sub: `p-${email}`, email, email_verified: true, ...more };
}

describe('by the domain of an address', () => {
  test('the whole way: method, provider, back to our sign-in page with a code that the challenge binds', async () => {
    const asked = await callAuth('POST', '/auth/method', { body: { email: owner.email } });
    expect(asked.body).toEqual({ domain: DOMAIN, authorizeUrl: expect.stringContaining(`${HERE}/auth/external?`) });
    isSomebody(owner.email);
    const { verifier, ...challenge } = pkceOf();
    // As the peer's sign-in page does it.
    const state = JSON.stringify({ ...challenge, scope: 'openid offline' });
    const started = await callAuth(
      'GET',
      `${asked.body.authorizeUrl}&${new URLSearchParams({ state })}`.slice(HERE.length),
    );
    const to = sentTo(started);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'gatehouse',
      redirect_uri: `${HERE}/auth/external`,
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.any(String),
      code_challenge_method: 'S256',
      login_hint: owner.email,
    });
    const line = started.headers.get('set-cookie')!;
    expect(line).toMatch(/; Path=\/auth\/external; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const back = await open(await provider.visit(to), line.split(';')[0]!);
    expect(back.headers.get('set-cookie')).toMatch(/Max-Age=0/);
    const page = sentTo(back);
    expect([page.origin, page.pathname, [...page.searchParams.keys()]]).toEqual([HERE, '/signin', ['login', 'code']]);
    const code = page.searchParams.get('code')!;
    expect((await redeem({ code, code_verifier: 'v'.repeat(43) })).status).toBe(400);
    const tokens = await redeem({ code, code_verifier: verifier });
    expect(tokens.status, tokens.text).toBe(200);
    const me = await callAuth('GET', '/auth/me', { token: tokens.body.access_token });
    expect(me.body.security.sessions[0].authMethod).toBe('external');
    expect((await callAuth('GET', '/auth/consents', { token: tokens.body.access_token })).status).toBe(200);
    expect(await auditOf(owner.projectId, `User/${owner.userId}`)).toContain('login.external');
  });

  test('who is a member of several projects chooses, at an address that the domain has', async () => {
    const them = await makeOwner();
    const second = await addProject(them.userId, them.email);
    isSomebody(them.email);
    const { to, cookie, verifier } = await begin({ redirectUri: AFTERWARDS });
    const page = sentTo(await open(await provider.visit(to), cookie));
    expect(page.href.startsWith(`${AFTERWARDS}?login=`)).toBe(true);
    expect(page.searchParams.has('code')).toBe(false);
    const choice = { login: page.searchParams.get('login'), profile: second.membershipId };
    const chosen = await callAuth('POST', '/auth/profile', { body: choice });
    expect((await redeem({ code: chosen.body.code, code_verifier: verifier })).status).toBe(200);
  });

  test('nothing for other domains, and for a half address', async () => {
    const asked = await callAuth('POST', '/auth/method', { body: { email: 'a@elsewhere.test' } });
    expect([asked.status, asked.body]).toEqual([200, {}]);
    expect((await callAuth('POST', '/auth/method', { body: { email: 'a' } })).status).toBe(400);
  });

  test('there is no password to choose for its addresses, known or not', async () => {
    for (const email of [owner.email, `nobody@${DOMAIN.toUpperCase()}`]) {
      const answer = await callAuth('POST', '/auth/resetpassword', { body: { email } });
      expectOutcome(answer, 400, 'email');
    }
    const elsewhere = await callAuth('POST', '/auth/resetpassword', { body: { email: 'a@elsewhere.test' } });
    expect(elsewhere.status).toBe(200);
  });

  test('a project that wants its people by provider has them by it, and by nothing else', async () => {
    const mine = await makeOwner();
    expect((await setProject(mine.projectId, { 'signInWays.Admin': 'provider' })).status).toBe(200);
    expect(await signInStatus(mine.email, PASSWORD, mine.projectId)).toBe(400);
    isSomebody(mine.email);
    const { to, cookie } = await begin();
    const page = sentTo(await open(await provider.visit(to), cookie));
    expect(page.searchParams.get('code')).toEqual(expect.any(String));
    expect((await setProject(mine.projectId, { 'signInWays.Admin': 'password' })).status).toBe(200);
    const again = await begin();
    const refused = await open(await provider.visit(again.to), again.cookie);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Sign in with a password')]);
  });

  test('its provider speaks for nobody of another domain, and for no address that it has not proven', async () => {
    const before = await makeOwner();
    for (const [email, more] of [
      ['somebody@elsewhere.test', {}],
      [`x@evil-${DOMAIN}`, {}],
      [before.email, { email_verified: false }],
      [before.email, { email_verified: undefined }],
      [`${newId()}@${DOMAIN}`, {}],
    ] as const) {
      isSomebody(email, more);
      const { to, cookie } = await begin();
      const answer = await open(await provider.visit(to), cookie);
      expect([email, answer.status]).toEqual([email, 400]);
      expect(answer.text).toMatch(/Nobody here is known/);
    }
  });
});

describe('by the provider of a client', () => {
  const path = () => `/auth/external/${client.id}`;

  test('back at the client’s address, with a login of its own', async () => {
    other.person = { sub: 'x', email: owner.email, email_verified: true };
    const { to, cookie, verifier } = await begin({ redirectUri: CALLBACK, scope: 'openid' }, path());
    expect(to.searchParams.get('redirect_uri')).toBe(`${HERE}${path()}`);
    const page = sentTo(await open(await other.visit(to), cookie));
    expect(page.href.startsWith(`${CALLBACK}?login=`)).toBe(true);
    const code = page.searchParams.get('code')!;
    const { body } = await redeem({ code, code_verifier: verifier, client_id: client.id });
    expect(body.project.reference).toBe(`Project/${owner.projectId}`);
    // A project's provider does not speak for the person beyond it.
    expect((await callAuth('GET', '/auth/consents', { token: body.access_token })).status).toBe(403);
  });

  test('whose subject is no text that is kept names nobody', async () => {
    const admin = await makeClient(owner.projectId, {}, { admin: true });
    const put = async (change: object) => {
      const identityProvider = { ...(other.settings as Settings), ...change };
      const app = { resourceType: 'ClientApplication', id: client.id, name: 'Program', redirectUris: [CALLBACK] };
      const body = { ...app, identityProvider };
      expect((await callApi(admin.basic, 'PUT', `/fhir/R4/ClientApplication/${client.id}`, { body })).status).toBe(200);
    };
    await put({ useSubject: true });
    other.person = { sub: 'nul\u0000', email: owner.email, email_verified: true };
    const { to, cookie } = await begin({ redirectUri: CALLBACK }, path());
    const answer = await open(await other.visit(to), cookie);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/did not confirm/)]);
    await put({});
  });

  test('mixed up: an answer of one provider at the address of the other is refused, whoever carries it', async () => {
    isSomebody(owner.email);
    const [of, ofClient] = [await begin(), await begin({ redirectUri: CALLBACK }, path())];
    // The client's provider sends the browser on to the domain's, under the state that it was given.
    const stolen = new URL(of.to);
    stolen.searchParams.set('state', ofClient.to.searchParams.get('state')!);
    const answer = await open(await provider.visit(stolen), ofClient.cookie);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/does not wait/)]);
    const back = await provider.visit((await begin()).to);
    expect((await open(back, of.cookie, { iss: other.issuer })).status).toBe(400);
  });
});

describe('an answer is good once, in the browser that asked', () => {
  test('without the cookie, with that of another sign-in, twice, changed, and with the wrong issuer', async () => {
    isSomebody(owner.email);
    const mine = await begin();
    const theirs = await begin();
    const back = await provider.visit(mine.to);
    const wrong = [
      await open(back, ''),
      await open(back, theirs.cookie),
      await open(back, `${mine.cookie.split('=')[0]}=${theirs.cookie.split('=')[1]}`),
      await open(back, `${mine.cookie}x`),
      await open(back, mine.cookie, { state: 'x' }),
      await callAuth('GET', `${back.pathname}${back.search}&state=x`, { headers: { cookie: mine.cookie } }),
      await callAuth('GET', `${back.pathname}${back.search}&code=x`, { headers: { cookie: mine.cookie } }),
    ];
    expect(wrong.map(({ status }) => status)).toEqual(Array(7).fill(400));
    const answers = await Promise.all([1, 2, 3].map(() => open(back, mine.cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    const again = await begin();
    expect((await open(await provider.visit(again.to), again.cookie, { iss: 'https://evil.test' })).status).toBe(400);
  });

  test('an id token of another sign-in (nonce), a refusal, and a code that is none', async () => {
    isSomebody(owner.email);
    const mine = await begin();
    const swapped = new URL(mine.to);
    swapped.searchParams.set('nonce', 'another');
    expect((await open(await provider.visit(swapped), mine.cookie)).text).toMatch(/did not confirm/);
    const denied = await begin();
    const state = denied.to.searchParams.get('state')!;
    const no = await open(new URL(`${HERE}/auth/external?error=access_denied`), denied.cookie, { state });
    expect([no.status, no.text]).toEqual([400, expect.stringMatching(/did not sign you in/)]);
    const made = await begin();
    const madeState = made.to.searchParams.get('state')!;
    const none = await open(new URL(`${HERE}/auth/external?code=x`), made.cookie, { state: madeState });
    expect(none.text).toMatch(/did not confirm/);
  });
});

test('nobody is sent to an address that is not the app’s or the domain’s own, or to a provider that is none', async () => {
  const ask = (query: Record<string, string>, path = '/auth/external') =>
    callAuth('GET', `${path}?${new URLSearchParams(query)}`);
  const answers = [
    await ask({ domain: DOMAIN, redirectUri: 'https://evil.test/' }),
    await ask({ domain: DOMAIN, redirectUri: `${HERE}.evil.test/signin` }),
    await ask({ domain: DOMAIN, redirectUri: CALLBACK }),
    await ask({ redirectUri: AFTERWARDS }, `/auth/external/${client.id}`),
    await ask({ domain: DOMAIN, clientId: client.id, redirectUri: AFTERWARDS }),
    await ask({ domain: 'elsewhere.test' }),
    await ask({ domain: 'nul\u0000.test' }),
    await ask({ domain: DOMAIN, state: JSON.stringify({ nonce: '\u0000' }) }),
    await ask({}),
    await ask({}, `/auth/external/${newId()}`),
    await ask({ domain: DOMAIN, codeChallenge: 'short' }),
    await ask({ domain: DOMAIN, projectId: 'new' }),
    await ask({ domain: DOMAIN, state: JSON.stringify({ projectId: 'x' }) }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(13).fill(400));
});

describe('DomainConfiguration', () => {
  test('its secret is changed by itself, told of in the log, and is for the one tokenUrl', async () => {
    const domain = `${newId()}.example`;
    const identityProvider = provider.settings;
    const given = { resourceType: 'DomainConfiguration', domain, identityProvider };
    const { id } = (await asRoot('POST', 'DomainConfiguration', given)).body;
    const put = (change: object) =>
      asRoot('PUT', `DomainConfiguration/${id}`, {
        ...given,
        id,
        identityProvider: { ...identityProvider, ...change },
      });
    const kept = async () => {
      const rows = await db().execute(sql`select value_sealed from provider_secret
        where project_id = ${SUPER_ADMIN_PROJECT} and owner = ${`DomainConfiguration/${id}`}`);
      return rows.map((row) => unseal('provider-secret', String(row.value_sealed)));
    };
    expect((await put({ clientSecret: 'another' })).status).toBe(200);
    expect(await kept()).toEqual(['another']);
    const audited = async () => {
      const all = await auditOf(SUPER_ADMIN_PROJECT, `DomainConfiguration/${id}`);
      return all.filter((action) => action === 'provider.secret.set').length;
    };
    expect(await audited()).toBe(2);
    await put({ clientSecret: 'another' });
    await put({ clientSecret: undefined });
    expect([await kept(), await audited()]).toEqual([['another'], 2]);
    expect((await put({ clientSecret: undefined, tokenUrl: `${other.issuer}/token` })).status).toBe(200);
    expect(await kept()).toEqual([]);
    await put({ clientSecret: 'once more' });
    await asRoot('DELETE', `DomainConfiguration/${id}`);
    expect(await kept()).toEqual([]);
  });

  test('is the super-admin’s alone; the secret is told to nobody', async () => {
    const read = await asRoot('GET', `DomainConfiguration/${configured}`);
    expect(read.body).toMatchObject({ domain: DOMAIN, identityProvider: { clientId: 'gatehouse' } });
    expect(read.text).not.toContain(CLIENT_SECRET);
    const admin = await makeClient(owner.projectId, {}, { admin: true });
    const body = { resourceType: 'DomainConfiguration', domain: 'mine.example' };
    expect((await callApi(admin.basic, 'POST', '/fhir/R4/DomainConfiguration', { body })).status).toBe(403);
    expect((await callApi(admin.basic, 'GET', `/fhir/R4/DomainConfiguration/${configured}`)).status).toBe(403);
  });

  test('one of each domain, and a provider that can be asked', async () => {
    const make = (change: object) =>
      asRoot('POST', 'DomainConfiguration', { resourceType: 'DomainConfiguration', domain: 'new.example', ...change });
    const { clientId: _, ...half } = provider.settings;
    const answers = [
      await make({ domain: DOMAIN }),
      await make({ domain: 'Example.com' }),
      await make({ domain: 'localhost' }),
      await make({ identityProvider: half }),
      await make({ identityProvider: { ...provider.settings, tokenUrl: 'ftp://x' } }),
      await make({ identityProvider: { ...provider.settings, useSubject: true } }),
      await make({ identityProvider: { ...provider.settings, userInfoMode: 'gcip' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 400, 400, 400, 400, 400, 400]);
  });
});
