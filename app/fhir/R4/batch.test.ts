import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BELOW_BASE } from '#lib/http/fhir/bundle/run-entry.ts';
import { MOST_ENTRIES } from '#lib/protocol/fhir/bundle-limits.ts';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Kreiger' }] };

function batch(entry: unknown[], caller = admin, headers: Record<string, string> = {}): Promise<Answer> {
  return callFhir(caller, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry }, headers });
}

async function entriesOf(entry: unknown[], caller = admin) {
  const { status, body, text } = await batch(entry, caller);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ resourceType: 'Bundle', type: 'batch-response' });
  expect(body.entry).toHaveLength(entry.length);
  return body.entry;
}

function request(method: string, url: string, more: object = {}) {
  return { method, url, ...more };
}

async function makePatient(body: object = PATIENT): Promise<Answer['body']> {
  return (await callFhir(admin, 'POST', 'Patient', { body })).body;
}

describe('what is posted to the base', () => {
  test.each([
    ['text', '"x"', 'structure', undefined],
    ['nothing', '', 'structure', undefined],
    ['a list', [], 'structure', undefined],
    ['a Patient', PATIENT, 'value', 'resourceType'],
    ['no type', { resourceType: 'Bundle' }, 'required', 'Bundle.type'],
    ['a searchset', { resourceType: 'Bundle', type: 'searchset' }, 'invalid', 'Bundle.type'],
    ['a batch-response', { resourceType: 'Bundle', type: 'batch-response' }, 'invalid', 'Bundle.type'],
    ['an unknown element', { resourceType: 'Bundle', type: 'batch', x: 1 }, 'structure', 'Bundle.x'],
    ['no list', { resourceType: 'Bundle', type: 'batch', entry: {} }, 'structure', 'Bundle.entry'],
    ['a null', { resourceType: 'Bundle', type: 'batch', entry: [{}, null] }, 'structure', 'Bundle.entry[1]'],
  ])('is 400 for %s', async (_name, body, code, expression) => {
    const answer = await callFhir(admin, 'POST', '', {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/fhir+json' },
    });
    expectIssue(answer, 400, code, expression);
  });

  test('is 200 without entries, and 401 without credentials', async () => {
    const { status, body } = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch' } });
    expect([status, body]).toEqual([200, { resourceType: 'Bundle', type: 'batch-response' }]);
    expect((await batch([])).body).toEqual(body);
    expectIssue(
      await callFhir(undefined, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch' } }),
      401,
      'login',
    );
  });

  test('has so many entries at most, as the CapabilityStatement says', async () => {
    const entry = Array.from({ length: MOST_ENTRIES + 1 }, () => ({ request: request('GET', 'Patient/x') }));
    expectIssue(await batch(entry), 422, 'too-costly', 'Bundle.entry');
    const { body } = await callFhir(undefined, 'GET', 'metadata');
    expect(body.rest[0].interaction).toContainEqual({
      code: 'batch',
      documentation: expect.stringContaining(String(MOST_ENTRIES)),
    });
  });

  test('runs what is mounted, and all of it', async () => {
    const paths = ['', '[type]', '[type]/[id]', '[type]/[id]/[op]', '[type]/[id]/[op]/[vid]'];
    for (const [depth, path] of paths.entries()) {
      if (depth === 0) continue;
      const handlers = await import(join(import.meta.dirname, path, 'route.ts'));
      for (const [method, handler] of Object.entries(BELOW_BASE[depth]!)) expect(handlers[method], path).toBe(handler);
      const { headers } = await handlers.OPTIONS(new Request('http://x/'), { params: Promise.resolve({}) });
      const allowed = headers
        .get('allow')
        .split(', ')
        .filter((method: string) => !/HEAD|OPTIONS/.test(method));
      expect(allowed.sort()).toEqual(Object.keys(BELOW_BASE[depth]!).sort());
    }
  });
});

describe('a batch', () => {
  test('does each entry as the request that it stands for, and answers in their order', async () => {
    const { id, meta } = await makePatient();
    const other = await makePatient({ ...PATIENT, active: true });
    const gone = await makePatient();
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/active', value: false }])).toString('base64');
    const answers = await entriesOf([
      { request: request('GET', `Patient/${id}`) },
      { request: request('POST', 'Patient'), resource: { ...PATIENT, gender: 'female' } },
      { request: request('PUT', `/Patient/${id}`), resource: { ...PATIENT, id, gender: 'male' } },
      { request: request('DELETE', `Patient/${gone.id}`) },
      { request: request('GET', `Patient/${gone.id}`) },
      {
        request: request('PATCH', `Patient/${other.id}`),
        resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data: patch },
      },
      { request: request('GET', `${FHIR_BASE}/Patient/${id}/_history/1`) },
      { request: request('GET', `Patient/${id}/_history?_count=1`) },
      { request: request('GET', `Patient?_id=${id},${other.id}&_total=accurate`) },
      { request: request('POST', `Patient/_search?_id=${id}`) },
      { request: request('HEAD', `Patient/${id}`) },
      { request: request('POST', 'Patient/$validate'), resource: PATIENT },
      { request: request('GET', 'metadata') },
    ]);
    expect(answers.map(({ response }: Answer['body']) => response.status)).toEqual([
      '200 OK',
      '201 Created',
      '200 OK',
      '200 OK',
      '410 Gone',
      ...Array(8).fill('200 OK'),
    ]);
    const [read, created, updated, deleted, gone410, patched, old, history, found, searched, head, validated] = answers;
    expect(read).toEqual({
      fullUrl: `${FHIR_BASE}/Patient/${id}`,
      resource: { ...PATIENT, id, meta },
      response: { status: '200 OK', etag: 'W/"1"', lastModified: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(created.response.location).toBe(`${FHIR_BASE}/Patient/${created.resource.id}/_history/1`);
    expect(updated).toMatchObject({ resource: { gender: 'male' }, response: { etag: 'W/"2"' } });
    expect(deleted.response.outcome).toMatchObject({ id: 'ok' });
    expect(gone410.response.outcome.issue[0]).toMatchObject({ code: 'deleted', expression: ['Bundle.entry[4]'] });
    expect(patched.resource.active).toBe(false);
    expect([old.resource.meta.versionId, history.resource.type, history.resource.total]).toEqual(['1', 'history', 2]);
    expect([found.resource.type, found.resource.total, searched.resource.entry.length]).toEqual(['searchset', 2, 1]);
    expect(head).toEqual({ response: expect.objectContaining({ etag: 'W/"2"' }) });
    expect(validated.resource.resourceType).toBe('OperationOutcome');
  });

  test('searches by POST at every level, in a transaction too', async () => {
    const { id } = await makePatient();
    const urls = ['_search?_type=Patient', 'Patient/_search', `Patient/${id}/_search`, `Patient/${id}/Patient/_search`];
    const entry = urls.map((url) => ({ request: request('POST', `${url}${url.includes('?') ? '&' : '?'}_id=${id}`) }));
    for (const type of ['batch', 'transaction']) {
      const { body, text } = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type, entry } });
      const found = body.entry?.map(({ resource }: Answer['body']) => resource.entry?.[0]?.resource.id);
      expect(found, text).toEqual(urls.map(() => id));
    }
  });

  test('takes the conditions of each entry', async () => {
    const { id, meta } = await makePatient({ ...PATIENT, identifier: [{ system: 'urn:b', value: 'one' }] });
    const known = { ...PATIENT, identifier: [{ system: 'urn:b', value: 'one' }] };
    const fresh = { ...PATIENT, identifier: [{ system: 'urn:b', value: 'tw’o' }] };
    const answers = await entriesOf([
      { request: request('GET', `Patient/${id}`, { ifNoneMatch: 'W/"1"' }) },
      { request: request('GET', `Patient/${id}`, { ifModifiedSince: meta.lastUpdated }) },
      { request: request('PUT', `Patient/${id}`, { ifMatch: 'W/"7"' }), resource: { ...known, id } },
      { request: request('PUT', `Patient/${id}`, { ifMatch: 'x' }), resource: { ...known, id } },
      { request: request('POST', 'Patient', { ifNoneExist: 'identifier=urn:b|one' }), resource: known },
      { request: request('POST', 'Patient', { ifNoneExist: 'identifier=urn:b|tw’o' }), resource: fresh },
      { request: request('POST', 'Patient', { ifNoneExist: 'identifier=urn:b|tw’o' }), resource: fresh },
      { request: request('POST', 'Patient', { ifNoneExist: 'nonsense=1' }), resource: fresh },
      { request: request('PUT', 'Patient?identifier=urn:b|one'), resource: { ...known, active: true } },
      { request: request('DELETE', 'Patient?identifier=urn:b|one') },
    ]);
    expect(answers.map(({ response }: Answer['body']) => response.status.slice(0, 3))).toEqual(
      '304 304 412 400 200 201 200 400 200 200'.split(' '),
    );
    expect(answers[2].response.outcome.issue[0].expression).toEqual(['Bundle.entry[2]']);
    expect(answers[3].response.outcome.issue[0].expression).toEqual(['Bundle.entry[3].request.ifMatch']);
    expect(answers[6].response.location).toBe(answers[5].response.location);
  });

  test('one failing entry is nothing to the others, and says what is wrong with it', async () => {
    const faults: [unknown, string, string][] = [
      [{ request: request('GET', 'Patient/nobody') }, '404', ''],
      [{ request: request('GET', 'Nonsense/1') }, '404', ''],
      [{ resource: PATIENT }, '400', '.request'],
      [{}, '400', '.request'],
      [{ request: { method: 'GET' } }, '400', '.request.url'],
      [{ request: { method: 'PURGE', url: 'Patient' } }, '400', '.request.method'],
      [{ request: request('GET', 'Patient'), other: 1 }, '400', '.other'],
      [{ request: request('POST', 'Patient') }, '400', '.resource'],
      [{ request: request('POST', 'Patient'), resource: null }, '400', '.resource'],
      [{ request: request('POST', 'Patient'), resource: [] }, '400', '.resource'],
      [{ request: request('POST', 'Patient'), resource: { ...PATIENT, birthDate: 'x' } }, '400', '.resource.birthDate'],
      [{ request: request('POST', 'Observation'), resource: PATIENT }, '400', '.resource.resourceType'],
      [{ request: request('PUT', 'Patient/x'), resource: { ...PATIENT, id: 'y' } }, '400', '.resource.id'],
      [{ request: request('GET', 'https://elsewhere.test/fhir/R4/Patient/1') }, '400', '.request.url'],
      [{ request: request('GET', '//elsewhere.test/Patient/1') }, '400', '.request.url'],
      [{ request: request('GET', 'Patient/%zz') }, '400', '.request.url'],
      [{ request: request('GET', 'Patient/%00') }, '400', '.request.url'],
      [{ request: request('GET', 'Patient?nonsense=1') }, '400', '.request.url'],
      [{ request: request('GET', `Patient?name=${'x'.repeat(1_000_000)}`) }, '400', '.request'],
      [{ request: request('POST', ''), resource: { resourceType: 'Bundle', type: 'batch' } }, '400', '.request.url'],
      [
        { request: request('POST', FHIR_BASE), resource: { resourceType: 'Bundle', type: 'batch' } },
        '405',
        '.request.url',
      ],
      [{ request: request('POST', '/'), resource: { resourceType: 'Bundle', type: 'batch' } }, '405', '.request.url'],
      [{ request: request('GET', 'a/b/c/d/e/f') }, '404', '.request.url'],
      [{ request: request('GET', '../../admin/projects') }, '404', ''],
      [{ fullUrl: `${FHIR_BASE}/Patient/1`, request: request('GET', 'Patient/2') }, '400', '.fullUrl'],
      [
        { request: request('POST', 'Patient', { ifNoneExist: 'a\nb' }), resource: PATIENT },
        '400',
        '.request.ifNoneExist',
      ],
      [{ request: request('PATCH', 'Patient/1'), resource: { resourceType: 'Parameters' } }, '404', ''],
      [{ request: request('PATCH', 'Patient/1'), resource: { resourceType: 'Binary' } }, '400', '.resource.data'],
    ];
    const good = { request: request('POST', 'Patient'), resource: PATIENT };
    const answers = await entriesOf([good, ...faults.map(([entry]) => entry), good]);
    expect([answers.at(0).response.status, answers.at(-1).response.status]).toEqual(['201 Created', '201 Created']);
    for (const [at, [entry, status, place]] of faults.entries()) {
      const { response } = answers[at + 1];
      const { issue } = response.outcome;
      expect([response.status.slice(0, 3), issue[0].expression?.[0]], JSON.stringify(entry).slice(0, 200)).toEqual([
        status,
        `Bundle.entry[${at + 1}]${place}`,
      ]);
    }
  });

  test('entries cannot refer to each other', async () => {
    const fullUrl = 'urn:uuid:9d1e4b2f-43a4-4bd1-b7a9-7dbf5d9d5f4c';
    const code = { text: 'weight' };
    const [patient, observation] = await entriesOf([
      { fullUrl, request: request('POST', 'Patient'), resource: PATIENT },
      {
        request: request('POST', 'Observation'),
        resource: { resourceType: 'Observation', status: 'final', code, subject: { reference: fullUrl } },
      },
    ]);
    expect([patient.response.status, observation.response.status]).toEqual(['201 Created', '400 Bad Request']);
    expect(observation.response.outcome.issue[0].details.text).toContain('transaction');
  });

  test('answers with as much as is preferred, and as extended as is asked', async () => {
    const entry = [{ request: request('POST', 'Patient'), resource: PATIENT }];
    const minimal = (await batch(entry, admin, { prefer: 'respond-async, return=minimal' })).body.entry[0];
    expect([minimal.resource, minimal.response.status]).toEqual([undefined, '201 Created']);
    const outcome = (await batch(entry, admin, { prefer: 'return=OperationOutcome' })).body.entry[0];
    expect([outcome.resource, outcome.response.outcome.id]).toEqual([undefined, 'created']);
    const extended = (await batch(entry, admin, { 'x-medplum': 'extended' })).body.entry[0];
    expect(extended.resource.meta.project).toBe(project.projectId);
    const whole = (await batch(entry, admin)).body.entry[0];
    expect(whole.response.lastModified).toBe(whole.resource.meta.lastUpdated);
    const headers = { prefer: 'Return="minimal"' };
    expect((await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers })).text).toBe('');
  });

  test('an OperationOutcome that is kept is a resource like any other', async () => {
    const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'value' }] };
    const [made] = await entriesOf([{ request: request('POST', 'OperationOutcome'), resource: outcome }]);
    const [read] = await entriesOf([{ request: request('GET', `OperationOutcome/${made.resource.id}`) }]);
    expect([made.resource, read.resource]).toEqual(
      Array(2).fill({ ...outcome, id: made.resource.id, meta: read.resource.meta }),
    );
  });

  test('a thousand new resources are stored, each with its version', async () => {
    const entry = Array.from({ length: 1000 }, (_, at) => ({
      request: request('POST', 'Patient'),
      resource: { ...PATIENT, identifier: [{ system: 'urn:many', value: String(at) }] },
    }));
    const answers = await entriesOf(entry);
    expect(new Set(answers.map(({ resource }: Answer['body']) => resource.id)).size).toBe(1000);
    expect(answers.map(({ resource }: Answer['body']) => resource.identifier[0].value)).toEqual(
      entry.map((_, at) => String(at)),
    );
  });
});

describe('what a caller may not do by itself', () => {
  test('they may not do in a batch', async () => {
    const limited = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['read', 'search', 'create'] },
    ]);
    const male = await makePatient({ ...PATIENT, gender: 'male' });
    const stranger = await makeFhirProject();
    const { body: theirs } = await callFhir(stranger.admin, 'POST', 'Patient', { body: PATIENT });
    const answers = await entriesOf(
      [
        { request: request('GET', `Patient/${male.id}`) },
        { request: request('GET', `Patient/${theirs.id}`) },
        { request: request('GET', `Patient?_id=${male.id},${theirs.id}`) },
        { request: request('POST', 'Patient'), resource: { ...PATIENT, gender: 'male' } },
        { request: request('POST', 'Patient'), resource: { ...PATIENT, gender: 'female' } },
        { request: request('PUT', `Patient/${male.id}`), resource: { ...male, active: true } },
        { request: request('DELETE', `Patient/${male.id}`) },
        { request: request('GET', 'Observation') },
      ],
      limited,
    );
    expect(answers.map(({ response }: Answer['body']) => response.status.slice(0, 3))).toEqual(
      '404 404 200 403 201 403 403 403'.split(' '),
    );
    expect(answers[2].resource.entry).toBeUndefined();
  });
});

test('searches over several types, in a compartment and over references, histories and $everything are asked in one', async () => {
  const { id } = await makePatient({ resourceType: 'Patient', identifier: [{ system: 'urn:b', value: 'all-ways' }] });
  const subject = { reference: `Patient/${id}` };
  const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' }, subject };
  expect((await callFhir(admin, 'POST', 'Observation', { body })).status).toBe(201);
  const urls = [
    '?_type=Patient,Observation&_count=2',
    `Patient/${id}/Observation`,
    `Patient/${id}/*`,
    'Observation?subject:Patient.identifier=urn:b|all-ways',
    'Patient?_has:Observation:patient:status=final',
    '_history?_count=2',
    'Patient/_history?_count=2',
    `Patient/${id}/$everything`,
  ];
  const entries = await entriesOf(urls.map((url) => ({ request: request('GET', url) })));
  for (const [at, { response, resource }] of entries.entries()) {
    expect([urls[at], response.status, resource?.resourceType]).toEqual([urls[at], '200 OK', 'Bundle']);
    expect(resource.entry.length, urls[at]).toBeGreaterThan(0);
  }
});
