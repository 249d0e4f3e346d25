import { eq } from 'drizzle-orm';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#lib/infra/db/schema/login.ts';
import { makeApp } from '../../app.ts';
import { db } from '../../set-up/own-db.ts';
import { type RelyingParty, startRelyingParty, type Tokens } from './relying-party.ts';

/**
 * The modules of the OpenID Foundation's conformance suite, plans oidcc-basic-certification-test-plan and oidcc-config-certification-test-plan
 * (server_metadata=discovery, client_registration=static_client), each by its name, with what it checks. Refresh is a module of the first.
 */
let rp: RelyingParty;
beforeAll(async () => {
  rp = await startRelyingParty();
}, 60_000);
afterAll(() => rp?.api.stop());

const userInfo = (tokens: Tokens) => oidc.fetchUserInfo(rp.config, tokens.access_token, rp.owner.userId);

/** The tester has signed in so long ago. */
async function signedInAgo(seconds: number): Promise<void> {
  const authTime = new Date(Date.now() - seconds * 1000);
  await db()
    .update(login)
    .set({ authTime })
    .where(eq(login.userRef, `User/${rp.owner.userId}`));
}

const KINDS: Record<string, object> = { ES256: { kty: 'EC', crv: 'P-256' }, RS256: { kty: 'RSA', e: 'AQAB' } };

describe('oidcc-config-certification-test-plan', () => {
  it('oidcc-discovery-endpoint-verification', async () => {
    const metadata = rp.config.serverMetadata();
    expect(metadata.issuer).toBe(rp.api.baseUrl);
    expect(metadata).toMatchObject({
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      // The suite wants RS256 among them.
      id_token_signing_alg_values_supported: ['ES256', 'RS256'],
      scopes_supported: expect.arrayContaining(['openid']),
      claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'acr']),
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
    });
    for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'] as const) {
      expect(new URL(metadata[name]!).hash, name).toBe('');
    }
    const keys = (await (await fetch(metadata.jwks_uri!)).json()) as { keys: Record<string, string>[] };
    expect(new Set(keys.keys.map(({ kid }) => kid)).size).toBe(keys.keys.length);
    for (const key of keys.keys) {
      expect(key).toMatchObject({ use: 'sig', ...KINDS[key.alg!] });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
    }
  });
});

describe('oidcc-basic-certification-test-plan', () => {
  it('oidcc-server', async () => {
    const tokens = await rp.tokens({ nonce: 'n-1' });
    const { payload } = await jwtVerify(
      tokens.id_token!,
      createRemoteJWKSet(new URL(rp.config.serverMetadata().jwks_uri!)),
      {
        issuer: rp.api.baseUrl,
        audience: rp.client.id,
      },
    );
    expect(payload).toMatchObject({ sub: rp.owner.userId, nonce: 'n-1' });
    expect(tokens.token_type).toBe('bearer');
  });

  it('oidcc-idtoken-rs256', async () => {
    const client = await makeApp(rp.owner, {
      redirectUris: ['https://app.example.com/callback'],
      idTokenSignedResponseAlg: 'RS256',
    });
    const metadata = { id_token_signed_response_alg: 'RS256' };
    const method = oidc.ClientSecretBasic(client.secret);
    const config = new oidc.Configuration(rp.config.serverMetadata(), client.id, metadata, method);
    oidc.allowInsecureRequests(config);
    // Its signature is checked by the key at jwks_uri, whatever TLS has said.
    oidc.enableNonRepudiationChecks(config);
    const landed = await rp.browser.follow(rp.ask({ client_id: client.id, scope: 'openid offline_access' }));
    const tokens = await oidc.authorizationCodeGrant(config, landed, { expectedState: 'suite-state' });
    expect(decodeProtectedHeader(tokens.id_token!)).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(next.claims()?.sub).toBe(rp.owner.userId);
    expect(decodeProtectedHeader(next.access_token).alg).toBe('ES256');
    const keys = (await (await fetch(config.serverMetadata().jwks_uri!)).json()) as { keys: Record<string, string>[] };
    expect(keys.keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256']);
    for (const key of keys.keys) expect(key).toMatchObject({ use: 'sig', ...KINDS[key.alg!] });
  });

  it('oidcc-response-type-missing', async () => {
    const answer = await rp.answer({ response_type: '' });
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'invalid_request', state: 'suite-state' });
  });

  it('oidcc-userinfo-get', async () => {
    expect((await userInfo(await rp.tokens())).sub).toBe(rp.owner.userId);
  });

  it('oidcc-userinfo-post-header', async () => {
    const { access_token } = await rp.tokens();
    const answer = await oidc.fetchProtectedResource(
      rp.config,
      access_token,
      new URL(rp.config.serverMetadata().userinfo_endpoint!),
      'POST',
    );
    expect(await answer.json()).toMatchObject({ sub: rp.owner.userId });
  });

  it('oidcc-userinfo-post-body', async () => {
    const { access_token } = await rp.tokens();
    const post = (body: Record<string, string>, headers = {}) =>
      fetch(rp.config.serverMetadata().userinfo_endpoint!, {
        method: 'POST',
        headers,
        body: new URLSearchParams(body),
      });
    expect(await (await post({ access_token })).json()).toMatchObject({ sub: rp.owner.userId });
    expect((await post({ access_token: 'x' })).status).toBe(401);
    expect((await post({})).status).toBe(401);
    expect((await post({ access_token }, { authorization: `Bearer ${access_token}` })).status).toBe(400);
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    expect((await rp.tokens()).claims()).not.toHaveProperty('nonce');
  });

  const CLAIMS: [string, string, Record<string, unknown>][] = [
    ['oidcc-scope-profile', 'profile', { name: 'Ada Stone', given_name: 'Ada', family_name: 'Stone' }],
    ['oidcc-scope-email', 'email', { email: expect.stringContaining('@'), email_verified: expect.any(Boolean) }],
    ['oidcc-scope-address', 'address', { address: expect.objectContaining({ locality: 'Utrecht' }) }],
    ['oidcc-scope-phone', 'phone', { phone_number: '+31 20 123' }],
    ['oidcc-scope-all', 'profile email address phone', { name: 'Ada Stone', phone_number: '+31 20 123' }],
  ];
  it.each(CLAIMS)('%s', async (_, scope, claims) => {
    const tokens = await rp.tokens({ scope: `openid ${scope}` });
    expect(await userInfo(tokens)).toMatchObject({ sub: rp.owner.userId, ...claims });
  });

  it('oidcc-ensure-other-scope-order-succeeds', async () => {
    expect((await userInfo(await rp.tokens({ scope: 'email openid' }))).email).toBe(rp.owner.email);
  });

  it.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-login-hint', { login_hint: 'buffy@example.com' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
  ])('%s', async (_, change) => {
    const tokens = await rp.tokens(change);
    expect(tokens.claims()?.sub).toBe(rp.owner.userId);
    // Only of what it does is it said: one factor was shown, whatever was asked for.
    expect(tokens.claims()?.acr).toBe('urn:gatehouse:acr:one-factor');
  });

  it('oidcc-prompt-login', async () => {
    await rp.tokens();
    await signedInAgo(60);
    const first = (await rp.tokens()).claims()!;
    const second = (await rp.tokens({ prompt: 'login' })).claims()!;
    expect(second.auth_time).toBeGreaterThan(first.auth_time!);
    expect(second.sub).toBe(first.sub);
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    const answer = await fetch(rp.ask({ prompt: 'none' }), { redirect: 'manual' });
    const { searchParams } = new URL(answer.headers.get('location')!);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'login_required', state: 'suite-state' });
  });

  it('oidcc-prompt-none-logged-in', async () => {
    const first = (await rp.tokens()).claims()!;
    const second = (await rp.tokens({ prompt: 'none' })).claims()!;
    expect([second.sub, second.auth_time]).toEqual([first.sub, first.auth_time]);
  });

  it('oidcc-max-age-1', async () => {
    const first = (await rp.tokens()).claims()!;
    await signedInAgo(60);
    const second = (await rp.tokens({ max_age: '1' })).claims()!;
    expect(second.auth_time).toBeGreaterThanOrEqual(first.auth_time!);
    expect(second.auth_time! * 1000).toBeGreaterThan(Date.now() - 60_000);
  });

  it('oidcc-max-age-10000', async () => {
    await signedInAgo(60);
    const first = (await rp.tokens({ max_age: '10000' })).claims()!;
    const second = (await rp.tokens({ max_age: '10000' })).claims()!;
    expect(second.auth_time).toBe(first.auth_time);
  });

  it('oidcc-id-token-hint', async () => {
    const { id_token } = await rp.tokens();
    const again = await rp.tokens({ prompt: 'none', id_token_hint: id_token! });
    expect(again.claims()?.sub).toBe(rp.owner.userId);
  });

  it.each(['oidcc-codereuse', 'oidcc-codereuse-30seconds'])('%s', async () => {
    // The second one waits for half a minute in between: a code that was used is never good again, whenever.
    const code = (await rp.answer()).get('code')!;
    const tokens = await rp.redeem(code);
    expect((await userInfo(tokens)).sub).toBe(rp.owner.userId);
    await expect(rp.redeem(code)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    await expect(userInfo(tokens)).rejects.toThrow();
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    for (const redirect_uri of ['https://app.example.com/not-registered', 'https://app.example.com/callback?foo=bar']) {
      const answer = await fetch(rp.ask({ redirect_uri }), { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    }
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    const address = rp.ask();
    const body = address.searchParams;
    const posted = await fetch(`${address.origin}${address.pathname}`, { method: 'POST', body, redirect: 'manual' });
    const landed = await rp.browser.follow(new URL(posted.headers.get('location')!, rp.api.baseUrl));
    expect((await rp.redeem(landed.searchParams.get('code')!)).claims()?.sub).toBe(rp.owner.userId);
  });

  it('oidcc-server-client-secret-post', async () => {
    const method = oidc.ClientSecretPost(rp.client.secret);
    const config = new oidc.Configuration(rp.config.serverMetadata(), rp.client.id, undefined, method);
    oidc.allowInsecureRequests(config);
    const landed = await rp.browser.follow(rp.ask());
    const tokens = await oidc.authorizationCodeGrant(config, landed, { expectedState: 'suite-state' });
    expect(tokens.claims()?.sub).toBe(rp.owner.userId);
  });

  it.each([
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    'oidcc-ensure-request-object-with-redirect-uri',
  ])('%s', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const request = `${part({ alg: 'none' })}.${part({ redirect_uri: 'https://app.example.com/callback', state: 'x' })}.`;
    const answer = await rp.answer({ request });
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'request_not_supported', state: 'suite-state' });
  });

  it('oidcc-refresh-token', async () => {
    const first = await rp.tokens({ scope: 'openid offline_access', prompt: 'consent', nonce: 'n-2' });
    const next = await oidc.refreshTokenGrant(rp.config, first.refresh_token!);
    const [before, after] = [first.claims()!, next.claims()!];
    expect([after.iss, after.sub, after.aud]).toEqual([before.iss, before.sub, before.aud]);
    expect([after.auth_time, after.iat >= before.iat]).toEqual([before.auth_time, true]);
    expect(next.access_token).not.toBe(first.access_token);
    // The second client of the suite may not use what the first was given.
    const body = { grant_type: 'refresh_token', refresh_token: next.refresh_token!, client_id: rp.owner.projectId };
    const stolen = await fetch(rp.config.serverMetadata().token_endpoint!, {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    expect([stolen.status, await stolen.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await oidc.refreshTokenGrant(rp.config, next.refresh_token!)).claims()?.sub).toBe(rp.owner.userId);
  });

  it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const code_challenge = await oidc.calculatePKCECodeChallenge(pkceCodeVerifier);
    const landed = await rp.browser.follow(rp.ask({ code_challenge, code_challenge_method: 'S256' }));
    const checks = { pkceCodeVerifier, expectedState: 'suite-state' };
    expect((await oidc.authorizationCodeGrant(rp.config, landed, checks)).claims()?.sub).toBe(rp.owner.userId);
  });
});
