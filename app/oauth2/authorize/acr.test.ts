import { decodeJwt } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, signInBy } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp, startSignIn, verify } from '#lib/testing/factors.ts';
import { makeOwner, type Owner, redeem, refresh, type TestClient } from '#lib/testing/people.ts';

/** OpenID Connect Core §2 and §3.1.2.1: `acr`, `amr` and `auth_time` say what the person did, whatever was asked for. */
const ONE = 'urn:gatehouse:acr:one-factor';
const TWO = 'urn:gatehouse:acr:two-factors';
let owner: Owner;
let browser: Browser;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  app = await makeApp(owner);
});

async function tokensOf(who: Browser, client: TestClient, change: Record<string, string>) {
  const asked = ask(client, { scope: 'openid offline', ...change });
  const code = (await authorizeWith(who, asked)).searchParams.get('code')!;
  const { body } = await redeem({ code, client_id: client.id, redirect_uri: CALLBACK, code_verifier: asked.verifier });
  return body;
}

const saidBy = (token: string) => {
  const { acr, amr } = decodeJwt(token);
  return [acr, amr];
};

test('with a password alone: one factor, also where two are asked for and there are none; a refresh says the same', async () => {
  for (const acr_values of [TWO, ONE, `urn:unknown ${TWO}`, '1']) {
    const tokens = await tokensOf(browser, app, { acr_values });
    expect(saidBy(tokens.id_token)).toEqual([ONE, ['pwd']]);
    const { body } = await refresh(tokens.refresh_token, { client_id: app.id });
    expect(saidBy(body.id_token)).toEqual([ONE, ['pwd']]);
    expect(decodeJwt(body.id_token).auth_time).toBe(decodeJwt(tokens.id_token).auth_time);
  }
  const silent = sentTo(await browser.open(ask(app, { scope: 'openid', acr_values: TWO, prompt: 'none' }).path));
  expect(silent.searchParams.has('code')).toBe(true);
});

test('who has a second factor is asked for it first, and then it is told', async () => {
  const other = await makeOwner();
  const theirs = await openBrowser(other);
  const { app: authenticator } = await enrollTotp(other);
  const client = await makeApp(other);
  expect(sentTo(await theirs.open(ask(client, { acr_values: TWO }).path)).pathname).toBe('/signin');
  const started = await startSignIn(other);
  const { body } = await verify(started.body.login, authenticator.next());
  const tokens = await redeem({ code: body.code, code_verifier: 'v'.repeat(43) });
  expect(saidBy(tokens.body.id_token)).toEqual([TWO, ['pwd', 'otp', 'mfa']]);
});

test('a passkey is two', async () => {
  const other = await makeOwner();
  const { key } = await addPasskey(other);
  const { body } = await signInBy(key);
  const tokens = await redeem({ code: body.code, code_verifier: 'c'.repeat(43) });
  expect(saidBy(tokens.body.id_token)).toEqual([TWO, ['pop', 'user', 'mfa']]);
});

test('discovery names what may be asked for', async () => {
  const { body } = await callAuth('GET', '/.well-known/openid-configuration');
  expect(body.acr_values_supported).toEqual([ONE, TWO]);
  expect(body.claims_supported).toEqual(expect.arrayContaining(['acr', 'amr', 'auth_time']));
});
