import { beforeAll, describe, expect, test } from 'vitest';
import { ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, type Owner, redeem, type TestClient } from '#lib/testing/people.ts';

let owner: Owner;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  app = await makeApp(owner);
});

async function signInToApp(browser: Browser): Promise<{ id_token: string; access_token: string }> {
  const asked = ask(app);
  const code = (await authorizeWith(browser, asked)).searchParams.get('code')!;
  const form = { code, client_id: app.id, redirect_uri: CALLBACK, code_verifier: asked.verifier };
  return (await redeem(form)).body;
}

function logout(given: Record<string, string>): string {
  return `/oauth2/logout?${new URLSearchParams(given)}`;
}

async function isLive(token: string): Promise<boolean> {
  return (await callAuth('GET', '/auth/me', { token })).status === 200;
}

describe('with an ID token of ours', () => {
  test('the app’s login and the browser’s session end, and the person is back at the app', async () => {
    const browser = await openBrowser(owner);
    const { id_token, access_token } = await signInToApp(browser);
    const ask = { id_token_hint: id_token, post_logout_redirect_uri: CALLBACK, state: 's' };
    expect(sentTo(await browser.open(logout(ask))).href).toBe(`${CALLBACK}?state=s`);
    expect(await isLive(access_token)).toBe(false);
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    expect(sentTo(await browser.open(logout(ask))).href).toBe(`${CALLBACK}?state=s`);
  });

  test('in a browser of somebody else, or of nobody, only the app’s login ends', async () => {
    const { id_token, access_token } = await signInToApp(await openBrowser(owner));
    const stranger = await openBrowser(await makeOwner());
    expect(sentTo(await stranger.open(logout({ id_token_hint: id_token }))).pathname).toBe('/signin');
    expect(await isLive(access_token)).toBe(false);
    expect((await stranger.send('GET', '/auth/me')).status).toBe(200);
    const again = await signInToApp(await openBrowser(owner));
    await callAuth('GET', logout({ id_token_hint: again.id_token }));
    expect(await isLive(again.access_token)).toBe(false);
  });

  test('a form comes to the same', async () => {
    const given = { id_token_hint: 'x', state: 's' };
    const posted = await callAuth('POST', '/oauth2/logout', { body: new URLSearchParams(given) });
    const next = sentTo(posted);
    expect(next.pathname + next.search).toBe(logout(given));
  });
});

describe('without one nothing ends: the person is asked', () => {
  test('no token, one that is no ID token, one of another server', async () => {
    const browser = await openBrowser(owner);
    const { access_token } = await signInToApp(browser);
    const forged = `${'e30'}.${'e30'}.x`;
    const nothings: Record<string, string>[] = [
      { client_id: app.id },
      { id_token_hint: access_token },
      { id_token_hint: forged },
    ];
    for (const given of nothings) expect(sentTo(await browser.open(logout(given))).pathname).toBe('/signout');
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
    expect(await isLive(access_token)).toBe(true);
  });

  test('a link of another site that names nothing asks, too', async () => {
    const browser = await openBrowser(owner);
    expect(sentTo(await browser.open('/oauth2/logout')).pathname).toBe('/signout');
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
  });
});

test('no open redirect: 400 for an address that is not the app’s, and nothing ends', async () => {
  const browser = await openBrowser(owner);
  const { id_token, access_token } = await signInToApp(browser);
  const elsewhere = ['https://evil.test/', `${CALLBACK}/..`, '//evil.test', 'javascript:alert(1)'];
  const names: Record<string, string>[] = [{ id_token_hint: id_token }, { client_id: app.id }, {}];
  for (const uri of elsewhere) {
    for (const given of names) {
      const { status, headers } = await browser.open(logout({ ...given, post_logout_redirect_uri: uri }));
      expect([uri, status, headers.get('location')]).toEqual([uri, 400, null]);
    }
  }
  const other = await makeApp(owner, { redirectUris: ['https://other.example.com/'] });
  const mixed = {
    id_token_hint: id_token,
    client_id: other.id,
    post_logout_redirect_uri: 'https://other.example.com/',
  };
  expect((await browser.open(logout(mixed))).status).toBe(400);
  expect(await isLive(access_token)).toBe(true);
});
