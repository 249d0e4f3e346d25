import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { mountedOperations } from '../fhir/operations/mounted.ts';

const APP = join(import.meta.dirname, '../../../app');
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LEFT_OUT = /^\/api\/|\[\.\.\./;

/** What is answered with a member’s eyes; everything else must say 403, so that a new route is closed until it stands here. */
const OPEN = new Set([
  'GET /auth/me',
  'GET /fhir/R4',
  'GET /fhir/R4/[type]',
  'GET /fhir/R4/[type]/[id]',
  'GET /fhir/R4/[type]/[id]/[op]',
  'POST /fhir/R4/[type]/[id]/[op]',
  'GET /fhir/R4/[type]/[id]/[op]/[vid]',
  'POST /fhir/R4/[type]/[id]/[op]/[vid]',
]);
/** These read; each of the others is refused. */
const READING = new Set(['everything', 'expand', 'expand-profile', 'lookup', 'meta', 'translate', 'validate-code']);

let world: World;
let view: string;
let patientId: string;

const ROUTES = await Promise.all(
  readdirSync(APP, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'route.ts')
    .map(({ parentPath }) => parentPath.slice(APP.length))
    .filter((path) => !LEFT_OUT.test(path))
    .sort()
    .map(async (path) => {
      const { OPTIONS } = await import(pathToFileURL(join(APP, path, 'route.ts')).href);
      const answer: Response = await OPTIONS(new Request('http://localhost/'), { params: Promise.resolve({}) });
      const allow = (answer.headers.get('allow') ?? '').split(', ');
      return { path, methods: METHODS.filter((method) => allow.includes(method)) };
    }),
);
const CALLS = ROUTES.flatMap(({ path, methods }) => methods.map((method): [string, string] => [method, path]));

beforeAll(async () => {
  await startInvalidation();
  world = await createWorld();
  const member = await world.invite();
  const body = { resourceType: 'Patient', gender: 'female' };
  patientId = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body })).body.id;
  const made = await world.call('POST', `/members/${member.id}/view-as`, { body: { reason: 'A look' } });
  expect(made.status, made.text).toBe(201);
  view = `Bearer ${made.body.token}`;
});
afterAll(stopInvalidation);

function fill(path: string): string {
  const known: Record<string, string> = {
    projectId: world.projectId,
    type: 'Patient',
    id: patientId,
    op: '_history',
    vid: '1',
  };
  return path.replace(/\[(\w+)\]/g, (_, name: string) => known[name] ?? newId());
}

test.each(CALLS)('%s %s', async (method, path) => {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answer = await callApi(view, method, fill(path), { body });
  const nobody = await callApi(undefined, method, fill(path), { body });
  if (OPEN.has(`${method} ${path}`)) expect(answer.status, answer.text).not.toBe(403);
  // Where nobody is asked who they are, the token says nothing.
  else if (nobody.status !== 401) expect(answer.status).toBe(nobody.status);
  else if (path === '/oauth2/register') expect(answer.status).toBe(401);
  else {
    expect(answer.status, answer.text).toBe(403);
    expect(answer.text).toContain('With a member’s eyes');
  }
});

test('by POST there are searches, and nothing is made', async () => {
  for (const path of ['_search', 'Patient/_search', `Patient/${patientId}/_search`]) {
    const body = new URLSearchParams(path === '_search' ? '_type=Patient' : '');
    const answer = await callApi(view, 'POST', `/fhir/R4/${path}`, { body });
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const headers = { 'if-none-exist': 'identifier=x' };
  expectOutcome(await callApi(view, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' }, headers }), 403);
  const bundle = { resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: 'Patient' } }] };
  expectOutcome(await callApi(view, 'POST', '/fhir/R4', { body: bundle }), 403);
});

test('of the operations those that read', async () => {
  for (const { type, name } of mountedOperations()) {
    const on = type === 'Resource' ? 'Patient' : type;
    for (const path of [`$${name}`, `${on}/$${name}`, `${on}/${on === 'Patient' ? patientId : newId()}/$${name}`])
      for (const method of ['GET', 'POST']) {
        const { status, text } = await callApi(view, method, `/fhir/R4/${path}`, method === 'POST' ? { body: {} } : {});
        if (READING.has(name)) expect([method, path, status, text]).not.toEqual([method, path, 403, text]);
        else expect([method, path, [403, 404, 405].includes(status)]).toEqual([method, path, true]);
        if (!READING.has(name) && status === 403) expect(text).toContain('With a member’s eyes');
      }
  }
});

test('and nothing was changed by any of it', async () => {
  const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
  const done = rows.filter(({ onBehalfOf }) => onBehalfOf !== null).map(({ action }) => action);
  expect([...new Set(done)].filter((action) => !['resource.read', 'resource.search'].includes(action))).toEqual([]);
});
