import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { SCIM_ERROR } from '#lib/protocol/scim/urns.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { fillProject } from '#lib/testing/growth/fill-project.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

const APP = join(import.meta.dirname, '../../../app');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Routes that answer without credentials. Everything else must say 401: a new route is closed until it stands here. */
const OPEN = new Set([
  '/.well-known/audit-keys.json',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/smart-style.json',
  // Whoever was mailed the link.
  '/auth/changes/confirm',
  '/auth/changes/link',
  '/auth/changes/stop',
  '/auth/clientinfo/[clientId]',
  '/auth/exchange',
  '/auth/external',
  '/auth/external/[clientId]',
  // What a browser brings of a SAML provider, and what such a one is told.
  '/auth/external/saml/[projectId]',
  '/auth/external/saml/[projectId]/metadata',
  '/auth/link',
  '/auth/link/code',
  '/auth/link/renew',
  '/auth/login',
  // Whoever began it knows the id, which is the secret of a sign-in until it has its tokens.
  '/auth/login/[loginId]',
  // As for `/auth/login/[loginId]`.
  '/auth/mfa/login-enroll',
  '/auth/mfa/send-email',
  '/auth/mfa/verify',
  '/auth/method',
  '/auth/newpatient',
  '/auth/newproject',
  '/auth/newuser',
  '/auth/passkey/options',
  '/auth/passkey/verify',
  '/auth/signinlink',
  '/auth/signinlink/spend',
  '/auth/profile',
  // Whoever was mailed the link.
  '/auth/reopen',
  '/auth/resetpassword',
  '/auth/scope',
  '/auth/setpassword',
  '/auth/verifyemail',
  '/auth/verifyemail/send',
  '/dev/mail',
  '/fhir/R4/.well-known/smart-configuration',
  // Whoever has the signed link.
  '/fhir/R4/export/[exportId]/[piece]',
  '/fhir/R4/metadata',
  '/healthcheck',
  // For who calls from this machine, or shows the token of the settings; for everybody else there is nothing.
  '/metrics',
  '/oauth2/authorize',
  // A client shows who it is in the form, too; who has a token may end it.
  '/oauth2/device_authorization',
  '/oauth2/introspect',
  '/oauth2/par',
  '/oauth2/revoke',
  '/oauth2/token',
  // Signed by whoever sends it, instead.
  '/webhook/resend',
  // Whoever knows the address; it says 403 for what is no bot for the world.
  '/webhook/[membershipId]',
]);

/** Those answer errors as RFC 6749 §5.2 has them. */
const OAUTH_ERRORS = new Set([
  '/oauth2/device_authorization',
  '/oauth2/introspect',
  '/oauth2/par',
  '/oauth2/register',
  '/oauth2/revoke',
  '/oauth2/token',
]);

/** Those answer errors as text: a browser shows them. */
const FOR_A_PERSON = new Set([
  '/auth/external',
  '/auth/external/[clientId]',
  '/auth/external/saml/[projectId]',
  '/oauth2/authorize',
]);

/** Not ours: next-auth's. And the catch-alls, which know nothing. */
const LEFT_OUT = /^\/api\/|\[\.\.\./;

type Route = { path: string; methods: string[]; allow: string; params: string[] };

/** Every `route.ts` with the methods that it answers itself, from the disk: none is forgotten here. */
const ROUTES: Route[] = await Promise.all(
  readdirSync(APP, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'route.ts')
    .map(({ parentPath }) => parentPath.slice(APP.length))
    .filter((path) => !LEFT_OUT.test(path))
    .sort()
    .map(async (path) => {
      const { OPTIONS } = await import(pathToFileURL(join(APP, path, 'route.ts')).href);
      const answer: Response = await OPTIONS(new Request('http://localhost/'), { params: Promise.resolve({}) });
      const allow = answer.headers.get('allow') ?? '';
      const params = [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name!);
      return { path, allow, params, methods: METHODS.filter((method) => allow.split(', ').includes(method)) };
    }),
);

const CALLS = ROUTES.flatMap((route) =>
  route.methods.map((method): [string, string, Route] => [method, route.path, route]),
);

let own: World;
let other: World;
/** What the other project has, by the name that a path gives it. */
let foreign: Record<string, string>;
let member: string;

beforeAll(async () => {
  // As a server has it: who calls is not loaded anew for each of some thousand requests.
  await startInvalidation();
  [own, other] = [await createWorld(), await createWorld()];
  member = (await makeClient(own.projectId)).basic;
  foreign = await fillProject(other);
});
afterAll(stopInvalidation);

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(params[name] ?? newId()));
}

/** What each parameter is when nothing has it. */
function missing(): Record<string, string> {
  const ids = Object.fromEntries(Object.keys(foreign).map((name) => [name, newId()]));
  return { ...ids, type: foreign.type!, op: '_history', vid: '1', number: '1', name: 'nobodys' };
}

const OUTCOME_IDS = new Set(Object.values(ERRORS).map((error) => ('id' in error ? error.id : undefined)));

/** An error of the shape that clients can read: an OperationOutcome, RFC 6749's on the endpoints of OAuth, or text for a person. */
function expectReadable(path: string, { status, headers, body }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  if (status < 400) return;
  if (OAUTH_ERRORS.has(path)) {
    expect(body).toEqual({ error: expect.stringMatching(/^\w+$/), error_description: expect.stringMatching(/./) });
    return;
  }
  if (path.startsWith('/scim/')) {
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
    const error = { schemas: [SCIM_ERROR], status: String(status), detail: expect.stringMatching(/./) };
    expect(body).toEqual(body.scimType === undefined ? error : { ...error, scimType: expect.stringMatching(/^\w+$/) });
    return;
  }
  if (FOR_A_PERSON.has(path)) {
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    return;
  }
  expect(headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  expect(body).toMatchObject({ resourceType: 'OperationOutcome' });
  expect(OUTCOME_IDS).toContain(body.id);
  expect(body.issue.length).toBeGreaterThan(0);
  for (const issue of body.issue) {
    expect(issue).toMatchObject({ severity: 'error', code: expect.stringMatching(/^[a-z-]+$/) });
    expect(issue.details.text).toMatch(/./);
  }
}

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const BODIES: Call[] = [
  {},
  { body: {} },
  { body: [] },
  { body: 'null' },
  { body: '{' },
  { body: '{"a":1,"a":2}' },
  { body: '{"__proto__":{"admin":true}}' },
  { body: { name: 'a\u0000b', email: 'a\ud800b' } },
  { body: `"${'x'.repeat(1_100_000)}"` },
  { body: new Uint8Array([0x22, 0xff, 0x22]), headers: { 'content-type': 'application/json' } },
  { body: 'text', headers: { 'content-type': 'text/plain' } },
  { body: 'x', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  { body: new URLSearchParams({ a: '\u0000' }) },
];
type Call = { body?: unknown; headers?: Record<string, string> };

const NAMES = [
  'x',
  '%00',
  'a%00b',
  '..%2f..',
  '%252e',
  "' or 1=1 --",
  'x'.repeat(8000),
  '😀',
  '-1',
  '1e9',
  '99999999999',
  '__proto__',
];

test('there are routes, every open one exists, and the other project has something for every parameter', () => {
  expect(ROUTES.length).toBeGreaterThan(30);
  for (const path of OPEN) expect(ROUTES.map((route) => route.path)).toContain(path);
  const names = new Set(ROUTES.flatMap((route) => route.params));
  expect([...names].filter((name) => !(name in missing()))).toEqual([]);
});

test.each(ROUTES)('$path: another method is 405 with Allow', async ({ path, methods, allow }) => {
  for (const method of METHODS.filter((name) => !methods.includes(name))) {
    const answer = await callApi(own.owner.bearer, method, fill(path, missing()));
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
    if (path.startsWith('/scim/')) expectReadable(path, answer);
    else expect(answer.body).toMatchObject({ resourceType: 'OperationOutcome', id: 'method-not-allowed' });
  }
});

describe('without credentials', () => {
  test.each(CALLS)('%s %s', async (method, path, route) => {
    const given: Call[] = [{}, ...(method === 'GET' || method === 'DELETE' ? [] : [{ body: {} }, { body: '{' }])];
    for (const call of given) {
      for (const params of [foreign, missing()]) {
        const answer = await callApi(undefined, method, fill(route.path, { ...missing(), ...params }), call);
        if (path === '/webhook/[membershipId]') expect([403, 404]).toContain(answer.status);
        else if (OPEN.has(path)) expect([401, 403]).not.toContain(answer.status);
        else expect(answer.status).toBe(401);
        expectReadable(path, answer);
      }
    }
  });
});

describe('for the super-admin, below a project that is not there nothing is', () => {
  const below = CALLS.filter(([, path]) => path.startsWith('/admin/projects/[projectId]'));

  test.each(below)('%s %s', async (method, path) => {
    const root = await createSuperAdmin();
    for (const projectId of [newId(), 'nonsense']) {
      const answer = await callApi(root, method, fill(path, { ...missing(), projectId }));
      expectReadable(path, answer);
      expect(answer.status, answer.text).toBe(404);
    }
  });
});

/** What its policy is asked about: here it lets nobody make a project. */
describe('for a super-admin whom a policy limits the administration is closed', () => {
  const below = CALLS.filter(([, path]) => path.startsWith('/admin/') && path !== '/admin/bot-types');
  let limited: string;
  beforeAll(async () => {
    const root = await makeFhirProject(true);
    limited = (await root.member([{ resourceType: '*', readonly: true }], { admin: true })).authorization;
  });

  test.each(below)('%s %s', async (method, path) => {
    const statuses: number[] = [];
    for (const body of bodiesFor(method)) {
      const params = { ...missing(), ...foreign };
      const answer = await callApi(limited, method, fill(path, params), { body: body?.(params) });
      expectReadable(path, answer);
      statuses.push(answer.status);
    }
    // Whatever is refused for its form is so before anybody is asked for.
    expect([...new Set(statuses)].filter((status) => ![400, 415].includes(status))).toEqual([403]);
  });
});

describe('what another project has is as unknown as nothing', () => {
  const below = CALLS.filter(([, path, route]) => !OPEN.has(path) && route.params.length > 0);

  test.each(below)('%s %s', async (method, _, { path, params }) => {
    const ids = params.filter((name) => !['projectId', 'type', 'op', 'vid'].includes(name));
    const pairs: [Record<string, string>, Record<string, string>][] = [];
    // Its things below our own project, and its project itself.
    for (const name of ids)
      pairs.push([{ projectId: own.projectId, [name]: foreign[name]! }, { projectId: own.projectId }]);
    if (ids.length > 0) pairs.push([{ ...foreign, projectId: own.projectId }, { projectId: own.projectId }]);
    if (params.includes('projectId')) pairs.push([foreign, {}]);
    for (const authorization of [own.owner.bearer, member]) {
      for (const [theirs, nobodys] of pairs) {
        for (const body of bodiesFor(method)) {
          const [a, b] = [
            { ...missing(), ...theirs },
            { ...missing(), ...nobodys },
          ];
          const one = await callApi(authorization, method, fill(path, a), { body: body?.(a) });
          const two = await callApi(authorization, method, fill(path, b), { body: body?.(b) });
          expect([one.status, anonymous(one.text, a)]).toEqual([two.status, anonymous(two.text, b)]);
          if (theirs.projectId === other.projectId) expect(one.status).toBeGreaterThanOrEqual(400);
        }
      }
    }
  });

  test('and nobody of another project has changed anything there', async () => {
    const events = await db().select().from(auditEvent).where(eq(auditEvent.projectId, other.projectId));
    const strangers = events.filter(
      ({ actorMembership }) => actorMembership && actorMembership !== other.owner.membershipId,
    );
    expect(strangers).toEqual([]);
    const path = `/members/${foreign.membershipId}`;
    expect((await other.call('GET', path)).headers.get('etag')).toBe('W/"1"');
  });
});

type MakeBody = (params: Record<string, string>) => unknown;

/** Bodies that get past the check of some route, so that it comes to look for the thing. */
function bodiesFor(method: string): (MakeBody | undefined)[] {
  if (method === 'GET' || method === 'DELETE') return [undefined];
  return [
    undefined,
    () => ({}),
    () => ({ number: 1 }),
    () => ({ days: 3 }),
    () => ({ valueString: 'x' }),
    () => ({ code: 'export async function handler() {}', filename: 'index.ts' }),
    () => [{ op: 'add', path: '/admin', value: true }],
    () => ({ project: own.projectId }),
    () => ({ resourceType: 'AccessPolicy', name: 'Ours', resource: [{ resourceType: 'Patient' }] }),
    (params) => ({ resourceType: 'ProjectMembership', id: params.membershipId, admin: true }),
    () => ({ userName: 'a.moss', name: { givenName: 'A', familyName: 'Moss' } }),
    () => ({ schemas: [PATCH_OP], Operations: [{ op: 'replace', path: 'active', value: false }] }),
    (params) => ({ resourceType: params.type, id: params.id, name: [{ family: 'Moss' }] }),
  ];
}

/** The answer without what the caller said themselves and what differs by the moment. */
function anonymous(text: string, params: Record<string, string>): string {
  let plain = text;
  for (const value of Object.values(params)) if (value.length > 8) plain = plain.replaceAll(value, '#');
  return plain.replace(/"(lastUpdated|versionId|id)":"[^"]*"/g, '"$1":"#"').replace(/"id":"#"/g, '');
}

describe('whatever is sent, the answer is no fault of ours, and readable', () => {
  test.each(CALLS)('%s %s', async (method, path, route) => {
    const call = async (target: string, given: Call = {}) => {
      const answer = await callApi(own.owner.bearer, method, target, given);
      expect([target.slice(0, 200), answer.status < 500]).toEqual([target.slice(0, 200), true]);
      expectReadable(path, answer);
    };
    const params = { ...missing(), projectId: own.projectId };
    for (const body of method === 'GET' || method === 'DELETE' ? [{}] : BODIES) await call(fill(path, params), body);
    for (const name of route.params) {
      for (const value of NAMES)
        await call(fill(path.replace(`[${name}]`, value), params), { body: method === 'GET' ? undefined : {} });
    }
    for (const query of ['?%00=%00', '?_count=%00', '?a=%ff', '?__proto__=1', `?${'a=1&'.repeat(500)}`, '?%']) {
      await call(`${fill(path, params)}${query}`, { body: method === 'GET' ? undefined : {} });
    }
  });
});
