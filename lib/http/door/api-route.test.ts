import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeLink } from '#lib/testing/links.ts';
import { logOf } from '#lib/testing/log-of.ts';
import { makeClient, makeOwner, type Owner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { apiRoute, methods, type RouteDefinition } from './api-route.ts';
import { jsonBody } from './read-body.ts';
import { json } from './reply.ts';

const UUID = /^[0-9a-f-]{36}$/;
const NO_PARAMS = { params: Promise.resolve({}) };

function call<B>(definition: Partial<RouteDefinition<B>>, init: RequestInit = {}, params: Record<string, string> = {}) {
  const handler = apiRoute({ auth: 'none', run: async () => json({}), ...definition });
  return handler(new Request('http://localhost:3999/probe', init), { params: Promise.resolve(params) });
}

describe('every answer', () => {
  test('names its request, is kept by no cache and is taken for nothing else', async () => {
    for (const answer of [await call({}), await call({ run: () => Promise.reject(new Error('x')) })]) {
      expect(answer.headers.get('x-request-id')).toMatch(UUID);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('the request id is the one in the log, and not the caller’s to choose', async () => {
    let id: string | null = '';
    const lines = await logOf(async () => {
      const answer = await call({}, { headers: { 'x-request-id': 'mine' } });
      id = answer.headers.get('x-request-id');
    });
    expect(id).toMatch(UUID);
    expect(JSON.parse(lines)).toMatchObject({ requestId: id, method: 'GET', status: 200 });
  });

  test('204 and HEAD have no body', async () => {
    const gone = await call({ run: async () => ({ status: 204, body: 'x' }) });
    const head = await call({}, { method: 'HEAD' });
    expect([await gone.text(), await head.text()]).toEqual(['', '']);
  });
});

describe('what goes wrong', () => {
  test('unexpectedly is a 500 that says the request and nothing else', async () => {
    const secret = 'select * from credential where email = ada@example.com';
    let answer = new Response();
    const lines = await logOf(async () => {
      answer = await call({ run: () => Promise.reject(new TypeError(secret)) });
    });
    const text = await answer.text();
    const id = answer.headers.get('x-request-id') ?? '';
    expect(answer.status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'error', code: 'exception', details: { text: `Internal server error (request ${id})` } }],
    });
    expect(text).not.toContain('credential');
    expect(lines).toContain(id);
    expect(lines).toContain('TypeError');
    expect(lines).not.toContain('ada@example.com');
  });

  test('in the database: the log names the failure without the query’s parameters', async () => {
    const run = async () => {
      const { login } = await import('#lib/infra/db/schema/login.ts');
      const { eq } = await import('drizzle-orm');
      await db().select().from(login).where(eq(login.id, 'ada@example.com\nsecret-token'));
      return json({});
    };
    const lines = await logOf(() => call({ run }));
    expect(lines).toContain('22P02');
    expect(lines).not.toMatch(/ada@example.com|secret-token/);
  });

  test('on purpose but on our side is logged and told no more of', async () => {
    let answer = new Response();
    const lines = await logOf(async () => {
      answer = await call({ run: () => Promise.reject(new AppError('exception', 'A change without an audit entry')) });
    });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('audit');
    expect(lines).toContain('unexpected error');
  });

  test('what is thrown need not be an Error', async () => {
    for (const thrown of ['text', undefined, null, { code: 'not-found' }]) {
      expect((await call({ run: () => Promise.reject(thrown) })).status).toBe(500);
    }
  });

  test('on an OAuth route has OAuth’s shape', async () => {
    const answer = await call({ errors: 'oauth', run: () => Promise.reject(new Error('x')) });
    expect(await answer.json()).toEqual({ error: 'server_error', error_description: expect.any(String) });
  });
});

describe('parameters of the path', () => {
  const echo = { run: async (_: unknown, { params }: { params: Record<string, string> }) => json(params) };

  test('are decoded once, by the mount: what still looks encoded is meant so', async () => {
    expect(await (await call(echo, {}, { id: '%24execute' })).json()).toEqual({ id: '%24execute' });
  });

  test('that name what no database holds are 404', async () => {
    expect((await call(echo, {}, { id: 'a\u0000b' })).status).toBe(404);
  });
});

describe('methods', () => {
  const handlers = methods({ GET: apiRoute({ auth: 'none', run: async () => json({}) }) });
  const send = (method: string, headers = {}) =>
    handlers[method as keyof typeof handlers](new Request('http://localhost:3999/', { method, headers }), NO_PARAMS);

  test('that are not there are 405 with Allow, as an outcome', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(await answer.json()).toMatchObject({
        resourceType: 'OperationOutcome',
        issue: [{ code: 'not-supported' }],
      });
    }
  });

  test('OPTIONS answers the preflight without credentials', async () => {
    const answer = await send('OPTIONS', { origin: 'https://app.example.com' });
    expect([answer.status, await answer.text(), answer.headers.get('allow')]).toEqual([204, '', 'GET, HEAD, OPTIONS']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(answer.headers.get('access-control-max-age')).toBe('600');
  });
});

test('credentials are looked at before the body: nobody learns what would have been valid', async () => {
  const answer = await call(
    { auth: 'required', body: jsonBody(z.object({ a: z.string() })) },
    { method: 'POST', body: '{' },
  );
  expect(answer.status).toBe(401);
});

describe('the log of a whole journey', () => {
  let owner: Owner;
  beforeAll(async () => {
    owner = await makeOwner();
  });

  test('holds no address, password, token, code, secret or link', async () => {
    const client = await makeClient(owner.projectId);
    const link = await makeLink({ kind: 'reset', userId: owner.userId });
    const secrets = [owner.email, PASSWORD, client.secret, client.basic, link.secret, 'Ada', 'Stone'];
    const lines = await logOf(async () => {
      const sent = { email: owner.email, password: PASSWORD, codeChallenge: 'p'.repeat(43) };
      const { body } = await callAuth('POST', '/auth/login', { body: sent });
      await callAuth('POST', '/auth/login', { body: { ...sent, password: 'Wrong-Hammock-41' } });
      const { tokens, access } = await signIn(owner, { scope: 'offline' });
      await callAuth('GET', `/auth/me?token=${access}`, { token: access });
      await callAuth('GET', '/auth/me', { headers: { authorization: client.basic } });
      await callAuth('POST', '/auth/resetpassword', { body: { email: owner.email } });
      await callAuth('POST', '/auth/link', { body: link });
      await callAuth('POST', '/auth/setpassword', { body: { ...link, password: 'Orange-Lantern-88' } });
      secrets.push(body.code, access, tokens.refresh_token, 'Orange-Lantern-88', 'Wrong-Hammock-41');
    });
    expect(lines.trim().split('\n').length).toBeGreaterThan(7);
    for (const secret of secrets) expect(lines).not.toContain(secret);
  });
});
