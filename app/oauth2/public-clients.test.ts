import { allowInsecureRequests, customFetch, validateJwtAccessToken } from 'oauth4webapi';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { makeClient, makeOwner, type Owner, startSession, type TestClient } from '#lib/testing/people.ts';
import { type KeyPair, type KeyServer, makeKeyPair, startKeyServer } from '#lib/testing/servers/key-server.ts';

/** openid-client and oauth4webapi, unmodified: a certified client that knows our address and nothing else. */
const ISSUER = new URL('http://localhost:3999');
let restore: () => void;
let owner: Owner;
let keys: KeyServer;
let pair: KeyPair;
let client: TestClient;

beforeAll(async () => {
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  [owner, keys, pair] = await Promise.all([makeOwner(), startKeyServer(), makeKeyPair('ES256')]);
  keys.keys = [pair.publicJwk];
  client = await makeClient(owner.projectId, { jwksUri: keys.jwksUri });
});
afterAll(async () => {
  restore();
  await keys.stop();
});

/** Its requests, through our door. */
const fetchHere: oidc.CustomFetch = async (address, { method, headers, body }) => {
  const { pathname, search } = new URL(address);
  const answer = await callAuth(method, `${pathname}${search}`, { headers, body });
  return new Response(new Uint8Array(answer.bytes), { status: answer.status, headers: answer.headers });
};

const HERE = { execute: [oidc.allowInsecureRequests], [oidc.customFetch]: fetchHere };

function discover(metadata: string | undefined, proof?: oidc.ClientAuth): Promise<oidc.Configuration> {
  return oidc.discovery(ISSUER, client.id, metadata, proof, HERE);
}

const proofs: [string, () => oidc.ClientAuth][] = [
  ['client_secret_post', () => oidc.ClientSecretPost(client.secret)],
  ['client_secret_basic', () => oidc.ClientSecretBasic(client.secret)],
  ['private_key_jwt', () => oidc.PrivateKeyJwt({ key: pair.privateKey, kid: pair.kid })],
];

describe.each(proofs)('%s', (name, proof) => {
  test('a token, a look at it, its end', async () => {
    const config = await discover(undefined, proof());
    expect(config.serverMetadata().token_endpoint_auth_methods_supported).toContain(name);
    const { access_token: token, expires_in } = await oidc.clientCredentialsGrant(config, { scope: 'openid' });
    expect(expires_in).toBe(3600);
    expect(await oidc.tokenIntrospection(config, token)).toMatchObject({ active: true, client_id: client.id });
    await oidc.tokenRevocation(config, token);
    expect(await oidc.tokenIntrospection(config, token)).toEqual({ active: false });
  });

  test('a code, with PKCE, and a refresh', async () => {
    const config = await discover(undefined, proof());
    const { code, verifier } = await startSession(owner, { clientId: client.id, scope: 'openid offline_access' });
    const back = new URL(`https://app.example.com/callback?${new URLSearchParams({ code, iss: ISSUER.origin })}`);
    const tokens = await oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier });
    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(next.claims()).toMatchObject({ sub: owner.userId, aud: client.id });
    const bare = await oidc
      .discovery(ISSUER, client.id, undefined, oidc.None(), HERE)
      .then((none) => oidc.refreshTokenGrant(none, next.refresh_token!).catch((error: unknown) => error));
    expect(bare).toMatchObject({ error: 'invalid_client' });
  });
});

test('an access token is one of RFC 9068, as oauth4webapi checks it', async () => {
  const config = await discover(undefined, oidc.ClientSecretBasic(client.secret));
  const { access_token: token } = await oidc.clientCredentialsGrant(config);
  const request = new Request('http://localhost:3999/fhir/R4/Patient', {
    headers: { authorization: `Bearer ${token}` },
  });
  const options = { [customFetch]: fetchHere, [allowInsecureRequests]: true } as const;
  const claims = await validateJwtAccessToken(config.serverMetadata(), request, ISSUER.origin, options);
  expect(claims).toMatchObject({ sub: client.id, client_id: client.id, jti: expect.any(String) });
});

test('what is refused has its name, and of a wrong secret in the header the scheme', async () => {
  const refused = (proof: oidc.ClientAuth) =>
    discover(undefined, proof).then((config) => oidc.clientCredentialsGrant(config).catch((error: unknown) => error));
  expect(await refused(oidc.ClientSecretPost('wrong'))).toMatchObject({ error: 'invalid_client', status: 400 });
  const byHeader = await refused(oidc.ClientSecretBasic('wrong'));
  expect(byHeader).toMatchObject({ cause: [{ scheme: 'basic', parameters: { realm: 'http://localhost:3999' } }] });
  const config = await discover(undefined, oidc.ClientSecretBasic(client.secret));
  await expect(oidc.refreshTokenGrant(config, 'nonsense')).rejects.toMatchObject({ error: 'invalid_grant' });
  await expect(oidc.genericGrantRequest(config, 'urn:example:nothing', {})).rejects.toMatchObject({
    error: 'unsupported_grant_type',
  });
});
