import { eq, sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { login } from '#lib/infra/db/schema/login.ts';
import { openBrowser } from '#lib/testing/browser.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { startSignIn } from '#lib/testing/factors.ts';
import { askToken, makeClient, makeOwner, type Owner, refresh, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const HERE = '203.0.113.9';
const ELSEWHERE = '198.51.100.9';

function secondsOf(token: string): number {
  const { exp = 0, iat = 0 } = decodeJwt(token);
  return exp - iat;
}

/** As if the person had done nothing for so long; this process has not seen them since. */
async function idleFor(id: string, minutes: number): Promise<void> {
  await db()
    .update(login)
    .set({ lastUsedAt: sql`now() - make_interval(mins => ${minutes})` })
    .where(eq(login.id, id));
}

async function set(owner: Owner, settings: Record<string, string>, remote?: string) {
  const { basic } = await makeClient(owner.projectId, {}, { admin: true });
  const body = Object.entries(settings).map(([name, valueString]) => ({ name, valueString }));
  const path = `/admin/projects/${owner.projectId}/settings`;
  return callAuth('POST', path, { body, remote, headers: { authorization: basic } });
}

describe('lifetimes', () => {
  test('the shorter of the project’s and the client’s holds, for people and programs', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId, { accessTokenLifetime: '2m', refreshTokenLifetime: '4w' });
    expect((await set(owner, { accessTokenLifetime: '5m', refreshTokenLifetime: '1d' })).status).toBe(200);
    const { tokens } = await signIn(owner, { scope: 'openid offline' });
    expect([secondsOf(tokens.access_token), secondsOf(tokens.refresh_token), tokens.expires_in]).toEqual([
      300, 86_400, 300,
    ]);
    const again = await refresh(tokens.refresh_token);
    expect([secondsOf(again.body.access_token), secondsOf(again.body.refresh_token)]).toEqual([300, 86_400]);
    const own = await signIn(owner, { scope: 'openid offline', clientId: client.id });
    expect([secondsOf(own.tokens.access_token), secondsOf(own.tokens.refresh_token)]).toEqual([120, 86_400]);
    const program = await askToken({ grant_type: 'client_credentials' }, { authorization: client.basic });
    expect(program.body.expires_in).toBe(120);
  });

  test('a token from before the bound lives no longer than one from after', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId);
    const { tokens } = await signIn(owner, { scope: 'openid offline' });
    const { access_token: token } = tokens;
    expect((await callAuth('GET', '/auth/me', { token })).status).toBe(200);
    const told = async (of: string) =>
      (
        await callAuth('POST', '/oauth2/introspect', {
          body: new URLSearchParams({ token: of }),
          headers: { authorization: client.basic },
        })
      ).body;
    expect(await told(token)).toMatchObject({ active: true });
    expect((await set(owner, { accessTokenLifetime: '5m', refreshTokenLifetime: '5m' })).status).toBe(200);
    const now = Date.now;
    try {
      Date.now = () => now() + 301_000;
      expect((await callAuth('GET', '/auth/me', { token })).status).toBe(401);
      expect(await told(token)).toEqual({ active: false });
      expect(await told(tokens.refresh_token)).toEqual({ active: false });
      expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    } finally {
      Date.now = now;
    }
  });
});

describe('the idle limit', () => {
  test('a login that was not used for longer ends, by token, by refresh, in a browser and for who asks of it', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId);
    expect((await set(owner, { sessionIdleLimit: '30m' })).status).toBe(200);
    const used = await signIn(owner, { scope: 'openid offline' });
    const browser = await openBrowser(owner);
    await idleFor(used.login, 32);
    await idleFor(browser.login, 32);
    expect((await refresh(used.tokens.refresh_token)).status).toBe(200);
    await idleFor(used.login, 34);
    expect((await callAuth('GET', '/auth/me', { token: used.access })).status).toBe(401);
    const body = new URLSearchParams({ token: used.access });
    const asked = await callAuth('POST', '/oauth2/introspect', { body, headers: { authorization: client.basic } });
    expect(asked.body).toEqual({ active: false });
    const late = await refresh(used.tokens.refresh_token);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
    const other = await openBrowser(owner);
    await idleFor(other.login, 34);
    expect((await other.send('GET', '/auth/me')).status).toBe(401);
    const me = await browser.send('GET', '/auth/me');
    const ids = me.body.security.sessions.map(({ id }: { id: string }) => id);
    expect(ids).toContain(browser.login);
    expect(ids).not.toContain(other.login);
  });

  test('the longest there is, is no fault of anybody', async () => {
    const owner = await makeOwner();
    const longest = { sessionIdleLimit: '99999y', accessTokenLifetime: '99999y', refreshTokenLifetime: '99999y' };
    expect((await set(owner, longest)).status).toBe(200);
    const { access } = await signIn(owner, { scope: 'openid offline' });
    const me = await callAuth('GET', '/auth/me', { token: access });
    expect([me.status, me.body.security.sessions.length]).toEqual([200, 1]);
  });

  test('without one a login goes on', async () => {
    const owner = await makeOwner();
    const { login: id, access } = await signIn(owner);
    await idleFor(id, 24 * 60);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(200);
  });
});

describe('the end of a session', () => {
  const began = (id: string, minutes: number) =>
    db()
      .update(login)
      .set({ authTime: sql`now() - make_interval(mins => ${minutes})` })
      .where(eq(login.id, id));

  test('comes however much it is used, by token, by refresh, in a browser, for apps let in by it and for who asks of it; not for programs', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId);
    const { tokens, login: id, access } = await signIn(owner, { scope: 'openid offline' });
    const [browser, fresh] = [await openBrowser(owner), await openBrowser(owner)];
    await began(id, 61);
    await began(browser.login, 61);
    const asked = async (token: string) => {
      const body = new URLSearchParams({ token });
      return (await callAuth('POST', '/oauth2/introspect', { body, headers: { authorization: client.basic } })).body;
    };
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(200);
    expect((await asked(access)).active).toBe(true);
    expect((await set(owner, { sessionLifetime: '1h' })).status).toBe(200);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(401);
    expect([await asked(access), await asked(tokens.refresh_token)]).toEqual([{ active: false }, { active: false }]);
    const late = await refresh(tokens.refresh_token);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    const me = await fresh.send('GET', '/auth/me');
    expect(me.body.security.sessions.map((one: { id: string }) => one.id)).toEqual([fresh.login]);
    const program = await askToken({ grant_type: 'client_credentials' }, { authorization: client.basic });
    await db()
      .update(login)
      .set({ authTime: new Date(0) })
      .where(eq(login.clientId, client.id));
    expect((await callAuth('GET', '/auth/me', { token: program.body.access_token })).status).toBe(200);
  });

  test('is looked at with each request, also of one that is known', async () => {
    const owner = await makeOwner();
    expect((await set(owner, { sessionLifetime: '5m' })).status).toBe(200);
    const { access: token } = await signIn(owner);
    expect((await callAuth('GET', '/auth/me', { token })).status).toBe(200);
    const now = Date.now;
    try {
      Date.now = () => now() + 301_000;
      expect((await callAuth('GET', '/auth/me', { token })).status).toBe(401);
    } finally {
      Date.now = now;
    }
  });
});

describe('allowed addresses', () => {
  const networks = { allowedAddresses: '203.0.113.0/24, 2001:db8::/32' };

  test('in: sign-in, token, refresh and requests; elsewhere none of them, and the token is good again at home', async () => {
    const owner = await makeOwner();
    const client = await makeClient(owner.projectId);
    const { tokens } = await signIn(owner, { scope: 'openid offline' });
    const token = tokens.access_token;
    expect((await set(owner, networks, HERE)).status).toBe(200);
    for (const remote of [HERE, '::ffff:203.0.113.77', '2001:db8::1'])
      expect((await callAuth('GET', '/auth/me', { token, remote })).status).toBe(200);
    for (const remote of [ELSEWHERE, '2001:db9::1', '::1', 'x', '203.0.113.9, 1.2.3.4'])
      expectOutcome(await callAuth('GET', '/auth/me', { token, remote }), 403);
    const scim = { remote: ELSEWHERE, headers: { authorization: client.basic } };
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', scim), 403);
    const form = (fields: Record<string, string>) => new URLSearchParams(fields);
    const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const away = await callAuth('POST', '/oauth2/token', { body: form(refreshed), remote: ELSEWHERE });
    expect([away.status, away.body.error, away.body.error_description]).toEqual([
      400,
      'invalid_request',
      'This IP address is not allowed',
    ]);
    expect((await callAuth('POST', '/oauth2/token', { body: form(refreshed), remote: HERE })).status).toBe(200);
    const program = { body: form({ grant_type: 'client_credentials' }), headers: { authorization: client.basic } };
    expect((await callAuth('POST', '/oauth2/token', { ...program, remote: ELSEWHERE })).body.error).toBe(
      'invalid_request',
    );
    expect((await callAuth('POST', '/oauth2/token', { ...program, remote: HERE })).status).toBe(200);
    const signedIn = await startSignIn(owner);
    expectOutcome(signedIn, 400);
    expect(signedIn.body.issue[0].details.text).toContain('IP address');
  });

  test('who sets them is at one of them: 409 else, and nothing is changed', async () => {
    const owner = await makeOwner();
    const refused = await set(owner, networks, ELSEWHERE);
    expectOutcome(refused, 409);
    expect(refused.body.issue[0].details.coding[0].code).toBe('locked-out');
    const { access } = await signIn(owner);
    const path = `/fhir/R4/Project/${owner.projectId}`;
    const setting = [{ name: 'allowedAddresses', valueString: '203.0.113.0/24' }];
    const body = [{ op: 'add', path: '/setting', value: setting }];
    const headers = { 'content-type': 'application/json-patch+json' };
    expectOutcome(await callAuth('PATCH', path, { token: access, body, headers, remote: ELSEWHERE }), 409);
    expect((await callAuth('PATCH', path, { token: access, body, headers, remote: HERE })).status).toBe(200);
  });

  test('what is no list, and no lifetime: 400', async () => {
    const owner = await makeOwner();
    for (const [name, text] of [
      ['allowedAddresses', 'everywhere'],
      ['allowedAddresses', '203.0.113.0/99'],
      ['sessionIdleLimit', '1m'],
      ['accessTokenLifetime', 'soon'],
    ] as const)
      expectOutcome(await set(owner, { [name]: text }, HERE), 400, '[0].valueString');
  });
});
