import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLBACK, makeApp } from '../app.ts';
import { makeOwner, type Owner, type TestClient } from '../people.ts';
import { type PeerApi, startApi } from './start-api.ts';
import { openWebBrowser, type WebBrowser } from './web-browser.ts';

/** Certified clients, unmodified, with nothing but the issuer and what was registered (issue: "an authorization server that certified clients accept"). */
const SCOPE = 'openid profile email offline_access';
let api: PeerApi;
let owner: Owner;
let app: TestClient;
let browser: WebBrowser;

beforeAll(async () => {
  api = await startApi();
  owner = await makeOwner();
  app = await makeApp(owner);
  browser = await openWebBrowser(api.baseUrl, owner);
}, 60_000);
afterAll(() => api?.stop());

describe.each([
  ['a public client', () => oidc.None()],
  ['a confidential client, by Basic', () => oidc.ClientSecretBasic(app.secret)],
  ['a confidential client, by its form', () => oidc.ClientSecretPost(app.secret)],
] as const)('openid-client 6: %s', (_, authentication) => {
  const insecure = { execute: [oidc.allowInsecureRequests] };

  it('code with PKCE, state and nonce; userinfo; refresh; sign-out', async () => {
    const config = await oidc.discovery(new URL(api.baseUrl), app.id, undefined, authentication(), insecure);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: expectedState,
      nonce: expectedNonce,
      max_age: '3600',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 3600, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(config, await browser.follow(address), checks);
    expect(tokens.claims()).toMatchObject({ iss: api.baseUrl, aud: app.id, sub: owner.userId, nonce: expectedNonce });

    const person = await oidc.fetchUserInfo(config, tokens.access_token, owner.userId);
    expect(person).toMatchObject({ name: 'Ada Stone', email: owner.email });

    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.claims()?.sub).toBe(owner.userId);

    const out = oidc.buildEndSessionUrl(config, {
      id_token_hint: renewed.id_token!,
      post_logout_redirect_uri: CALLBACK,
      state: 'bye',
    });
    const own = await openWebBrowser(api.baseUrl, await makeOwner());
    expect((await own.follow(out)).href).toBe(`${CALLBACK}?state=bye`);
    await expect(oidc.fetchUserInfo(config, renewed.access_token, owner.userId)).rejects.toThrow();
  });

  it('the request sent beforehand (PAR): the browser brings its name alone', async () => {
    const config = await oidc.discovery(new URL(api.baseUrl), app.id, undefined, authentication(), insecure);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const address = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: 'mine',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const checks = { pkceCodeVerifier, expectedState: 'mine' };
    const tokens = await oidc.authorizationCodeGrant(config, await browser.follow(address), checks);
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).claims()?.sub).toBe(owner.userId);
    await expect(browser.follow(address)).rejects.toThrow('400');
  });

  it('a device without a browser (RFC 8628): waits for the person’s yes', async () => {
    const config = await oidc.discovery(new URL(api.baseUrl), app.id, undefined, authentication(), insecure);
    const started = await oidc.initiateDeviceAuthorization(config, { scope: SCOPE });
    await browser.send('/auth/device/decision', { userCode: started.user_code, decision: 'allow' });
    const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...started, interval: 0 });
    expect(tokens.claims()).toMatchObject({ sub: owner.userId, aud: app.id });
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).token_type).toBe('bearer');
    const refused = await oidc.initiateDeviceAuthorization(config, { scope: SCOPE });
    await browser.send('/auth/device/decision', { userCode: refused.user_code, decision: 'deny' });
    await expect(oidc.pollDeviceAuthorizationGrant(config, { ...refused, interval: 0 })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('an answer with another state, from another issuer, or of another sign-in is refused by the client', async () => {
    const config = await oidc.discovery(new URL(api.baseUrl), app.id, undefined, authentication(), insecure);
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const code_challenge = await oidc.calculatePKCECodeChallenge(pkceCodeVerifier);
    const start = () =>
      browser.follow(
        oidc.buildAuthorizationUrl(config, {
          redirect_uri: CALLBACK,
          scope: SCOPE,
          state: 'mine',
          nonce: 'mine',
          code_challenge,
          code_challenge_method: 'S256',
        }),
      );
    const right = { pkceCodeVerifier, expectedState: 'mine', expectedNonce: 'mine' };
    const grant = (url: URL, change = {}) => oidc.authorizationCodeGrant(config, url, { ...right, ...change });
    const mixed = await start();
    mixed.searchParams.set('iss', 'https://evil.example.com');
    await expect(grant(mixed)).rejects.toThrow();
    const silent = await start();
    silent.searchParams.delete('iss');
    await expect(grant(silent)).rejects.toThrow();
    await expect(grant(await start(), { expectedState: 'another' })).rejects.toThrow();
    await expect(grant(await start(), { expectedNonce: 'another' })).rejects.toThrow();
    await expect(grant(await start(), { pkceCodeVerifier: oidc.randomPKCECodeVerifier() })).rejects.toThrow();
    expect((await grant(await start())).token_type).toBe('bearer');
  });
});

it('oauth4webapi: discovery as RFC 8414, the code, userinfo and refresh', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const issuer = new URL(api.baseUrl);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const client: oauth.Client = { client_id: app.id };
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(as.authorization_endpoint!);
  const query = {
    client_id: app.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: SCOPE,
    state: 's',
    nonce: 'n',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const params = oauth.validateAuthResponse(as, client, await browser.follow(address), 's');
  const asked = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    params,
    CALLBACK,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, asked, { expectedNonce: 'n' });
  const sub = decodeJwt(tokens.id_token!).sub!;
  const person = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
  expect(await oauth.processUserInfoResponse(as, client, sub, person)).toMatchObject({ email: owner.email });
  const again = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure);
  expect((await oauth.processRefreshTokenResponse(as, client, again)).access_token).toBeTypeOf('string');
  const silent = new URL(address);
  silent.searchParams.set('prompt', 'none');
  expect((await browser.follow(silent)).searchParams.has('code')).toBe(true);
});
