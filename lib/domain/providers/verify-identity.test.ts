import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { type KeyPair, makeKeyPair, signAssertion } from '#lib/testing/servers/key-server.ts';
import type { Provider } from './provider.ts';
import { verifyIdentity } from './verify-identity.ts';

const OURS = 'our-client';
const NONCE = 'of-this-sign-in';
const CLIENT_SECRET = 'a-secret-of-the-client-that-both-know';

let restore: () => void;
let server: Server;
let origin: string;
let told: string;
let pair: KeyPair;

beforeAll(async () => {
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  pair = await makeKeyPair('ES256');
  server = createServer((request, response) => {
    const metadata = { issuer: told, jwks_uri: `${origin}/jwks` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url === '/jwks' ? { keys: [pair.publicJwk] } : metadata));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  told = origin;
});
afterAll(() => {
  restore();
  server.close();
});

function comeBack(idToken: string | undefined, change: Partial<Provider['settings']> = {}) {
  const settings = { issuer: origin, clientId: OURS, ...change } as Provider['settings'];
  const provider: Provider = { projectId: newId(), owner: 'ClientApplication/x', settings };
  return verifyIdentity(provider, { accessToken: undefined, idToken }, NONCE);
}

const RIGHT = { sub: 'u-1', nonce: NONCE, email: 'Ada@example.com', email_verified: true };

function idToken(change: Record<string, unknown> = {}, by = pair, header: Record<string, unknown> = {}) {
  return signAssertion(by, origin, { aud: OURS, ...RIGHT, ...change }, header);
}

test('an id token that is signed, for us and of this sign-in names somebody', async () => {
  expect(await comeBack(await idToken())).toEqual({ subject: 'u-1', email: 'ada@example.com' });
});

test('how they signed in there is read of it; one that is older than the settings want, or does not say, names nobody', async () => {
  const now = Math.floor(Date.now() / 1000);
  const told = { acr: 'a', amr: ['mfa'] };
  expect(await comeBack(await idToken({ ...told, auth_time: now }), { maxAge: 300 })).toMatchObject({ strength: told });
  for (const claims of [{}, { auth_time: now - 400 }, { auth_time: now + 400 }, { auth_time: String(now) }])
    await expect(comeBack(await idToken(claims), { maxAge: 300 })).rejects.toThrow('did not confirm');
});

test('one without a signature, by another key, by a secret, or that brings its key along names nobody', async () => {
  const other = await makeKeyPair('ES256');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: origin, aud: OURS, exp: now + 60, ...RIGHT };
  const whole = await idToken();
  const forged = [
    undefined,
    '',
    `${part({ alg: 'none' })}.${part(claims)}.`,
    `${whole.split('.').slice(0, 2).join('.')}.`,
    await idToken({}, { ...other, kid: pair.kid }),
    await idToken({}, other, { jwk: other.publicJwk }),
    await idToken({}, other, { jku: `${origin}/others` }),
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT_SECRET)),
    await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: pair.kid })
      .sign(new TextEncoder().encode(JSON.stringify(pair.publicJwk))),
  ];
  for (const token of forged) await expect(comeBack(token)).rejects.toThrow('did not confirm');
});

test('one for another client, of another issuer or sign-in, or out of its time names nobody', async () => {
  const past = Math.floor(Date.now() / 1000) - 600;
  const wrong: Record<string, unknown>[] = [
    { aud: 'another-client' },
    { aud: undefined },
    { aud: [OURS, 'another-client'], azp: 'another-client' },
    { iss: 'https://evil.example.com' },
    { nonce: 'of-another' },
    { nonce: undefined },
    { exp: past },
    { exp: undefined },
    { nbf: Math.floor(Date.now() / 1000) + 600 },
    { sub: undefined },
  ];
  for (const change of wrong) await expect(comeBack(await idToken(change))).rejects.toThrow('did not confirm');
});

test('metadata that names another issuer is not believed, by a slash neither', async () => {
  for (const name of ['https://idp.example.com', `${origin}/`]) {
    told = name;
    await expect(comeBack(await idToken())).rejects.toThrow('did not confirm');
  }
  told = origin;
  expect((await comeBack(await idToken())).subject).toBe('u-1');
});
