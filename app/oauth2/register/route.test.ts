import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { registeredClient, registrationToken } from '#lib/infra/db/schema/clients.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { allow, ask, CALLBACK } from '#lib/testing/app.ts';
import { openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { askToken, makeClient, redeem, toBasic } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await open(world, true);
});

async function open(of: World, valueBoolean: boolean): Promise<void> {
  const body = [{ name: 'appRegistration', valueBoolean }];
  const answer = await of.call('POST', '/settings', { body });
  expect(answer.status, answer.text).toBe(200);
}

async function makeToken(of = world, body: object = {}): Promise<{ id: string; token: string }> {
  const made = await of.call('POST', '/registrationtokens', { body: { name: 'Partner', most: 100, ...body } });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const METADATA = { client_name: 'Growth charts', redirect_uris: [CALLBACK] };

function register(token: string | undefined, body: unknown = METADATA) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return callAuth('POST', '/oauth2/register', { body: body as object, headers });
}

describe('201', () => {
  test('id and secret, once; what is kept of what it said, and nothing else; it stands in the list as such', async () => {
    const { token } = await makeToken();
    const { status, body, headers } = await register(token, {
      ...METADATA,
      scope: 'openid patient/*.rs something.else',
      logo_uri: 'https://app.example.com/logo.png',
      contacts: ['someone@example.com'],
      software_statement: 'x',
      application_type: 'web',
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
      ...METADATA,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid patient/*.rs',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
    });
    const listed = await world.call('GET', '/clients');
    expect(listed.body.rows.find((row: { id: string }) => row.id === body.client_id)).toMatchObject({
      name: 'Growth charts',
      registeredWith: 'Partner',
      membershipId: null,
    });
    expect(listed.text).not.toContain(body.client_secret);
    expect(await auditOf(world.projectId, `ClientApplication/${body.client_id}`)).toContain('client.register');
  });

  test('it signs people in and shows its secret; it never acts for itself, and never gets a scope more', async () => {
    const { token } = await makeToken();
    const { body } = await register(token, { ...METADATA, grant_types: ['authorization_code', 'refresh_token'] });
    const client = { id: body.client_id };
    const basic = toBasic(body.client_id, body.client_secret);
    const browser = await openBrowser({ ...world.owner, projectId: world.projectId });
    const asked = ask(client, { scope: 'openid offline_access' });
    const given = await allow(browser, sentTo(await browser.open(asked.path)));
    const form = { code: given.searchParams.get('code')!, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    expect((await redeem({ ...form, client_id: client.id })).body.error).toBe('invalid_client');
    const tokens = await redeem(form, { authorization: basic });
    expect([tokens.status, Boolean(tokens.body.refresh_token)]).toEqual([200, true]);
    const more = sentTo(await browser.open(ask(client, { scope: 'openid user/*.cruds' }).path));
    expect(more.searchParams.get('error')).toBe('invalid_scope');
    const own = await askToken({ grant_type: 'client_credentials' }, { authorization: basic });
    expect(own.status).toBeGreaterThanOrEqual(400);
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { headers: { authorization: basic } }), 401);
    // No records were asked for.
    const token2 = tokens.body.access_token;
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { token: token2 }), 403);
    const ended = await callAuth('POST', '/oauth2/revoke', {
      body: new URLSearchParams({ token: token2 }),
      headers: { authorization: basic },
    });
    expect(ended.status).toBe(200);
    expectOutcome(await callAuth('GET', '/auth/me', { token: token2 }), 401);
  });

  test('an administrator turns it off, changes it and deletes it as any other, and its mark goes with it', async () => {
    const { token } = await makeToken();
    const { client_id: id } = (await register(token)).body;
    expect((await world.call('POST', `/clients/${id}/disable`)).status).toBe(200);
    const path = `/fhir/R4/ClientApplication/${id}`;
    const headers = { 'content-type': 'application/json-patch+json' };
    const patch = [{ op: 'replace', path: '/name', value: 'Charts' }];
    expect((await callApi(world.owner.bearer, 'PATCH', path, { body: patch, headers })).status).toBe(200);
    expect((await callApi(world.owner.bearer, 'DELETE', path)).status).toBe(200);
    await dropOver();
    expect(await db().select().from(registeredClient).where(eq(registeredClient.clientId, id))).toEqual([]);
  });

  test('a public app has no secret; a device needs no address', async () => {
    const { token } = await makeToken();
    const open = await register(token, { ...METADATA, token_endpoint_auth_method: 'none' });
    expect([open.status, 'client_secret' in open.body]).toEqual([201, false]);
    const device = 'urn:ietf:params:oauth:grant-type:device_code';
    const screen = await register(token, { grant_types: [device], token_endpoint_auth_method: 'none' });
    expect([screen.status, screen.body.response_types, screen.body.redirect_uris]).toEqual([201, [], undefined]);
    const began = await callAuth('POST', '/oauth2/device_authorization', {
      body: new URLSearchParams({ client_id: screen.body.client_id }),
    });
    expect(began.status).toBe(200);
  });
});

test('the example of docs/apps.md works', async () => {
  const page = await readFile(`${import.meta.dirname}/../../../docs/apps.md`, 'utf8');
  const [, example = ''] = /`POST \/oauth2\/register`\n```json\n([^`]+)```/.exec(page) ?? [];
  const { token } = await makeToken();
  expect((await register(token, JSON.parse(example))).status).toBe(201);
});

describe('400', () => {
  test('more than anybody says of an app is not read: 413', async () => {
    const { token } = await makeToken();
    const { status, body } = await register(token, { ...METADATA, client_uri: 'x'.repeat(70_000) });
    expect([status, body.error]).toEqual([413, 'invalid_request']);
  });

  const wrong: [string, object][] = [
    ['invalid_redirect_uri', {}],
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: 'https://app.example.com' }],
    ...[
      'http://app.example.com/cb',
      'https://app.example.com/cb#x',
      'https://*.example.com/cb',
      'https://user:pw@app.example.com/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'myapp:/cb',
      '/cb',
      'https://app.example.com/ cb',
      `https://app.example.com/${'a'.repeat(2048)}`,
    ].map((uri): [string, object] => ['invalid_redirect_uri', { redirect_uris: [CALLBACK, uri] }]),
    ['invalid_redirect_uri', { redirect_uris: Array.from({ length: 21 }, (_, n) => `${CALLBACK}/${n}`) }],
    ...(
      [
        { grant_types: ['client_credentials'] },
        { grant_types: ['implicit'] },
        { grant_types: ['refresh_token'] },
        { grant_types: [] },
        { response_types: ['token'] },
        { token_endpoint_auth_method: 'client_secret_jwt' },
        { token_endpoint_auth_method: 'private_key_jwt' },
        { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://app.example.com/jwks' },
        { jwks: { keys: [] } },
        { scope: 'nothing.known' },
        { scope: '"' },
        { client_name: 'a\u0007b' },
        { client_name: 'x'.repeat(129) },
        { subject_type: 'pairwise' },
        { id_token_signed_response_alg: 'none' },
        { userinfo_signed_response_alg: 'RS256' },
        { dpop_bound_access_tokens: true },
      ] as object[]
    ).map((more): [string, object] => ['invalid_client_metadata', { ...METADATA, ...more }]),
  ];

  test('each fault by RFC 7591’s name for it; and it costs the token no use', async () => {
    const { id, token } = await makeToken();
    for (const [name, body] of wrong) {
      const answer = await register(token, body);
      expect([JSON.stringify(body), answer.status, answer.body.error]).toEqual([JSON.stringify(body), 400, name]);
    }
    const [row] = await db().select().from(registrationToken).where(eq(registrationToken.id, id));
    expect(row?.used).toBe(0);
  });

  test('an app’s own scheme, http on the own machine, and addresses with a query are exact and good', async () => {
    const { token } = await makeToken();
    const redirect_uris = ['com.example.app:/cb', 'http://localhost:4711/cb', 'http://[::1]/cb', `${CALLBACK}?a=1`];
    const { status, body } = await register(token, { redirect_uris });
    expect([status, body.redirect_uris]).toEqual([201, redirect_uris]);
  });
});

describe('401', () => {
  test('without a token, with a wrong one, one that was taken back, has ended or is spent; the answer is one', async () => {
    const [spent, back, over] = [await makeToken(world, { most: 1 }), await makeToken(), await makeToken()];
    expect((await register(spent.token)).status).toBe(201);
    expect((await world.call('DELETE', `/registrationtokens/${back.id}`)).status).toBe(200);
    await db()
      .update(registrationToken)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(registrationToken.id, over.id));
    const good = (await makeToken()).token;
    const tokens = [
      undefined,
      'x',
      `${good.slice(0, -2)}AA`,
      spent.token,
      back.token,
      over.token,
      world.owner.bearer.slice(7),
    ];
    const answers = await Promise.all(tokens.map((token) => register(token)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual(tokens.map(() => [401, 'invalid_token']));
    expect(answers[0]!.headers.get('www-authenticate')).toContain('Bearer');
  });

  test('of twenty at the same moment no more register than the token is good for', async () => {
    const { token } = await makeToken(world, { most: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(17);
  });

  test('in a project that is not open to apps, which none is by itself', async () => {
    const closed = await createWorld();
    const { token } = await makeToken(closed);
    expect((await register(token)).status).toBe(401);
    await open(closed, true);
    expect((await register(token)).status).toBe(201);
    await open(closed, false);
    expect((await register(token)).status).toBe(401);
  });
});

describe('tokens', () => {
  test('are listed without themselves, with how often they were used; another project’s is not there', async () => {
    const own = await createWorld();
    await open(own, true);
    const { id, token } = await makeToken(own, { days: 3, most: 2 });
    await register(token);
    const { body, text } = await own.call('GET', '/registrationtokens');
    expect(body.rows).toEqual([
      {
        ...{ id, name: 'Partner', hint: token.slice(-4), createdBy: 'Olga Owner', most: 2, used: 1 },
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    expect(text).not.toContain(token);
    expect(Date.parse(body.rows[0].expiresAt) - Date.now()).toBeLessThan(3 * 86_400_000 + 1000);
    expectOutcome(await world.call('DELETE', `/registrationtokens/${id}`), 404);
    expectOutcome(await world.call('DELETE', `/registrationtokens/${newId()}`), 404);
  });

  test('twenty at most; 400 names the field; 403 for a member', async () => {
    const own = await createWorld();
    const made = await Promise.all(
      Array.from({ length: 25 }, (_, n) => own.call('POST', '/registrationtokens', { body: { name: `T${n}` } })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    expectOutcome(made.find(({ status }) => status !== 201)!, 409);
    for (const [field, value] of [
      ['name', ''],
      ['days', 366],
      ['days', 0.5],
      ['most', 0],
      ['most', 1001],
    ] as const) {
      const answer = await own.call('POST', '/registrationtokens', { body: { name: 'x', [field]: value } });
      expectOutcome(answer, 400, field);
    }
    const member = (await makeClient(own.projectId)).basic;
    expectOutcome(await callApi(member, 'GET', `/admin/projects/${own.projectId}/registrationtokens`), 403);
  });
});
