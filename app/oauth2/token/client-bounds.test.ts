import { beforeAll, describe, expect, test } from 'vitest';
import { allow, ask, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import {
  askToken,
  makeClient,
  makeOwner,
  type Owner,
  redeem,
  refresh,
  signIn,
  startSession,
} from '#lib/testing/people.ts';

const GRANT = { grant_type: 'client_credentials' };
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const HERE = '203.0.113.9';
const ELSEWHERE = '198.51.100.9';
let owner: Owner;
let browser: Browser;
let admin: string;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  admin = (await makeClient(owner.projectId, {}, { admin: true })).basic;
});

const post = (path: string, fields: Record<string, string>, more: Parameters<typeof callAuth>[2] = {}) =>
  callAuth('POST', path, { body: new URLSearchParams(fields), ...more });

function change(id: string, body: object[]) {
  const headers = { 'content-type': 'application/json-patch+json' };
  return callApi(admin, 'PATCH', `/fhir/R4/ClientApplication/${id}`, { body, headers });
}

describe('addresses', () => {
  const allowedAddress = ['203.0.113.0/24', '2001:db8::7'];

  test('each token and each request comes from one of them, of either kind, for programs by token and by secret and for people', async () => {
    const client = await makeClient(owner.projectId, { allowedAddress });
    const header = { headers: { authorization: client.basic } };
    const { body } = await post('/oauth2/token', GRANT, { ...header, remote: HERE });
    const person = await signIn(owner);
    for (const remote of [HERE, '::ffff:203.0.113.77', '2001:db8::7']) {
      expect((await callAuth('GET', '/fhir/R4/Patient', { token: body.access_token, remote })).status).toBe(200);
      expect((await callAuth('GET', '/fhir/R4/Patient', { ...header, remote })).status).toBe(200);
    }
    for (const remote of [ELSEWHERE, '2001:db8::8', '', 'x', '203.0.113.9, 1.2.3.4']) {
      expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { token: body.access_token, remote }), 403);
      expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { ...header, remote }), 403);
      const refused = await post('/oauth2/token', GRANT, { ...header, remote });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
    }
    // Another client's and the person's own are their own matter.
    expect((await callAuth('GET', '/auth/me', { token: person.access, remote: ELSEWHERE })).status).toBe(200);
  });

  test('of an app: the code, the refresh and the requests of the people who came in by it; set later, at once', async () => {
    const client = await makeClient(owner.projectId);
    const { tokens } = await signIn(owner, { scope: 'openid offline', clientId: client.id });
    const read = (remote: string) => callAuth('GET', '/auth/me', { token: tokens.access_token, remote });
    expect((await read(ELSEWHERE)).status).toBe(200);
    expect((await change(client.id, [{ op: 'add', path: '/allowedAddress', value: allowedAddress }])).status).toBe(200);
    expect([(await read(ELSEWHERE)).status, (await read(HERE)).status]).toEqual([403, 200]);
    const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await post('/oauth2/token', again, { remote: ELSEWHERE })).body.error).toBe('invalid_request');
    expect((await post('/oauth2/token', again, { remote: HERE })).status).toBe(200);
    expect((await signIn(owner, { clientId: client.id })).tokens.error).toBe('invalid_request');
  });

  test('what is no address: 400 names it', async () => {
    const client = await makeClient(owner.projectId);
    for (const wrong of ['everywhere', '203.0.113.0/33', '203.0.113.0/24 2001:db8::/32', '']) {
      const refused = await change(client.id, [{ op: 'add', path: '/allowedAddress', value: [HERE, wrong] }]);
      expect([wrong, refused.status]).toEqual([wrong, 400]);
    }
    const many = Array.from({ length: 201 }, (_, n) => `10.0.0.${n % 250}`);
    expectOutcome(await change(client.id, [{ op: 'add', path: '/allowedAddress', value: many }]), 400);
  });
});

describe('origins', () => {
  test('a page of another site is refused with the client’s tokens, where it asks for them and where it signs in; a program, which names none, is not', async () => {
    const client = await makeClient(owner.projectId, { allowedOrigin: ['https://app.example.com'] });
    const from = (origin: string) => ({ origin, authorization: client.basic });
    const { body } = await askToken(GRANT, { authorization: client.basic });
    const token = body.access_token;
    const ours = { origin: 'https://app.example.com' };
    expect((await askToken(GRANT, from('https://app.example.com'))).status).toBe(200);
    expect((await callAuth('GET', '/fhir/R4/Patient', { token, headers: ours })).status).toBe(200);
    for (const origin of ['https://other.example.com', 'http://app.example.com', 'null', '']) {
      expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { token, headers: { origin } }), 403);
      expect((await askToken(GRANT, from(origin))).body.error).toBe('invalid_request');
    }
  });
});

describe('grants', () => {
  test('unauthorized_client for each that the client does not use, at every door', async () => {
    const client = await makeClient(owner.projectId, { grantType: ['client_credentials'] });
    const basic = { authorization: client.basic };
    const names = { client_id: client.id };
    const { code, verifier } = await startSession(owner, { clientId: client.id });
    for (const answer of [
      await redeem({ ...names, code, code_verifier: verifier }),
      await post('/oauth2/device_authorization', names, { headers: basic }),
      await askToken({ grant_type: DEVICE, device_code: 'x', ...names }),
      await askToken({
        grant_type: EXCHANGE,
        subject_token: 'x',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        ...names,
      }),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
    expect((await askToken(GRANT, basic)).status).toBe(200);
  });

  test('an app that only signs people in has no token of its own, neither by its secret alone', async () => {
    const app = await makeApp(owner, { grantType: ['authorization_code'] });
    const basic = { authorization: app.basic };
    expect((await askToken(GRANT, basic)).body.error).toBe('unauthorized_client');
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { headers: basic }), 401);
    const { tokens } = await signIn(owner, { scope: 'openid offline', clientId: app.id });
    expect([Boolean(tokens.access_token), tokens.refresh_token]).toEqual([true, undefined]);
  });

  test('refresh_token taken out of the list: what was given before ends with its access token', async () => {
    const app = await makeApp(owner);
    const { tokens } = await signIn(owner, { scope: 'openid offline', clientId: app.id });
    const list = ['authorization_code'];
    expect((await change(app.id, [{ op: 'add', path: '/grantType', value: list }])).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('unauthorized_client');
  });

  test('authorize and PAR tell it to the app; what no grant or response type is: 400', async () => {
    const app = await makeApp(owner, { grantType: ['client_credentials'] });
    const told = sentTo(await browser.open(ask(app).path));
    expect([told.origin, told.searchParams.get('error')]).toEqual(['https://app.example.com', 'unauthorized_client']);
    const pushed = await callAuth('POST', '/oauth2/par', {
      body: new URLSearchParams(ask(app).query),
      headers: { authorization: app.basic },
    });
    expect([pushed.status, pushed.body.error]).toEqual([400, 'unauthorized_client']);
    for (const [path, value] of [
      ['/grantType', ['password']],
      ['/responseType', ['token']],
      ['/allowedScope', ['a b']],
      ['/defaultScope', ['"']],
    ] as const)
      expectOutcome(
        await change(app.id, [{ op: 'add', path, value }]),
        400,
        `ClientApplication${path.replace('/', '.')}[0]`,
      );
  });
});

describe('scopes', () => {
  const allowedScope = ['openid', 'offline_access', 'system/*.rs', 'patient/Observation.rs?category=vital-signs'];

  test('invalid_scope for whatever the list does not cover; a narrower one is covered, in either version', async () => {
    const client = await makeClient(owner.projectId, { allowedScope });
    const asked = (scope: string) => askToken({ ...GRANT, scope }, { authorization: client.basic });
    for (const scope of ['openid', 'offline', 'system/Patient.r', 'system/*.read', 'system/Patient.rs?name=x'])
      expect([scope, (await asked(scope)).status]).toEqual([scope, 200]);
    for (const scope of [
      'profile',
      'system/Patient.cruds',
      'system/*.*',
      'user/Patient.r',
      'patient/Observation.rs',
      'system/Nothing.r',
      'SYSTEM/*.cruds',
      'openid x',
    ]) {
      const { status, body } = await asked(scope);
      expect([scope, status, body.error]).toEqual([scope, 400, 'invalid_scope']);
    }
  });

  test('who asks for none gets the client’s default; without scopes for records its tokens reach none', async () => {
    const client = await makeClient(
      owner.projectId,
      { allowedScope, defaultScope: ['system/Patient.rs'] },
      { admin: true },
    );
    const basic = { authorization: client.basic };
    expect((await askToken(GRANT, basic)).body.scope).toBe('system/Patient.rs');
    const bare = (await askToken({ ...GRANT, scope: 'openid' }, basic)).body.access_token;
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { token: bare }), 403);
    expectOutcome(await callAuth('GET', `/admin/projects/${owner.projectId}/clients`, { token: bare }), 403);
    // By its secret alone it has all of its list, and no more.
    expect((await callAuth('GET', '/fhir/R4/Patient', { headers: basic })).status).toBe(200);
    const patient = { resourceType: 'Patient' };
    expectOutcome(await callAuth('POST', '/fhir/R4/Patient', { headers: basic, body: patient }), 403);
    expectOutcome(await callAuth('GET', `/admin/projects/${owner.projectId}/clients`, { headers: basic }), 403);
  });

  test('at authorize, for a device and at /auth/login, too; the default of an app is what the person is asked', async () => {
    const app = await makeApp(owner, { allowedScope: ['openid', 'email'], defaultScope: ['openid', 'email'] });
    const told = sentTo(await browser.open(ask(app, { scope: 'openid user/*.cruds' }).path));
    expect(told.searchParams.get('error')).toBe('invalid_scope');
    const page = sentTo(await browser.open(ask(app, { scope: undefined }).path));
    expect((await browser.send('GET', `/auth/authorization${page.search}`)).body.scopes).toEqual(['openid', 'email']);
    const device = await post('/oauth2/device_authorization', { client_id: app.id, scope: 'user/*.rs' });
    expect(device.body.error).toBe('invalid_scope');
    const fields = { email: owner.email, password: 'x', clientId: app.id, scope: 'openid user/*.rs' };
    expectOutcome(await callAuth('POST', '/auth/login', { body: fields }), 400, 'scope');
  });

  test('taken out of the list: tokens that have it are good no longer, for requests, refresh and who asks of them', async () => {
    const app = await makeApp(owner);
    const asker = await makeClient(owner.projectId);
    const { tokens } = await signIn(owner, { scope: 'openid offline user/Patient.rs', clientId: app.id });
    const token = tokens.access_token;
    expect((await callAuth('GET', '/fhir/R4/Patient', { token })).status).toBe(200);
    const list = [{ op: 'add', path: '/allowedScope', value: ['openid', 'offline'] }];
    expect((await change(app.id, list)).status).toBe(200);
    expectOutcome(await callAuth('GET', '/fhir/R4/Patient', { token }), 401);
    const told = await post('/oauth2/introspect', { token }, { headers: { authorization: asker.basic } });
    expect(told.body).toEqual({ active: false });
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_scope');
  });
});

describe('how it shows who it is', () => {
  test('who says that it has a secret sends it each time: for a code, its refresh and a device', async () => {
    const app = await makeApp(owner, { tokenEndpointAuthMethod: 'client_secret_basic' });
    const asked = ask(app, { scope: 'openid offline' });
    const given = await allow(browser, sentTo(await browser.open(asked.path)));
    const code = given.searchParams.get('code')!;
    const form = { code, client_id: app.id, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    expect((await redeem(form)).body.error).toBe('invalid_client');
    const { body } = await redeem(form, { authorization: app.basic });
    expect((await refresh(body.refresh_token, { client_id: app.id })).body.error).toBe('invalid_client');
    expect((await refresh(body.refresh_token, {}, { authorization: app.basic })).status).toBe(200);
    expect((await post('/oauth2/device_authorization', { client_id: app.id })).body.error).toBe('invalid_client');
  });
});

describe('who changes them', () => {
  test('administrators: who may write clients and is none does not widen what one is kept within', async () => {
    const client = await makeClient(owner.projectId, { allowedAddress: [HERE], allowedScope: ['openid'] });
    const policy = await callApi(admin, 'POST', '/fhir/R4/AccessPolicy', {
      body: { resourceType: 'AccessPolicy', name: 'Clients', resource: [{ resourceType: 'ClientApplication' }] },
    });
    const made = await callApi(admin, 'POST', `/admin/projects/${owner.projectId}/client`, {
      body: { name: 'Writer', accessPolicy: { reference: `AccessPolicy/${policy.body.id}` } },
    });
    const writer = `Basic ${btoa(`${made.body.id}:${made.body.secret}`)}`;
    const as = (bearer: string, path: string, value: unknown) =>
      callApi(bearer, 'PATCH', `/fhir/R4/ClientApplication/${client.id}`, {
        body: [{ op: 'add', path, value }],
        headers: { 'content-type': 'application/json-patch+json' },
      });
    expect((await as(writer, '/description', 'Night job')).status).toBe(200);
    for (const [path, value] of [
      ['/allowedAddress', ['0.0.0.0/0']],
      ['/allowedScope', ['system/*.cruds']],
      ['/grantType', ['authorization_code']],
      ['/owner', { reference: `ProjectMembership/${owner.membershipId}` }],
    ] as const)
      expectOutcome(await as(writer, path, value), 403);
  });
});
