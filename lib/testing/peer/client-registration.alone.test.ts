import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../call-api.ts';
import { makeClient, makeOwner, type Owner } from '../people.ts';
import { type PeerApi, startApi } from './start-api.ts';
import { openWebBrowser } from './web-browser.ts';

let api: PeerApi;
let owner: Owner;
let initialAccessToken: string;

beforeAll(async () => {
  api = await startApi();
  owner = await makeOwner();
  const { basic } = await makeClient(owner.projectId, {}, { admin: true });
  const path = `/admin/projects/${owner.projectId}`;
  await callApi(basic, 'POST', `${path}/settings`, { body: [{ name: 'appRegistration', valueBoolean: true }] });
  const made = await callApi(basic, 'POST', `${path}/registrationtokens`, { body: { name: 'Partner', most: 10 } });
  initialAccessToken = made.body.token;
}, 60_000);
afterAll(() => api?.stop());

const CALLBACK = 'https://app.example.com/callback';
const execute = [oidc.allowInsecureRequests];

test('openid-client registers an app by what discovery tells, and signs a person in with it, with an ID token by RS256', async () => {
  const metadata = {
    client_name: 'Growth charts',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const config = await oidc.dynamicClientRegistration(new URL(api.baseUrl), metadata, undefined, {
    initialAccessToken,
    execute,
  });
  oidc.enableNonRepudiationChecks(config);
  const client = config.clientMetadata();
  expect(client).toMatchObject({ ...metadata, token_endpoint_auth_method: 'client_secret_basic' });
  const verifier = oidc.randomPKCECodeVerifier();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid offline_access',
    state: 's-1',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const browser = await openWebBrowser(api.baseUrl, owner);
  const landed = await browser.follow(address);
  const tokens = await oidc.authorizationCodeGrant(config, landed, {
    pkceCodeVerifier: verifier,
    expectedState: 's-1',
  });
  expect(tokens.claims()?.sub).toBe(owner.userId);
  const next = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
  expect((await oidc.fetchUserInfo(config, next.access_token, owner.userId)).sub).toBe(owner.userId);
});

test('without a token it is refused, as openid-client tells it', async () => {
  const registering = oidc.dynamicClientRegistration(new URL(api.baseUrl), { redirect_uris: [CALLBACK] }, undefined, {
    execute,
  });
  await expect(registering).rejects.toMatchObject({ status: 401 });
});
