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
  expect(body.keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.any(String),
      alg: 'ES256',
      use: 'sig',
    },
  ]);
  expect(text).not.toContain('"d"');
});

test('discovery names what there is, and every address answers', async () => {
  const { status, body } = await callAuth('GET', '/.well-known/openid-configuration');
  expect([status, body.issuer]).toEqual([200, 'http://localhost:3999']);
  for (const name of [
    'token_endpoint',
    'introspection_endpoint',
    'revocation_endpoint',
    'jwks_uri',
    'end_session_endpoint',
  ]) {
    const path = new URL(body[name]).pathname;
    expect((await callAuth('OPTIONS', path)).status).toBe(204);
    expect((await callAuth('POST', path)).status).not.toBe(404);
  }
});

test('404 as an outcome for what is not there', async () => {
  const { status, body } = await callAuth('GET', '/.well-known/security.txt');
  expect([status, body.id]).toEqual([404, 'not-found']);
});
