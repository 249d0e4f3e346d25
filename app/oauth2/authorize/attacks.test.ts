import { beforeAll, describe, expect, test } from 'vitest';
import { allow, ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner, type Owner, redeem, signIn, type TestClient } from '#lib/testing/people.ts';

let owner: Owner;
let browser: Browser;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  app = await makeApp(owner);
});

describe('CSRF: nobody but the person says yes', () => {
  const decision = (query: string) => ({ request: query, decision: 'allow' });

  test('a page of another site, or of no site, gets 401 with the person’s cookie', async () => {
    const asked = ask(app);
    const page = sentTo(await browser.open(asked.path));
    const { cookie } = browser;
    const places: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'https://evil.test', 'sec-fetch-site': 'none' },
      {},
    ];
    for (const place of places) {
      const body = decision(page.search);
      const answer = await callAuth('POST', '/auth/authorization', { body, headers: { cookie, ...place } });
      expect([place, answer.status]).toEqual([place, 401]);
    }
  });

  test('an app’s own token does not say yes to another app, or to more', async () => {
    const { access } = await signIn(owner, { clientId: app.id });
    const other = await makeApp(owner);
    for (const path of [ask(other), ask(app, { scope: 'openid email' })]) {
      const answer = await callAuth('POST', '/auth/authorization', { token: access, body: decision(path.query) });
      expect(answer.status).toBe(400);
    }
    const read = await callAuth('GET', `/auth/authorization?${ask(other).query}`, { token: access });
    expect(read.status).toBe(400);
  });

  test('a program that acts for the person does not either', async () => {
    const admin = await makeClient(owner.projectId, {}, { admin: true });
    const headers = { authorization: admin.basic, 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
    const answer = await callAuth('POST', '/auth/authorization', { headers, body: decision(ask(app).query) });
    expect(answer.status).toBe(400);
  });

  test('the page’s address is judged again: nothing that was changed in it gets through', async () => {
    for (const change of [{ redirect_uri: 'https://evil.test/' }, { client_id: 'x' }, { prompt: 'login' }]) {
      const answer = await browser.send('POST', '/auth/authorization', decision(ask(app, change).query));
      expect(answer.status).toBe(400);
    }
    const stranger = await makeOwner();
    const page = sentTo(await browser.open(ask(app, { prompt: 'consent' }).path));
    await expect(allow(browser, page, stranger.membershipId)).rejects.toThrow('memberships');
  });

  test('who is no member of the app’s project gets no code', async () => {
    const outsider = await openBrowser(await makeOwner());
    const page = sentTo(await outsider.open(ask(app).path));
    const seen = await outsider.send('GET', `/auth/authorization${page.search}`);
    expect(seen.body.memberships).toEqual([]);
    await expect(allow(outsider, page)).rejects.toThrow('memberships');
  });
});

describe('a code is worth nothing to anybody else', () => {
  test('with another address, another app, another verifier; it still works for its own', async () => {
    const asked = ask(app);
    const given = await authorizeWith(browser, asked);
    const right = {
      code: given.searchParams.get('code')!,
      client_id: app.id,
      redirect_uri: CALLBACK,
      code_verifier: asked.verifier,
    };
    const other = await makeApp(owner);
    const wrong = [
      { redirect_uri: '' },
      { redirect_uri: 'https://evil.test/' },
      { client_id: other.id },
      { client_id: '' },
      { code_verifier: '' },
      { code_verifier: 'v'.repeat(43) },
    ];
    for (const change of wrong) expect((await redeem({ ...right, ...change })).status).toBe(400);
    expect((await redeem(right)).status).toBe(200);
    expect((await redeem(right)).body.error).toBe('invalid_grant');
  });

  test('a challenge that was taken out of the request is noticed (RFC 9700 §4.8.2)', async () => {
    const asked = ask(app, { code_challenge: undefined, code_challenge_method: undefined });
    const given = await authorizeWith(browser, asked);
    const code = given.searchParams.get('code')!;
    const form = { code, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    const answer = await redeem(form, { authorization: app.basic });
    expect(answer.body).toEqual({ error: 'invalid_grant', error_description: expect.stringMatching(/verifier/) });
    const { code_verifier: _, ...without } = form;
    expect((await redeem({ ...without, client_id: app.id })).body.error_description).toMatch(/verification/);
    expect((await redeem(without, { authorization: app.basic })).status).toBe(200);
  });
});

test('the command line that anybody may name is asked for every time, and asks for no PKCE and no state', async () => {
  const change = {
    redirect_uri: 'http://localhost:9615',
    state: undefined,
    code_challenge: undefined,
    code_challenge_method: undefined,
  };
  const cli = { id: 'medplum-cli' };
  for (const _ of [1, 2]) {
    const page = sentTo(await browser.open(ask(cli, change).path));
    const url = await allow(browser, page);
    expect(url.href.startsWith('http://localhost:9615/?code=')).toBe(true);
    const code = url.searchParams.get('code')!;
    const { status } = await redeem({ code, client_id: 'medplum-cli', redirect_uri: 'http://localhost:9615' });
    expect(status).toBe(200);
  }
  expect((await browser.open(ask(cli, { redirect_uri: 'http://localhost:9616' }).path)).status).toBe(400);
  const secret = await redeem({ code: 'x', client_id: 'medplum-cli', client_secret: '' });
  expect(secret.status).toBe(400);
});

test('where any program can claim the scheme of an address, a yes is not remembered (RFC 8252 §8.6)', async () => {
  const redirect_uri = 'com.example.charts:/callback';
  const native = await makeApp(owner, { redirectUris: [redirect_uri] });
  for (const _ of [1, 2]) {
    const page = sentTo(await browser.open(ask(native, { redirect_uri }).path));
    expect(page.pathname).toBe('/consent');
    const seen = await browser.send('GET', `/auth/authorization${page.search}`);
    expect(seen.body.remembers).toBe(false);
    expect((await allow(browser, page)).protocol).toBe('com.example.charts:');
  }
  const silent = sentTo(await browser.open(ask(native, { redirect_uri, prompt: 'none' }).path));
  expect(silent.searchParams.get('error')).toBe('consent_required');
});

test('a request with thousands of parameters, or with one twice, is told so at once (RFC 6749 §3.1)', async () => {
  const many = Array.from({ length: 60 }, (_, index) => `x${index}=1`).join('&');
  for (const more of [many, 'scope=openid', 'code_challenge_method=plain', 'state=other', 'prompt=none&prompt=login']) {
    const url = sentTo(await browser.open(`${ask(app, { prompt: undefined }).path}&${more}`));
    expect([more, url.origin, url.searchParams.get('error')]).toEqual([
      more,
      'https://app.example.com',
      'invalid_request',
    ]);
  }
  const foreign = sentTo(await browser.open(ask(app, { request_uri: 'https://evil.test/request.jwt' }).path));
  expect(foreign.searchParams.get('error')).toBe('request_uri_not_supported');
});

test('what no database takes is told to the app as invalid_request, by the address and by the page', async () => {
  for (const name of ['nonce', 'state', 'launch', 'acr_values', 'login_hint', 'ui_locales']) {
    const { path, query } = ask(app, { [name]: 'a\u0000' });
    expect(sentTo(await browser.open(path)).searchParams.get('error'), name).toBe('invalid_request');
    const body = { request: query, decision: 'allow' };
    expect((await browser.send('POST', '/auth/authorization', body)).status, name).toBe(400);
  }
});
