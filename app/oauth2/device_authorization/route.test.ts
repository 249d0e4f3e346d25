import { sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '#lib/testing/accounts.ts';
import { makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  askToken,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  PASSWORD,
  refresh,
  signIn,
  type TestClient,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
let owner: Owner;
let browser: Browser;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  app = await makeApp(owner, { name: 'Wall screen', description: 'Beds of the ward' });
});

function begin(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ client_id: app.id, ...fields });
  return callAuth('POST', '/oauth2/device_authorization', { body, headers });
}

function poll(code: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return askToken({ grant_type: GRANT, device_code: code, client_id: app.id, ...fields }, headers);
}

function read(userCode: string) {
  return browser.send('POST', '/auth/device', { userCode });
}

function decide(userCode: string, decision = 'allow', more = {}) {
  return browser.send('POST', '/auth/device/decision', { userCode, decision, ...more });
}

const NEW_PASSWORD = { oldPassword: PASSWORD, newPassword: 'Amber-Lighthouse-77' };

async function endSessions({ projectId, membershipId }: Owner): Promise<void> {
  const { basic } = await makeClient(projectId, {}, { admin: true });
  const path = `/admin/projects/${projectId}/members/${membershipId}/sessions`;
  expect((await callAuth('DELETE', path, { headers: { authorization: basic } })).status).toBe(200);
}

/** As if the device had waited as long as it was told. */
async function waited(): Promise<void> {
  await db().execute(sql`update device_request set polled_at = null where project_id = ${owner.projectId}`);
}

describe('200', () => {
  test('a code for the device and one for the person; who allows it signs the device in, once', async () => {
    const { status, body } = await begin({ scope: 'openid offline user/Patient.rs launch nonsense' });
    expect(status).toBe(200);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: 'http://localhost:3999/device',
      verification_uri_complete: `http://localhost:3999/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
    const typed = ` ${body.user_code.toLowerCase().replace('-', ' ')} `;
    const asked = await read(typed);
    expect(asked.body).toEqual({
      app: { name: 'Wall screen', description: 'Beds of the ward' },
      scopes: ['openid', 'offline', 'user/Patient.rs'],
      lasts: { unusedSeconds: 14 * 86_400 },
      person: owner.email,
      memberships: [expect.objectContaining({ id: owner.membershipId })],
      membership: owner.membershipId,
      startedAt: expect.any(String),
    });
    expect((await decide(typed)).status).toBe(200);
    const tokens = await poll(body.device_code);
    expect(tokens.status, tokens.text).toBe(200);
    expect(tokens.body.scope).toBe('openid offline user/Patient.rs');
    expect(decodeJwt(tokens.body.access_token)).toMatchObject({ sub: owner.userId, client_id: app.id });
    expect((await refresh(tokens.body.refresh_token, { client_id: app.id })).status).toBe(200);
    expect((await poll(body.device_code)).body.error).toBe('invalid_grant');
    expect(await auditOf(owner.projectId, `User/${owner.userId}`)).toContain('login.device');
    expect(await auditOf(owner.projectId, `ClientApplication/${app.id}`)).toContain('client.device');
  });

  test('ten questions at the moment of the yes: one of them has the tokens', async () => {
    const { body } = await begin();
    await decide(body.user_code);
    const answers = await Promise.all(Array.from({ length: 10 }, () => poll(body.device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a client that has shown who it is does so again', async () => {
    const { body } = await begin({}, { authorization: app.basic });
    await decide(body.user_code);
    expect((await poll(body.device_code)).body.error).toBe('invalid_client');
    const tokens = await poll(body.device_code, {}, { authorization: app.basic });
    expect(tokens.status).toBe(200);
  });
});

describe('until then', () => {
  test('who asks too soon is told to slow down, and must from then on', async () => {
    const { body } = await begin();
    const errors = [];
    for (let round = 0; round < 3; round++) errors.push((await poll(body.device_code)).body.error);
    expect(errors).toEqual(['authorization_pending', 'slow_down', 'slow_down']);
    const ago = (seconds: number) =>
      db().execute(sql`update device_request set polled_at = now() - make_interval(secs => ${seconds})
        where project_id = ${owner.projectId}`);
    await ago(10);
    expect((await poll(body.device_code)).body.error).toBe('slow_down');
    await ago(30);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });

  test('a no, and the end of its time', async () => {
    const no = await begin();
    expect((await decide(no.body.user_code, 'deny')).status).toBe(200);
    expect((await poll(no.body.device_code)).body).toMatchObject({ error: 'access_denied' });
    expect((await decide(no.body.user_code)).status).toBe(400);
    const late = await begin();
    await db().execute(sql`update device_request set expires_at = now() - interval '1 s'
      where project_id = ${owner.projectId} and state = 'waiting'`);
    expect((await read(late.body.user_code)).status).toBe(400);
    expect((await decide(late.body.user_code)).status).toBe(400);
    await waited();
    expect((await poll(late.body.device_code)).body.error).toBe('expired_token');
  });

  test('a membership that has ended meanwhile', async () => {
    const them = await makeOwner();
    const their = await openBrowser(them);
    const screen = await makeApp(them);
    const body = new URLSearchParams({ client_id: screen.id });
    const started = (await callAuth('POST', '/oauth2/device_authorization', { body })).body;
    await their.send('POST', '/auth/device/decision', { userCode: started.user_code, decision: 'allow' });
    await changeMember(them, { active: false });
    expect((await poll(started.device_code, { client_id: screen.id })).body.error).toBe('access_denied');
  });
});

describe('nobody else', () => {
  test('another client has nothing of the code, and does not slow its own down', async () => {
    const { body } = await begin();
    await decide(body.user_code);
    const other = await makeApp(owner);
    expect((await poll(body.device_code, { client_id: other.id })).body.error).toBe('invalid_grant');
    expect((await poll(body.device_code, { client_id: '' }, { authorization: other.basic })).body.error).toBe(
      'invalid_grant',
    );
    expect((await poll(body.device_code)).status).toBe(200);
  });

  test('another site, an app’s own token and a stranger to the project let no device in', async () => {
    const { body } = await begin();
    const sent = { userCode: body.user_code, decision: 'allow' };
    for (const place of [
      ['sec-fetch-site', 'cross-site'],
      ['origin', 'https://evil.test'],
    ] as const) {
      const headers = Object.fromEntries([place, ['cookie', browser.cookie]]);
      expect((await callAuth('POST', '/auth/device/decision', { body: sent, headers })).status).toBe(401);
    }
    const { access } = await signIn(owner, { clientId: app.id });
    for (const path of ['/auth/device', '/auth/device/decision']) {
      expect((await callAuth('POST', path, { body: sent, token: access })).status).toBe(403);
    }
    const stranger = await openBrowser(await makeOwner());
    expect((await stranger.send('POST', '/auth/device', sent)).body.memberships).toEqual([]);
    const refused = await stranger.send('POST', '/auth/device/decision', sent);
    expect([refused.status, refused.body.issue[0].expression]).toEqual([400, ['membership']]);
    const forAnother = { ...sent, membership: (await makeOwner()).membershipId };
    expect((await browser.send('POST', '/auth/device/decision', forAnother)).status).toBe(400);
    expect((await poll(body.device_code)).body.error).toBe('authorization_pending');
  });

  test('guesses of a person end after ten, also with a right one', async () => {
    const them = await openBrowser(await makeOwner());
    const guess = (userCode: string) => them.send('POST', '/auth/device', { userCode });
    const answers = [];
    for (let round = 0; round < 11; round++) answers.push((await guess('BBBB-BBBB')).status);
    expect(answers).toEqual([...Array(10).fill(400), 429]);
    expect((await guess((await begin()).body.user_code)).status).toBe(429);
  });

  test('what is kept of the codes is hashed', async () => {
    const { body } = await begin();
    const rows = await db().execute(sql`select row_to_json(d)::text as text from device_request d`);
    const text = rows.map((row) => row.text).join('\n');
    for (const code of [body.device_code, body.user_code, body.user_code.replace('-', '')])
      expect(text).not.toContain(code);
  });
});

test('a device that was let in and has not asked since gets nothing once the sessions of its person were ended', async () => {
  const ends: [string, (them: Browser, who: Owner) => Promise<unknown>][] = [
    ['a new password', (them) => them.send('POST', '/auth/changepassword', NEW_PASSWORD)],
    ['all other sessions', (them) => them.send('POST', '/auth/revoke/others', {})],
    ['by an administrator', (_, who) => endSessions(who)],
  ];
  for (const [how, end] of ends) {
    const who = await makeOwner();
    const [them, own] = [await openBrowser(who), await makeApp(who)];
    const { body } = await begin({ client_id: own.id, scope: 'openid offline' });
    const yes = { userCode: body.user_code, decision: 'allow' };
    expect((await them.send('POST', '/auth/device/decision', yes)).status).toBe(200);
    await end(them, who);
    const told = await poll(body.device_code, { client_id: own.id });
    expect([how, told.status, told.body.error]).toEqual([how, 400, 'access_denied']);
  }
});

test('400: no client, an unknown one, a built-in one, a wrong secret, a scope that is none; no code', async () => {
  const answers = [
    await begin({ client_id: '' }),
    await begin({ client_id: 'x' }),
    await begin({ client_id: 'medplum-cli' }),
    await begin({ client_secret: 'wrong' }),
    await begin({ scope: 'a"b' }),
    await poll(''),
    await poll('x'),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [400, 'invalid_client'],
    [400, 'invalid_client'],
    [400, 'invalid_client'],
    [400, 'invalid_client'],
    [400, 'invalid_scope'],
    [400, 'invalid_request'],
    [400, 'invalid_grant'],
  ]);
  const short = await read('BCD');
  expect([short.status, short.body.issue[0].expression]).toEqual([400, ['userCode']]);
});
