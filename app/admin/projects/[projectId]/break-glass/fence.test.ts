import { sql } from 'drizzle-orm';
import type { AuditEvent } from 'fhir/r4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import {
  administrator,
  type GlassWorld,
  MINE,
  makeGlassWorld,
  makePolicy,
  nurse,
  opened,
  readPatients,
  smash,
  toSettings,
  WHY,
} from '#lib/testing/break-glass.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { signIn } from '#lib/testing/world.ts';

// As a server has it: what is loaded is kept until somebody says that it changed.
beforeAll(startInvalidation);
afterAll(stopInvalidation);

const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const FULL = [
  { resourceType: '*' },
  { resourceType: 'AuditEvent' },
  { resourceType: 'Bot' },
  { resourceType: 'Patient' },
];

let world: GlassWorld;
beforeAll(async () => {
  world = await makeGlassWorld(FULL);
  const auditReads = { name: 'apiKeys', valueBoolean: true };
  const body = [...toSettings(world.emergency, world.ward), auditReads];
  expect((await world.call('POST', '/settings', { body })).status).toBe(200);
});

const statusOf = (bearer: string, path: string, method = 'GET', body?: object) =>
  callApi(bearer, method, path, { body }).then(({ status }) => status);

const toGet = (url: string) => ({ request: { method: 'GET', url } });

describe('a grant gives what its policy says of records, and nothing else', () => {
  test('no administration, no program and no log, to a member and to an administrator whom a policy limits', async () => {
    const [who, admin] = [await nurse(world), await administrator(world, { accessPolicy: { reference: world.ward } })];
    const before = await Promise.all(PATHS.map((path) => statusOf(admin.bearer, path)));
    for (const one of [who, admin]) await opened(one);
    expect(await readPatients(who.bearer)).toBe(200);
    expect(await readPatients(admin.bearer)).toBe(200);
    expect(await Promise.all(PATHS.map((path) => statusOf(admin.bearer, path)))).toEqual(before);
    for (const path of PATHS) expect(await statusOf(who.bearer, path), path).toBe(403);
    expect(await statusOf(who.bearer, '/fhir/R4/Bot', 'POST', { resourceType: 'Bot', name: 'x' })).toBe(403);
    expect(await statusOf(who.bearer, `/admin/projects/${world.projectId}/overview`)).toBe(403);
    const settings = { body: toSettings(world.emergency, world.ward, 10), bearer: admin.bearer };
    expectOutcome(await world.call('POST', '/settings', settings), 403);
    const own = [{ op: 'remove', path: '/accessPolicy' }];
    const patch = { body: own, headers: JSON_PATCH, bearer: admin.bearer };
    expectOutcome(await world.call('PATCH', `/members/${admin.id}`, patch), 403);
  });

  test('nor do they give others by it what they may not do themselves', async () => {
    const admin = await administrator(world, { accessPolicy: { reference: world.ward } });
    await opened(admin);
    const asker = await nurse(world);
    const body = { resourceType: 'Patient', interaction: 'read', reason: 'x' };
    const request = (await callApi(asker.bearer, 'POST', '/auth/me/access-requests', { body })).body.id;
    const until = new Date(Date.now() + 600_000).toISOString();
    const grant = { body: { policy: world.emergency, until }, bearer: admin.bearer };
    expectOutcome(await world.call('POST', `/access-requests/${request}/grant`, grant), 403, 'policy');
  });

  test('in the session of the person alone: not by their key, an app with scopes, a bot, nor on behalf of them', async () => {
    const who = await nurse(world);
    const inDays = new Date(Date.now() + 86_400_000).toISOString();
    const asKey = { name: 'Script', scope: 'user/*.cruds', expiresAt: inDays };
    const { key } = (await callApi(who.bearer, 'POST', '/auth/keys', { body: asKey })).body;
    await opened(who);
    expect(await readPatients(who.bearer)).toBe(200);
    expect(await readPatients(`Bearer ${key}`)).toBe(403);
    expectOutcome(await callApi(`Bearer ${key}`, 'POST', MINE, { body: WHY }), 403);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${who.id}` };
    expect(await readPatients(world.owner.bearer, headers)).toBe(403);
    expectOutcome(await callApi(world.owner.bearer, 'POST', MINE, { body: WHY, headers }), 403);
    const { basic } = await makeClient(world.projectId);
    expectOutcome(await callApi(basic, 'POST', MINE, { body: WHY }), 403);
    await db().execute(sql`update login set scope = 'openid user/*.cruds' where membership_id = ${who.id}::uuid`);
    await stopInvalidation();
    expect(await readPatients(who.bearer)).toBe(403);
    expectOutcome(await smash(who), 403);
    startInvalidation();
  });

  test('nor in a view: neither of the one who looks, nor of the one whose eyes these are', async () => {
    const own = await makeGlassWorld(FULL);
    const admin = await administrator(own, { accessPolicy: { reference: own.ward } });
    const seer = await own.invite({});
    await signIn(own.projectId, seer.id, seer.user.reference);
    const view = async (who: string, bearer?: string) => {
      const made = await own.call('POST', `/members/${who}/view-as`, { body: { reason: 'x' }, bearer });
      expect(made.status, made.text).toBe(201);
      return `Bearer ${made.body.token}`;
    };
    const before = await view(seer.id, admin.bearer);
    await opened(admin);
    expect(await readPatients(admin.bearer)).toBe(200);
    expect(await readPatients(before)).toBe(403);
    const after = await view(seer.id, admin.bearer);
    expect(await readPatients(after)).toBe(403);
    expect(await statusOf(after, '/fhir/R4/Observation')).toBe(200);
    const who = await nurse(own);
    await opened(who);
    expect(await readPatients(await view(who.id))).toBe(403);
  });

  test('who has a policy that may no longer, or not yet, does not break the glass', async () => {
    const other = await makePolicy(world, 'Other', [{ resourceType: 'Task' }]);
    const held = (period: object) => ({
      accessPolicy: { reference: other },
      membership: { access: [{ policy: { reference: world.ward }, period }] },
    });
    expectOutcome(await smash(await nurse(world, held({ end: '2020-01-01' }))), 403);
    expectOutcome(await smash(await nurse(world, held({ start: '2099-01-01' }))), 403);
    expect((await smash(await nurse(world, held({ start: '2020-01-01' })))).status).toBe(201);
  });

  test('its policy is neither taken away nor brought back wider by an administrator whom a policy limits', async () => {
    const own = await makeGlassWorld();
    const [, id = ''] = own.emergency.split('/');
    const limited = await administrator(own, { accessPolicy: { reference: own.ward } });
    const body = { resourceType: 'AccessPolicy', id, name: 'Wide', resource: [{ resourceType: '*' }] };
    const put = () => callApi(limited.bearer, 'PUT', `/fhir/R4/${own.emergency}`, { body });
    expectOutcome(await put(), 403);
    for (const bearer of [limited.bearer, own.owner.bearer])
      for (const policy of [own.emergency, own.ward])
        expectOutcome(await callApi(bearer, 'DELETE', `/fhir/R4/${policy}`), 409);
  });

  test('what is written under it belongs where its policy says', async () => {
    const own = await makeGlassWorld();
    const house = { reference: 'Organization/er' };
    const base = await makePolicy(
      own,
      'House',
      [{ resourceType: 'Patient', criteria: 'Patient?_compartment=Organization/er' }],
      { compartment: house },
    );
    const policy = await makePolicy(own, 'In it', [{ resourceType: 'Task' }], { basedOn: [{ reference: base }] });
    expect((await own.call('POST', '/settings', { body: toSettings(policy, own.ward) })).status).toBe(200);
    const who = await nurse(own);
    const id = await opened(who);
    const create = (type: string, more = {}) =>
      callApi(who.bearer, 'POST', `/fhir/R4/${type}`, {
        body: { resourceType: type, ...more },
        headers: { 'x-medplum': 'extended' },
      });
    const made = await create('Patient');
    expect([made.status, made.body.meta?.accounts], made.text).toEqual([201, [house]]);
    await callApi(who.bearer, 'POST', `${MINE}/${id}/end`);
    const later = await create('Observation', { status: 'final', code: { text: 'x' } });
    expect([later.status, later.body.meta?.accounts], later.text).toEqual([201, undefined]);
  });

  test('an entry that is written by hand, made longer, or brought back is worth nothing', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    const [entry] = (await world.call('GET', `/members/${who.id}`)).body.access;
    const put = async (value: object[]) => {
      const patch = { body: [{ op: 'add', path: '/access', value }], headers: JSON_PATCH };
      const changed = await world.call('PATCH', `/members/${who.id}`, patch);
      expect(changed.status, changed.text).toBe(200);
    };
    await put([{ ...entry, period: { end: '2099-01-01T00:00:00Z' } }]);
    expect(await readPatients(who.bearer)).toBe(403);
    await put([entry]);
    expect(await readPatients(who.bearer)).toBe(200);
    await callApi(who.bearer, 'POST', `${MINE}/${id}/end`);
    await put([entry]);
    expect(await readPatients(who.bearer)).toBe(403);
    await put([{ ...entry, id: `break-glass-${newId()}` }]);
    expect(await readPatients(who.bearer)).toBe(403);
    // Without another limit it is still not without any.
    const off = { body: [{ op: 'remove', path: '/accessPolicy' }], headers: JSON_PATCH };
    expect((await world.call('PATCH', `/members/${who.id}`, off)).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(403);
  });

  test('who writes back what they read, without saying which grant it was, does not make it last', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    const [{ policy, period }] = (await world.call('GET', `/members/${who.id}`)).body.access;
    const patch = { body: [{ op: 'add', path: '/access', value: [{ policy, period }] }], headers: JSON_PATCH };
    const changed = await world.call('PATCH', `/members/${who.id}`, patch);
    expect([changed.status, changed.body.access[0].id]).toEqual([200, `break-glass-${id}`]);
    expect(await readPatients(who.bearer)).toBe(200);
    expect((await world.call('POST', `/break-glass/${id}/end`)).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(403);
  });

  test('whose other policies are taken away meanwhile reaches no more when it ends than nothing', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    const id = await opened(who);
    const off = { body: [{ op: 'remove', path: '/accessPolicy' }], headers: JSON_PATCH };
    expect((await own.call('PATCH', `/members/${who.id}`, off)).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(200);
    expect((await own.call('POST', `/break-glass/${id}/end`)).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(403);
    expect(await statusOf(who.bearer, '/fhir/R4/Observation')).toBe(403);
  });

  test('as its policy is at that moment: changed, closed to places, or gone', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    await opened(who);
    const path = `/fhir/R4/${own.emergency}`;
    const put = async (fields: object) => {
      const body = { resourceType: 'AccessPolicy', id: own.emergency.split('/')[1], name: 'Emergency', ...fields };
      const changed = await callApi(own.owner.bearer, 'PUT', path, { body });
      expect(changed.status, changed.text).toBe(200);
    };
    await put({ resource: [{ resourceType: 'Patient', interaction: ['read'] }] });
    expect(await readPatients(who.bearer)).toBe(403);
    await put({ resource: [{ resourceType: 'Patient' }] });
    expect(await readPatients(who.bearer)).toBe(200);
    await put({ resource: [{ resourceType: 'Patient' }], ipAccessRule: [{ value: '*', action: 'allow' }] });
    expect(await readPatients(who.bearer)).toBe(403);
    expect(await statusOf(who.bearer, '/fhir/R4/Observation')).toBe(200);
    expectOutcome(await smash(await nurse(own)), 409);
    await put({ resource: [{ resourceType: 'Patient' }] });
    expectOutcome(await callApi(own.owner.bearer, 'DELETE', path), 409);
    // By something that goes round the rules.
    await db().execute(sql`
      update resource set deleted = true where project_id = ${own.projectId}::uuid and id = ${own.emergency.split('/')[1]}`);
    const other = await administrator(own);
    await own.call('PATCH', `/members/${who.id}`, { body: [{ op: 'add', path: '/externalId', value: 'x' }] });
    await stopInvalidation();
    expect(await readPatients(who.bearer)).toBe(403);
    expect(await statusOf(who.bearer, '/fhir/R4/Observation')).toBe(200);
    startInvalidation();
    const { findings } = (await own.call('GET', '/overview', { bearer: other.bearer })).body;
    const kinds = findings.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain('glass-policy-missing');
    expect(kinds).not.toContain('policy-missing');
    expectOutcome(await smash(await nurse(own)), 409);
  });

  test('members who are suspended or ended have nothing of it', async () => {
    const who = await nurse(world);
    await opened(who);
    const off = { body: [{ op: 'add', path: '/active', value: false }], headers: JSON_PATCH };
    expect((await world.call('PATCH', `/members/${who.id}`, off)).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(401);
    expectOutcome(await smash(who), 401);
  });
});

const PATHS = ['Project', 'ProjectMembership', 'User', 'AccessPolicy', 'AuditEvent'].map((type) => `/fhir/R4/${type}`);

describe('what is done under a grant is told in the log, with its purpose', () => {
  type Line = { action: string; target: string; outcome: number; grant: string | null };
  const linesOf = async (of: GlassWorld, profile: string): Promise<Line[]> => {
    await flushReads();
    const rows = await db().execute<Line>(sql`
      select action, target, outcome, after->>'breakGlass' as grant from audit_event
      where project_id = ${of.projectId}::uuid and actor = ${profile} and action !~ '^(break-glass.(open|end)|membership|access)' order by at`);
    return [...rows];
  };

  test('reads, searches, changes and what was not given; before and afterwards nothing', async () => {
    const own = await makeGlassWorld();
    const made = await callApi(own.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    const path = `/fhir/R4/Patient/${made.body.id}`;
    const who = await nurse(own);
    await statusOf(who.bearer, '/fhir/R4/Observation');
    const id = await opened(who);
    expect(await statusOf(who.bearer, path)).toBe(200);
    expect(await statusOf(who.bearer, '/fhir/R4/Patient?_count=1')).toBe(200);
    expect(await statusOf(who.bearer, path, 'PUT', { ...made.body, gender: 'female' })).toBe(200);
    expect(await statusOf(who.bearer, '/fhir/R4/Patient', 'POST', { resourceType: 'Patient' })).toBe(201);
    expect(await statusOf(who.bearer, '/fhir/R4/Encounter')).toBe(403);
    expect(await statusOf(who.bearer, '/fhir/R4/Patient/none')).toBe(404);
    await callApi(who.bearer, 'POST', `${MINE}/${id}/end`);
    await statusOf(who.bearer, '/fhir/R4/Observation');
    const lines = await linesOf(own, who.profile);
    const told = lines.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`);
    expect(told.toSorted()).toEqual([
      'break-glass.miss Encounter 4',
      'break-glass.miss Patient/none 4',
      expect.stringMatching(/^resource.create Patient\//),
      `resource.read Patient/${made.body.id} 0`,
      'resource.search Patient 0',
      `resource.update Patient/${made.body.id} 0`,
    ]);
    expect(new Set(lines.map(({ grant }) => grant))).toEqual(new Set([id]));
    const detail = (await own.call('GET', `/break-glass/${id}`)).body;
    expect(detail.use).toEqual([
      { type: 'Encounter', read: 0, changed: 0, failed: 1 },
      { type: 'Patient', read: 2, changed: 2, failed: 1 },
    ]);
    expect(detail.more).toBe(false);
    const { entry } = (await callApi(own.owner.bearer, 'GET', `/fhir/R4/AuditEvent?agent=${who.profile}&_count=50`))
      .body;
    const events: AuditEvent[] = entry.map(({ resource }: { resource: AuditEvent }) => resource);
    const read = events.find(({ entity }) => entity?.[0]?.what?.reference === `Patient/${made.body.id}`);
    const coding = [
      { system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'BTG', display: 'break the glass' },
    ];
    expect(read).toMatchObject({ purposeOfEvent: [{ coding }], agent: [{ purposeOfUse: [{ coding }] }] });
    expect(read?.entity?.[0]?.detail).toContainEqual({ type: 'emergency access', valueString: id });
    const opening = events.find(({ subtype }) => subtype?.some(({ code }) => code === 'break-glass.open'));
    expect(opening).toBeDefined();
    expect(opening?.purposeOfEvent).toBeUndefined();
  });

  test('what a change of nothing shows is read, and each entry of a Bundle that is refused is told', async () => {
    const own = await makeGlassWorld();
    const gender = 'female';
    const made = await callApi(own.owner.bearer, 'POST', '/fhir/R4/Patient', {
      body: { resourceType: 'Patient', gender },
    });
    const { id } = made.body;
    const who = await nurse(own);
    await opened(who);
    const resource = { resourceType: 'Patient', gender };
    const asks = [{ op: 'test', path: '/gender', value: gender }];
    const inBundle = (type: string, ...entry: object[]) => {
      return ['POST', '', { resourceType: 'Bundle', type, entry }, {}] as const;
    };
    const put = { resource: { ...resource, id }, request: { method: 'PUT', url: `Patient/${id}` } };
    const create = { resource, request: { method: 'POST', url: 'Patient', ifNoneExist: `_id=${id}` } };
    const requests: (readonly [method: string, path: string, body: object, headers: Record<string, string>])[] = [
      ['PUT', `/Patient/${id}`, { ...resource, id }, {}],
      ['PUT', `/Patient?_id=${id}`, resource, {}],
      ['PATCH', `/Patient/${id}`, asks, JSON_PATCH],
      ['POST', '/Patient', resource, { 'if-none-exist': `_id=${id}` }],
      inBundle('batch', put),
      inBundle('batch', create),
      inBundle('transaction', put),
      inBundle('transaction', create),
      // Whether it could be changed so tells of it.
      ['POST', `/Patient/${id}/$validate?mode=update`, { ...resource, id, birthDate: '2000' }, {}],
      ['POST', '/Patient/$validate?mode=update', { ...resource, id, birthDate: '2000' }, {}],
    ];
    for (const [method, path, body, headers] of requests)
      expect((await callApi(who.bearer, method, `/fhir/R4${path}`, { body, headers })).status).toBe(200);
    const [, , misses] = inBundle('batch', ...['Patient/none', 'Encounter'].map((url) => toGet(url)));
    await callApi(who.bearer, 'POST', '/fhir/R4', { body: misses });
    const wrong = { ...put, resource: { ...resource, id }, request: { ...put.request, ifMatch: 'W/"9"' } };
    const [, , guess] = inBundle('transaction', wrong);
    expectOutcome(await callApi(who.bearer, 'POST', '/fhir/R4', { body: guess }), 412);
    const link = [{ type: 'seealso', other: { reference: `Patient?_id=${id}` } }];
    const linked = { resource: { resourceType: 'Patient', link }, request: { method: 'POST', url: 'Patient' } };
    const [, , finding] = inBundle('transaction', linked);
    expect((await callApi(who.bearer, 'POST', '/fhir/R4', { body: finding })).status).toBe(200);
    for (const path of ['Basic?code=none', 'Patient/gone', 'Patient?_id=gone'])
      await callApi(who.bearer, 'DELETE', `/fhir/R4/${path}`);
    const told = (await linesOf(own, who.profile)).map(({ action, target }) => `${action} ${target}`);
    expect(told.toSorted()).toEqual([
      'break-glass.miss Basic',
      'break-glass.miss Encounter',
      'break-glass.miss Patient',
      `break-glass.miss Patient/${id}`,
      'break-glass.miss Patient/gone',
      'break-glass.miss Patient/none',
      expect.stringMatching(/^resource.create Patient\//),
      ...requests.map(() => `resource.read Patient/${id}`),
      'resource.search Patient',
    ]);
  });

  test('but what an administrator has explained is no read of theirs', async () => {
    const own = await makeGlassWorld();
    const made = await callApi(own.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    const { id } = made.body;
    const who = await nurse(own);
    await opened(who);
    for (const asked of [
      { interaction: 'read', id },
      { interaction: 'search', query: 'active:missing=true' },
    ]) {
      const body = { membership: `ProjectMembership/${who.id}`, resourceType: 'Patient', ...asked };
      const answer = await own.call('POST', '/access/explain', { body });
      expect([answer.status, answer.body.status], answer.text).toEqual([200, 200]);
    }
    expect(await linesOf(own, who.profile)).toEqual([]);
  });

  test('a read is one statement, under a grant and without', async () => {
    const own = await makeGlassWorld([{ resourceType: 'Patient' }, { resourceType: 'Observation' }]);
    const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' } };
    const made = await callApi(own.owner.bearer, 'POST', '/fhir/R4/Observation', { body });
    const path = `/fhir/R4/Observation/${made.body.id}`;
    const who = await nurse(own);
    const statementsOfRead = async () => {
      await statusOf(who.bearer, path);
      const texts: string[] = [];
      const stop = watchStatements((text) => texts.push(text));
      expect(await statusOf(who.bearer, path)).toBe(200);
      stop();
      return texts.filter((text) => /\b(resource|login|break_glass)\b/.test(text));
    };
    expect(await statementsOfRead()).toHaveLength(1);
    await opened(who);
    expect(await statementsOfRead()).toHaveLength(1);
  });
});

describe('who sets it up', () => {
  test.each<[string, (of: GlassWorld, policy: string) => object[]]>([
    ['a policy that is not there', (of) => toSettings(`AccessPolicy/${newId()}`, of.ward)],
    ['one that may, which is not there', (of) => toSettings(of.emergency, `AccessPolicy/${newId()}`)],
    ['what is no policy', (of) => toSettings('Patient/x', of.ward)],
    ['nobody who may', (of) => toSettings(of.emergency, of.ward).slice(0, 1)],
    ['no policy', (of) => toSettings(of.emergency, of.ward).slice(1)],
    ['a policy that asks for values', (of, policy) => toSettings(policy, of.ward)],
  ])('400: %s', async (_, body) => {
    const policy = await makePolicy(world, 'Of one', [{ resourceType: 'Patient', criteria: 'Patient?_id=%one' }]);
    const answer = await world.call('POST', '/settings', { body: body(world, policy) });
    expect(answer.status, answer.text).toBe(400);
  });

  test('400: a policy that says from where it is used; it is taken off with all of its settings', async () => {
    const ipAccessRule = [{ value: '*', action: 'allow' }];
    const placed = await makePolicy(world, 'Placed', [{ resourceType: 'Patient' }], { ipAccessRule });
    expectOutcome(await world.call('POST', '/settings', { body: toSettings(placed, world.ward) }), 400);
    const own = await makeGlassWorld();
    const who = await nurse(own);
    expect((await own.call('POST', '/settings', { body: [] })).status).toBe(200);
    expectOutcome(await smash(who), 403);
  });
});
