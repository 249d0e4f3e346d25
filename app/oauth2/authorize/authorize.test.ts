import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { allow, ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { enrollTotp, startSignIn, verify } from '#lib/testing/factors.ts';
import { addProject, makeOwner, type Owner, redeem, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { setProject } from '#lib/testing/ways.ts';

const ISSUER = 'http://localhost:3999';
let owner: Owner;
let browser: Browser;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  app = await makeApp(owner);
});

function answer(url: URL): Record<string, string> {
  return Object.fromEntries(url.searchParams);
}

describe('a person who is signed in', () => {
  test('is asked once, and from then on the app has its code at once', async () => {
    const fresh = await makeApp(owner);
    const first = sentTo(await browser.open(ask(fresh).path));
    expect(first.pathname).toBe('/consent');
    const asked = ask(fresh, { scope: 'openid offline', nonce: 'n-1' });
    const given = await allow(browser, sentTo(await browser.open(asked.path)));
    expect(given.href.startsWith(`${CALLBACK}?`)).toBe(true);
    expect(answer(given)).toEqual({ code: expect.any(String), state: 's-1', iss: ISSUER });
    const tokens = await redeem({
      code: given.searchParams.get('code')!,
      client_id: fresh.id,
      redirect_uri: CALLBACK,
      code_verifier: asked.verifier,
    });
    expect(tokens.status, tokens.text).toBe(200);
    expect(tokens.body).toMatchObject({ scope: 'openid offline', refresh_token: expect.any(String) });
    expect(decodeJwt(tokens.body.id_token)).toMatchObject({
      iss: ISSUER,
      aud: fresh.id,
      sub: owner.userId,
      nonce: 'n-1',
      auth_time: expect.any(Number),
    });
    const again = sentTo(await browser.open(ask(fresh, { prompt: 'none' }).path));
    expect(answer(again)).toEqual({ code: expect.any(String), state: 's-1', iss: ISSUER });
    expect(await auditOf(owner.projectId, `ClientApplication/${fresh.id}`)).toContain('consent.grant');
    expect(await auditOf(owner.projectId, `User/${owner.userId}`)).toContain('login.authorize');
  });

  test('is asked again for more than they agreed to, and by prompt=consent', async () => {
    const fresh = await makeApp(owner);
    await authorizeWith(browser, ask(fresh));
    const next = async (change: Record<string, string>) => sentTo(await browser.open(ask(fresh, change).path)).pathname;
    expect(await next({})).toBe('/callback');
    expect(await next({ scope: 'openid email' })).toBe('/consent');
    expect(await next({ prompt: 'consent' })).toBe('/consent');
    await authorizeWith(browser, ask(fresh, { scope: 'openid email' }));
    expect(await next({ scope: 'email' })).toBe('/callback');
  });

  test('who let an app see some records is asked before it may all', async () => {
    const fresh = await makeApp(owner);
    const next = async (scope: string) => sentTo(await browser.open(ask(fresh, { scope }).path)).pathname;
    await authorizeWith(browser, ask(fresh, { scope: 'openid user/Patient.rs' }));
    expect(await next('openid user/Patient.rs')).toBe('/callback');
    for (const more of ['openid', 'openid user/Patient.cruds', 'openid user/Patient.rs user/Task.r']) {
      expect(await next(more), more).toBe('/consent');
    }
    await authorizeWith(browser, ask(fresh, { scope: 'openid' }));
    expect(await next('openid')).toBe('/callback');
  });

  test('reads what is asked, and may say no', async () => {
    const fresh = await makeApp(owner, { description: 'Height and weight' });
    const page = sentTo(await browser.open(ask(fresh, { scope: 'openid email patient/*.read' }).path));
    const { body } = await browser.send('GET', `/auth/authorization${page.search}`);
    expect(body).toEqual({
      app: { name: 'Growth charts', description: 'Height and weight' },
      sendsTo: 'https://app.example.com',
      scopes: ['openid', 'email', 'patient/*.read'],
      lasts: { seconds: 3600 },
      person: owner.email,
      memberships: [expect.objectContaining({ id: owner.membershipId })],
      membership: owner.membershipId,
      remembers: true,
    });
    const no = await browser.send('POST', '/auth/authorization', { request: page.search, decision: 'deny' });
    expect(answer(new URL(no.body.location))).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 's-1',
      iss: ISSUER,
    });
    expect(sentTo(await browser.open(ask(fresh).path)).pathname).toBe('/consent');
  });

  test('reads for how long: a token’s time, or while it is used, and no longer than the project’s sessions live', async () => {
    const own = await makeOwner();
    const there = await openBrowser(own);
    const app = await makeApp(own, { accessTokenLifetime: '5m', refreshTokenLifetime: '30d' });
    const lasts = async (scope: string) => {
      const page = sentTo(await there.open(ask(app, { scope }).path));
      return (await there.send('GET', `/auth/authorization${page.search}`)).body.lasts;
    };
    expect([await lasts('openid'), await lasts('openid offline')]).toEqual([
      { seconds: 300 },
      { unusedSeconds: 30 * 86_400 },
    ]);
    await setProject(own.projectId, { sessionLifetime: '12h', sessionIdleLimit: '1h', accessTokenLifetime: '1m' });
    expect([await lasts('openid'), await lasts('openid offline_access')]).toEqual([
      { seconds: 60 },
      { unusedSeconds: 3600, atMostSeconds: 43_200 },
    ]);
  });

  test('with a session in another project uses their membership of the app’s project', async () => {
    const second = await addProject(owner.userId, owner.email);
    const there = await makeApp({ ...owner, ...second });
    const asked = ask(there);
    const given = await authorizeWith(browser, asked);
    const code = given.searchParams.get('code')!;
    const { body } = await redeem({ code, client_id: there.id, redirect_uri: CALLBACK, code_verifier: asked.verifier });
    expect(body.project.reference).toBe(`Project/${second.projectId}`);
  });

  test('a POST comes to the same', async () => {
    const { path, query } = ask(app);
    const posted = await callAuth('POST', '/oauth2/authorize', { body: new URLSearchParams(query) });
    expect(sentTo(posted).href).toBe(`${ISSUER}${path}`);
    const long = await callAuth('POST', '/oauth2/authorize', {
      body: new URLSearchParams({ state: 'x'.repeat(20_000) }),
    });
    expect(long.status).toBe(413);
  });
});

describe('a person who is not', () => {
  test('signs in first, in the app’s project, and comes back with the same request', async () => {
    const { path } = ask(app, { login_hint: 'ada@example.com', nonce: 'n' });
    const next = sentTo(await callAuth('GET', path));
    expect(next.pathname).toBe('/signin');
    expect(answer(next)).toEqual({ next: path, project: owner.projectId, email: 'ada@example.com' });
  });

  test('prompt=login and max_age ask for a sign-in since now, once', async () => {
    for (const change of [{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login consent', max_age: '3600' }]) {
      const late = { ...change, signed_in_since: String(Math.floor(Date.now() / 1000) + 60) };
      const next = sentTo(await browser.open(ask(app, 'prompt' in change ? change : late).path));
      expect(next.pathname).toBe('/signin');
      const again = new URLSearchParams(next.searchParams.get('next')!.split('?')[1]);
      expect(Number(again.get('signed_in_since')) * 1000).toBeGreaterThan(Date.now() - 60_000);
      expect(again.has('max_age')).toBe(false);
      expect(again.get('prompt')).toBe(change.prompt === 'login consent' ? 'consent' : null);
    }
    const back = await openBrowser(owner);
    const since = String(Math.floor(Date.now() / 1000) - 60);
    expect(sentTo(await back.open(ask(app, { signed_in_since: since }).path)).pathname).not.toBe('/signin');
    expect(sentTo(await back.open(ask(app, { max_age: '3600' }).path)).pathname).not.toBe('/signin');
  });

  test('an id_token_hint of somebody else asks for a sign-in, and takes nobody else’s (OpenID Connect Core §3.1.2.2)', async () => {
    const asked = ask(app);
    const given = await authorizeWith(browser, asked);
    const code = given.searchParams.get('code')!;
    const { body } = await redeem({ code, client_id: app.id, redirect_uri: CALLBACK, code_verifier: asked.verifier });
    const hinted = ask(app, { id_token_hint: body.id_token, prompt: 'none' }).path;
    expect(sentTo(await browser.open(hinted)).searchParams.has('code')).toBe(true);
    const stranger = await openBrowser(await makeOwner());
    expect(answer(sentTo(await stranger.open(hinted))).error).toBe('login_required');
    const toSignIn = sentTo(await stranger.open(ask(app, { id_token_hint: body.id_token }).path));
    expect(toSignIn.pathname).toBe('/signin');
    const back = await openBrowser(await makeOwner());
    const refused = sentTo(await back.open(toSignIn.searchParams.get('next')!));
    expect(answer(refused)).toMatchObject({ error: 'login_required', state: 's-1', iss: ISSUER });
    for (const hint of [body.access_token, 'x.y.z', 'nonsense'])
      expect(answer(sentTo(await browser.open(ask(app, { id_token_hint: hint }).path))).error).toBe('invalid_request');
  });

  test('a session that was ended is none', async () => {
    const gone = await openBrowser(owner);
    await gone.send('POST', '/auth/revoke', { loginId: gone.login });
    expect(sentTo(await gone.open(ask(app).path)).pathname).toBe('/signin');
  });
});

describe('prompt=none never shows a page', () => {
  test('login_required, consent_required, interaction_required', async () => {
    const errors = async (by: Browser, client: TestClient, change = {}) =>
      answer(sentTo(await by.open(ask(client, { prompt: 'none', ...change }).path))).error;
    const nobody = sentTo(await callAuth('GET', ask(app, { prompt: 'none' }).path));
    expect(answer(nobody)).toMatchObject({ error: 'login_required', state: 's-1', iss: ISSUER });
    expect(await errors(browser, await makeApp(owner))).toBe('consent_required');
    expect(await errors(await openBrowser(await makeOwner()), app)).toBe('interaction_required');
  });
});

describe('400 as text, and never a redirect', () => {
  const wrong: [string, Record<string, string | undefined>][] = [
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: newId() }],
    ['nonsense for a client', { client_id: '__proto__' }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['another site', { redirect_uri: 'https://evil.example.com/callback' }],
    ['a longer path', { redirect_uri: `${CALLBACK}/more` }],
    ['a query', { redirect_uri: `${CALLBACK}?next=https://evil.example.com` }],
    ['another scheme', { redirect_uri: CALLBACK.replace('https', 'http') }],
    ['a user before the host', { redirect_uri: CALLBACK.replace('https://', 'https://app.example.com@evil.test/') }],
    ['dots', { redirect_uri: `${CALLBACK}/../callback` }],
    ['upper case', { redirect_uri: CALLBACK.replace('app', 'APP') }],
  ];
  test.each(wrong)('%s', async (_, change) => {
    const { status, headers, text } = await browser.open(ask(app, change).path);
    expect([status, headers.get('content-type'), headers.get('location')]).toEqual([
      400,
      'text/plain; charset=utf-8',
      null,
    ]);
    expect(text).toMatch(/client_id|redirect_uri/);
  });

  test('an address or a client that is given twice', async () => {
    const { path } = ask(app);
    for (const twice of [`redirect_uri=${encodeURIComponent('https://evil.test/')}`, `client_id=${newId()}`])
      expect((await browser.open(`${path}&${twice}`)).status).toBe(400);
  });

  test('an app that is turned off', async () => {
    const off = await makeApp(owner, { status: 'off' });
    expect((await browser.open(ask(off).path)).status).toBe(400);
  });
});

describe('other problems are told to the app, with state and issuer', () => {
  const problems: [string, Record<string, string | undefined>, string][] = [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['no scope that is one', { scope: 'open"id' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge of no method, which is plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method of no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'create' }, 'invalid_request'],
    ['none and another', { prompt: 'none login' }, 'invalid_request'],
    ['no number', { max_age: 'soon' }, 'invalid_request'],
    ['a request object', { request: 'x' }, 'request_not_supported'],
    ['another server’s address', { aud: 'https://evil.test/fhir/R4' }, 'invalid_request'],
  ];
  test.each(problems)('%s', async (_, change, error) => {
    const url = sentTo(await browser.open(ask(app, change).path));
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(answer(url)).toEqual({ error, error_description: expect.any(String), state: 's-1', iss: ISSUER });
  });

  test('a parameter that stands twice; and without state there is none', async () => {
    const twice = sentTo(await browser.open(`${ask(app).path}&scope=email`));
    expect(answer(twice).error).toBe('invalid_request');
    const stateless = sentTo(await browser.open(ask(app, { state: undefined, scope: undefined }).path));
    expect(stateless.searchParams.has('state')).toBe(false);
  });

  test('our own address as aud, and a query that the address has already, are kept', async () => {
    const address = 'https://app.example.com/cb?tenant=7';
    const tenant = await makeApp(owner, { redirectUris: [address] });
    const aud = `${ISSUER}/fhir/R4/`;
    const given = await authorizeWith(browser, ask(tenant, { redirect_uri: address, aud, launch: 'l-1' }));
    expect(answer(given)).toEqual({ tenant: '7', code: expect.any(String), state: 's-1', iss: ISSUER });
  });
});

describe('a second factor', () => {
  test('that the session has not proven sends the person to sign in first, and the app hears nothing', async () => {
    const person = await makeOwner();
    const old = await openBrowser(person);
    const fresh = await makeApp(person);
    const consent = sentTo(await old.open(ask(fresh).path));
    const { app: phone } = await enrollTotp(person);
    const next = sentTo(await old.open(ask(fresh).path));
    expect([next.pathname, next.searchParams.get('project')]).toEqual(['/signin', person.projectId]);
    expect(next.searchParams.get('next')).toMatch(/^\/oauth2\/authorize\?.*signed_in_since=\d+/);
    const silent = sentTo(await old.open(ask(fresh, { prompt: 'none' }).path));
    expect(answer(silent)).toMatchObject({ error: 'login_required' });
    // The page was open before: its yes gives no code either.
    expect((await allow(old, consent)).pathname).toBe('/signin');
    const started = await startSignIn(person);
    const { body } = await verify(started.body.login, phone.next());
    const tokens = await redeem({ code: body.code, code_verifier: 'v'.repeat(43) });
    expect(tokens.status).toBe(200);
  });

  test('that the session has proven lets the app in', async () => {
    const person = await makeOwner();
    const proven = await openBrowser(person);
    const fresh = await makeApp(person);
    await db().update(login).set({ factorAt: new Date() }).where(eq(login.id, proven.login));
    await enrollTotp(person);
    expect((await authorizeWith(proven, ask(fresh))).pathname).toBe('/callback');
  });
});
