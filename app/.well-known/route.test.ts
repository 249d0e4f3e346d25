import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, signIn } from '#lib/testing/people.ts';

test('the published keys verify our tokens, and hold nothing private', async () => {
  const { tokens, access } = await signIn(await makeOwner());
  const { status, headers, body, text } = await callAuth('GET', '/.well-known/jwks.json');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  const keys = createLocalJWKSet(body);
  for (const token of [access, tokens.id_token]) {
    const { payload } = await jwtVerify(token, keys, { issuer: 'http://localhost:3999' });
    expect(payload.login_id).toBeTypeOf('string');
  }
  const common = { kid: expect.any(String), use: 'sig' };
  const kinds: Record<string, object> = {
    ES256: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
    // Once a client has wanted it.
    RS256: { kty: 'RSA', n: expect.any(String), e: 'AQAB' },
  };
  expect(body.keys[0].alg).toBe('ES256');
  for (const key of body.keys) expect(key).toEqual({ ...common, alg: key.alg, ...kinds[key.alg] });
  expect(text).not.toContain('"d"');
});

test('discovery names what there is, and every address answers', async () => {
  const { status, body } = await callAuth('GET', '/.well-known/openid-configuration');
  expect([status, body.issuer]).toEqual([200, 'http://localhost:3999']);
  const addresses = Object.entries<string>(body).filter(
    ([name]) => name.endsWith('_endpoint') || name.endsWith('_uri'),
  );
  expect(addresses.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'introspection_endpoint',
      'revocation_endpoint',
      'end_session_endpoint',
    ]),
  );
  for (const [, address] of addresses) {
    const path = new URL(address).pathname;
    expect((await callAuth('OPTIONS', path)).status).toBe(204);
    expect((await callAuth('POST', path)).status).not.toBe(404);
  }
});

test('RFC 8414 and SMART name the same addresses, and the statement of FHIR too', async () => {
  const { body: discovery } = await callAuth('GET', '/.well-known/openid-configuration');
  const { body: server } = await callAuth('GET', '/.well-known/oauth-authorization-server');
  expect(server).toEqual(discovery);
  const { body: smart } = await callAuth('GET', '/fhir/R4/.well-known/smart-configuration');
  expect(smart).toMatchObject({
    authorization_endpoint: discovery.authorization_endpoint,
    token_endpoint: discovery.token_endpoint,
    code_challenge_methods_supported: ['S256'],
  });
  const { body: statement } = await callAuth('GET', '/fhir/R4/metadata');
  expect(statement.rest[0].security.extension[0].extension).toEqual(
    expect.arrayContaining([
      { url: 'authorize', valueUri: discovery.authorization_endpoint },
      { url: 'token', valueUri: discovery.token_endpoint },
    ]),
  );
});

test('404 as an outcome for what is not there', async () => {
  const { status, body } = await callAuth('GET', '/.well-known/security.txt');
  expect([status, body.id]).toEqual([404, 'not-found']);
});
