import { generateKeyPair, SignJWT } from 'jose';
import { encode } from 'next-auth/jwt';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { signingKeys } from '#lib/domain/signing/signing-keys.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeMember, makeClient, makeOwner, type Owner, signIn, toBasic } from '#lib/testing/people.ts';

const BASE = 'http://localhost:3999';
let owner: Owner;
let login: string;
let access: string;

beforeAll(async () => {
  owner = await makeOwner();
  ({ login, access } = await signIn(owner));
});

function me(headers: Record<string, string>, method = 'GET') {
  return callAuth(method, '/auth/me', { headers });
}

async function statusOf(headers: Record<string, string>): Promise<number> {
  return (await me(headers)).status;
}

describe('Bearer', () => {
  test('the scheme in any case, and spaces around the token', async () => {
    for (const authorization of [`Bearer ${access}`, `bearer ${access}`, `BEARER   ${access} `]) {
      expect(await statusOf({ authorization })).toBe(200);
    }
  });

  test('401 for what is no token: the challenge names Bearer and the server', async () => {
    const junk = [
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer a.b.c',
      `Token ${access}`,
      access,
      '',
      'Bearer ..',
      'Bearer null',
    ];
    for (const authorization of [...junk, `Bearer ${'a'.repeat(10_000)}`]) {
      const { status, headers, body } = await me({ authorization });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(headers.get('www-authenticate')).toBe(`Bearer realm="${BASE}"`);
      expect(body).toMatchObject({ resourceType: 'OperationOutcome', id: 'unauthorized' });
    }
  });

  test('401 for every forgery: no algorithm, another key under our name, our public key as a secret, a key brought along', async () => {
    const [key] = await signingKeys();
    const claims = { login_id: login, username: owner.userId, sub: owner.userId, iss: BASE, exp: 4_000_000_000 };
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const payload = access.split('.')[1];
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const { exportJWK } = await import('jose');
    const jwk = await exportJWK(publicKey);
    const sign = (header: object, by = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(by);
    const shared = new TextEncoder().encode(JSON.stringify(key!.publicJwk));
    const forged = [
      `${part({ alg: 'none', kid: key!.kid })}.${payload}.`,
      `${part({ alg: 'None', kid: key!.kid, typ: 'JWT' })}.${part(claims)}.`,
      await sign({ kid: key!.kid }),
      await sign({ kid: newId(), jwk }),
      await sign({ jwk }),
      await sign({ kid: "' or 1=1 --" }),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: key!.kid }).sign(shared),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: key!.kid, crit: ['exp'], exp: 1 })
        .sign(key!.privateKey, { crit: { exp: true } }),
      `${access.slice(0, -4)}AAAA`,
      `${access.split('.')[0]}.${part(claims)}.${access.split('.')[2]}`,
    ];
    for (const token of forged) expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
  });

  test('401 for what our own key signed but is no access token of a live login', async () => {
    const [key] = await signingKeys();
    const claims = { iss: BASE, login_id: login, username: owner.userId, exp: Math.floor(Date.now() / 1000) + 60 };
    const sign = (change: object) =>
      new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'ES256', kid: key!.kid }).sign(key!.privateKey);
    expect(await statusOf({ authorization: `Bearer ${await sign({})}` })).toBe(200);
    const wrong = [
      { iss: 'https://evil.example.com' },
      { iss: undefined },
      { aud: 'https://other.example.com' },
      { aud: [newId()] },
      { exp: undefined },
      { exp: Math.floor(Date.now() / 1000) - 1 },
      { username: undefined },
      { login_id: undefined },
      { login_id: 7 },
      { login_id: [login] },
      { login_id: newId() },
      { login_id: `${login}' or '1'='1` },
      { nbf: Math.floor(Date.now() / 1000) + 600 },
    ];
    for (const change of wrong) {
      expect([change, await statusOf({ authorization: `Bearer ${await sign(change)}` })]).toEqual([change, 401]);
    }
  });

  test('a token dies with its expiry, also one that was good a moment ago', async () => {
    const client = await makeClient(owner.projectId, { accessTokenLifetime: '1s' });
    const fields = new URLSearchParams({ grant_type: 'client_credentials' });
    const { body } = await callAuth('POST', '/oauth2/token', {
      body: fields,
      headers: { authorization: client.basic },
    });
    await expect.poll(() => statusOf({ authorization: `Bearer ${body.access_token}` })).toBe(401);
  });
});

describe('Basic', () => {
  test('a client’s id and secret are enough; an id matches in any case', async () => {
    const client = await makeClient(owner.projectId);
    for (const authorization of [client.basic, toBasic(client.id.toUpperCase(), client.secret)]) {
      const { status, body } = await me({ authorization });
      expect([status, body.membership.profile.reference]).toEqual([200, client.profile]);
    }
  });

  test('401 with a Basic challenge: no user, no password, unknown, wrong, without or with an inactive membership', async () => {
    const client = await makeClient(owner.projectId);
    const inactive = await makeClient(owner.projectId);
    await changeMember({ projectId: owner.projectId, membershipId: inactive.membershipId }, { active: false });
    const off = await makeClient(owner.projectId, { status: 'off' });
    const wrong = [
      toBasic('', client.secret),
      toBasic(client.id, ''),
      toBasic(newId(), client.secret),
      toBasic('x\u0000y', client.secret),
      toBasic(client.id, 'wrong'),
      toBasic(client.id, `${client.secret}\u0000`),
      inactive.basic,
      off.basic,
      'Basic !!!',
      `Basic ${btoa('no colon')}`,
    ];
    for (const authorization of wrong) {
      const { status, headers } = await me({ authorization });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(headers.get('www-authenticate')).toBe(`Basic realm="${BASE}"`);
    }
  });
});

describe('the console’s cookie', () => {
  let cookie: string;

  beforeAll(async () => {
    const token = await encode({
      token: { projectId: owner.projectId, loginId: login },
      secret: process.env.AUTH_SECRET ?? '',
    });
    cookie = `other=1; next-auth.session-token=${token}`;
  });

  test('counts on a request of our own page, and on a read that nobody else sent', async () => {
    const own: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', origin: BASE },
      { origin: BASE },
      {},
    ];
    for (const headers of own) expect(await statusOf({ cookie, ...headers })).toBe(200);
    const secure = cookie.replace('next-auth', '__Secure-next-auth');
    expect(await statusOf({ cookie: secure, 'sec-fetch-site': 'same-origin' })).toBe(200);
    const split = cookie.replace(/token=(.{100})/, 'token.0=$1; next-auth.session-token.1=');
    expect(await statusOf({ cookie: split, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  test('409 for a page of another project, before anything is done; a token does not have to say', async () => {
    const own = { cookie, 'sec-fetch-site': 'same-origin' };
    const page = (project: string) => ({ 'x-gatehouse-project': project });
    expect(await statusOf({ ...own, ...page(owner.projectId) })).toBe(200);
    const { status, body } = await me({ ...own, ...page(newId()) });
    expect([status, body.issue]).toEqual([
      409,
      [
        {
          severity: 'error',
          code: 'conflict',
          details: { text: 'This session is now for another project' },
          expression: ['http.X-Gatehouse-Project'],
        },
      ],
    ]);
    const revoke = { body: { loginId: login }, headers: { ...own, ...page(newId()) } };
    expect((await callAuth('POST', '/auth/revoke', revoke)).status).toBe(409);
    expect(await statusOf({ ...own, ...page(owner.projectId) })).toBe(200);
    expect(await statusOf({ authorization: `Bearer ${access}`, ...page(newId()) })).toBe(200);
  });

  test('401 on a read of another site', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: BASE },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'none', origin: 'https://evil.example.com' },
    ];
    for (const headers of foreign) expect([headers, await statusOf({ cookie, ...headers })]).toEqual([headers, 401]);
  });

  test('a change must say that it comes from our own page', async () => {
    const revoke = async (headers: Record<string, string>) =>
      (await callAuth('POST', '/auth/revoke', { body: { loginId: newId() }, headers: { cookie, ...headers } })).status;
    expect(await revoke({ 'sec-fetch-site': 'same-origin' })).toBe(404);
    expect(await revoke({ origin: BASE })).toBe(404);
    expect(await revoke({})).toBe(401);
    expect(await revoke({ 'sec-fetch-site': 'none' })).toBe(401);
    expect(await revoke({ 'sec-fetch-site': 'cross-site' })).toBe(401);
    expect(await revoke({ origin: 'https://evil.example.com' })).toBe(401);
  });

  test('403 for a GET that does something, unless a page of ours sent it: a link runs no bot and ends no session', async () => {
    const ask = async (path: string, headers: Record<string, string>) =>
      (await callAuth('GET', path, { headers: { cookie, ...headers } })).status;
    const execute = `/fhir/R4/Bot/${newId()}/$execute`;
    const foreign = [{ 'sec-fetch-site': 'none' }, { referer: 'https://evil.example.com/' }, { referer: 'x' }] as const;
    for (const headers of [{}, ...foreign]) {
      for (const path of [execute, '/oauth2/logout'])
        expect([headers, await ask(path, { ...headers })]).toEqual([headers, 403]);
    }
    const own = [{ 'sec-fetch-site': 'same-origin' }, { origin: BASE }, { referer: `${BASE}/p/1?x=y` }] as const;
    for (const headers of own) expect([headers, await ask(execute, { ...headers })]).toEqual([headers, 404]);
    expect((await callAuth('GET', execute, { token: access })).status).toBe(404);
    expect(await statusOf({ cookie })).toBe(200);
  });

  test('401 for a cookie of another secret, one that was changed, one without a login or of another project, and one of a login that ended', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const make = async (token: object, secret = process.env.AUTH_SECRET ?? '') =>
      `next-auth.session-token=${await encode({ token: token as Record<string, string>, secret })}`;
    const ended = await signIn(owner);
    await callAuth('POST', '/oauth2/logout', { token: ended.access });
    const wrong = [
      await make({ projectId: owner.projectId, loginId: login }, 'another-secret-that-is-32-characters'),
      cookie.replace(/.{4}$/, 'AAAA'),
      await make({}),
      await make({ loginId: login }),
      await make({ projectId: '', loginId: login }),
      await make({ projectId: newId(), loginId: login }),
      await make({ projectId: owner.projectId, loginId: 7 }),
      await make({ projectId: owner.projectId, loginId: newId() }),
      await make({ projectId: owner.projectId, loginId: ended.login }),
      'next-auth.session-token=',
    ];
    for (const value of wrong) expect(await statusOf({ cookie: value, ...own })).toBe(401);
  });

  test('an Authorization header decides alone: a bad one is not saved by a good cookie', async () => {
    expect(await statusOf({ cookie, 'sec-fetch-site': 'same-origin', authorization: 'Bearer x' })).toBe(401);
  });
});
