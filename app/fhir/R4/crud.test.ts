import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, callFhir, FHIR_BASE } from '#lib/testing/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
let other: FhirProject;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  other = await makeFhirProject();
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Kreiger' }] };

async function makePatient(body: object = PATIENT): Promise<Answer['body']> {
  return (await callFhir(admin, 'POST', 'Patient', { body })).body;
}

function expectOutcome(answer: Answer, status: number, code: string, expression?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  expect(answer.body.resourceType).toBe('OperationOutcome');
  expect(answer.body.issue[0]).toMatchObject({ severity: 'error', code });
  expect(answer.body.issue[0].details.text).toBeTruthy();
  if (expression) expect(answer.body.issue[0].expression).toEqual([expression]);
}

describe('create', () => {
  test('201 with Location, ETag and Last-Modified; the id and version are ours', async () => {
    const body = {
      ...PATIENT,
      id: 'mine',
      meta: { versionId: '9', lastUpdated: '1999-01-01T00:00:00Z', tag: [{ code: 't' }] },
    };
    const answer = await callFhir(admin, 'POST', 'Patient', { body });
    expect(answer.status).toBe(201);
    const { id, meta } = answer.body;
    expect(id).not.toBe('mine');
    expect(meta).toEqual({ versionId: '1', lastUpdated: expect.any(String), tag: [{ code: 't' }] });
    expect(answer.headers.get('location')).toBe(`${FHIR_BASE}/Patient/${id}/_history/1`);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.headers.get('last-modified')).toBe(new Date(meta.lastUpdated).toUTCString());
  });

  test.each([
    ['return=minimal', ''],
    ['respond-sync, return=minimal', ''],
    ['return=OperationOutcome', 'OperationOutcome'],
    ['return=representation', 'Patient'],
    ['return=nonsense; handling=x', 'Patient'],
  ])('Prefer %s', async (prefer, resourceType) => {
    const answer = await callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers: { prefer } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body?.resourceType ?? answer.text).toBe(resourceType);
  });

  test.each([
    ['malformed JSON', '{', 'structure'],
    ['nothing', undefined, 'structure'],
    ['two equal keys', '{"resourceType":"Patient","active":true,"active":false}', 'structure'],
    ['an array', '[]', 'structure'],
    ['an unknown element', { ...PATIENT, nickname: 'K' }, 'structure'],
    ['a wrong JSON type', { ...PATIENT, active: 'true' }, 'structure'],
    ['a code outside a required binding', { ...PATIENT, gender: 'm' }, 'code-invalid'],
    ['an empty string', { ...PATIENT, name: [{ family: '' }] }, 'value'],
    ['another type', { resourceType: 'Practitioner' }, 'value'],
    ['a NUL character', '{"resourceType":"Patient","name":[{"family":"a\\u0000b"}]}', undefined],
    ['half a surrogate pair', '{"resourceType":"Patient","name":[{"family":"a\\ud800b"}]}', undefined],
  ])('400 for %s', async (_, body, code) => {
    const answer = await callFhir(admin, 'POST', 'Patient', { body, headers: { 'content-type': 'application/json' } });
    expectOutcome(answer, 400, code ?? answer.body.issue[0].code);
  });

  test('400 for a decimal that no database holds', async () => {
    const body =
      '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1e999999}}';
    const answer = await callFhir(admin, 'POST', 'Observation', {
      body,
      headers: { 'content-type': 'application/fhir+json' },
    });
    expect(answer.status).toBe(400);
  });

  test('415 for XML, 413 for more than 1 MiB, 404 for an unknown type, 401 without credentials', async () => {
    const xml = { 'content-type': 'application/fhir+xml' };
    expectOutcome(await callFhir(admin, 'POST', 'Patient', { body: '<Patient/>', headers: xml }), 415, 'not-supported');
    const big = { ...PATIENT, name: [{ family: 'x'.repeat(1024 * 1024) }] };
    expectOutcome(await callFhir(admin, 'POST', 'Patient', { body: big }), 413, 'too-long');
    expectOutcome(await callFhir(admin, 'POST', 'Patients', { body: PATIENT }), 404, 'not-supported');
    expectOutcome(await callFhir(undefined, 'POST', 'Patient', { body: PATIENT }), 401, 'login');
  });

  test('a decimal comes back with its digits', async () => {
    const body = '{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.50}}';
    const made = await callFhir(admin, 'POST', 'Observation', {
      body,
      headers: { 'content-type': 'application/fhir+json' },
    });
    const read = await callFhir(admin, 'GET', `Observation/${made.body.id}`);
    expect(read.text).toMatch(/"value": ?1\.50\b/);
  });
});

describe('create with If-None-Exist', () => {
  const person = (value: string) => ({ ...PATIENT, identifier: [{ system: 'urn:s', value }] });

  test.each(['identifier=urn:s|once', '?identifier=urn:s|once', 'Patient?identifier=urn%3As%7Conce'])(
    '%s: 200 with the one that is there',
    async (condition) => {
      const body = person('once');
      const first = await callFhir(admin, 'POST', 'Patient', {
        body,
        headers: { 'if-none-exist': 'identifier=urn:s|once' },
      });
      const again = await callFhir(admin, 'POST', 'Patient', { body, headers: { 'if-none-exist': condition } });
      expect(again.status).toBe(200);
      expect(again.body.id).toBe(first.body.id);
      expect(again.headers.get('location')).toContain(first.body.id);
      expect(again.headers.get('etag')).toBe('W/"1"');
    },
  );

  test('of twenty at once exactly one is created', async () => {
    const headers = { 'if-none-exist': 'identifier=urn:s|race' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callFhir(admin, 'POST', 'Patient', { body: person('race'), headers })),
    );
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
    expect(answers.filter(({ status }) => status === 200).length).toBe(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('412 for several matches or no criteria, 400 for an unknown or a control parameter', async () => {
    await makePatient(person('twice'));
    await makePatient(person('twice'));
    const attempt = (condition: string) =>
      callFhir(admin, 'POST', 'Patient', { body: PATIENT, headers: { 'if-none-exist': condition } });
    expectOutcome(await attempt('identifier=urn:s|twice'), 412, 'multiple-matches');
    expectOutcome(await attempt('?'), 412, 'processing');
    expectOutcome(await attempt('nosuch=1'), 400, 'invalid');
    expectOutcome(await attempt('identifier=urn:s|twice&_count=1'), 400, 'invalid', '_count');
  });

  test('412, and no duplicate, when the match is out of the caller’s sight', async () => {
    await makePatient(person('unseen'));
    const limited = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['read', 'search'] },
      { resourceType: 'Patient', interaction: ['create'] },
    ]);
    const headers = { 'if-none-exist': 'identifier=urn:s|unseen' };
    expectOutcome(await callFhir(limited, 'POST', 'Patient', { body: person('unseen'), headers }), 412, 'processing');
  });
});

describe('read', () => {
  test('200 with version headers; HEAD has the headers and no body', async () => {
    const { id, meta } = await makePatient();
    const read = await callFhir(admin, 'GET', `Patient/${id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual({ ...PATIENT, id, meta });
    expect(read.headers.get('last-modified')).toBe(new Date(meta.lastUpdated).toUTCString());
    const head = await callFhir(admin, 'HEAD', `Patient/${id}`);
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, 'W/"1"', '']);
  });

  test('meta shows project and author only to who asks for it', async () => {
    const { id } = await makePatient();
    const read = await callFhir(admin, 'GET', `Patient/${id}`, { headers: { 'x-medplum': 'extended' } });
    expect(read.body.meta).toMatchObject({ project: project.projectId, author: { reference: admin.profile } });
  });

  test('304 while the caller’s copy is good', async () => {
    const { id, meta } = await makePatient();
    const get = (headers: Record<string, string>) => callFhir(admin, 'GET', `Patient/${id}`, { headers });
    const fresh = await get({ 'if-none-match': 'W/"1"' });
    expect([fresh.status, fresh.text, fresh.headers.get('etag')]).toEqual([304, '', 'W/"1"']);
    expect((await get({ 'if-none-match': '"7", "1"' })).status).toBe(304);
    expect((await get({ 'if-modified-since': new Date(meta.lastUpdated).toUTCString() })).status).toBe(304);
    const old = new Date(Date.parse(meta.lastUpdated) - 5000).toUTCString();
    expect((await get({ 'if-modified-since': old })).status).toBe(200);
    const future = new Date(Date.now() + 60_000).toUTCString();
    expect((await get({ 'if-none-match': 'W/"2"', 'if-modified-since': future })).status).toBe(200);
    expectOutcome(await get({ 'if-none-match': 'garbage' }), 400, 'invalid');
  });

  test.each([
    'nosuch',
    '00000000-0000-4000-8000-000000000000',
    'x'.repeat(65),
    'a_b',
    "1'--",
    '%00',
    '%F0%9F%98%80',
    '..%2F',
  ])('404 for the id %s', async (id) => expectOutcome(await callFhir(admin, 'GET', `Patient/${id}`), 404, 'not-found'));

  test('410 for a deleted one, and its versions are still there', async () => {
    const { id } = await makePatient();
    await callFhir(admin, 'DELETE', `Patient/${id}`);
    expectOutcome(await callFhir(admin, 'GET', `Patient/${id}`), 410, 'deleted');
    const version = await callFhir(admin, 'GET', `Patient/${id}/_history/1`);
    expect([version.status, version.headers.get('etag')]).toEqual([200, 'W/"1"']);
    expectOutcome(await callFhir(admin, 'GET', `Patient/${id}/_history/2`), 410, 'deleted');
    expectOutcome(await callFhir(admin, 'GET', `Patient/${id}/_history/3`), 404, 'not-found');
    expectOutcome(await callFhir(admin, 'GET', `Patient/${id}/_history/x`), 404, 'not-found');
  });

  test.each([
    [{ accept: 'application/fhir+xml' }, '', 406],
    [{ accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }, '', 200],
    [{ accept: 'application/fhir+json; fhirVersion=4.0' }, '', 200],
    [{ accept: 'application/fhir+json; fhirVersion=5.0' }, '', 406],
    [{ accept: 'application/json;q=0' }, '', 406],
    [{ accept: 'application/fhir+xml' }, '?_format=json', 200],
    [{}, '?_format=application/fhir+json', 200],
    [{}, '?_format=xml', 406],
  ] as [Record<string, string>, string, number][])('%j%s answers %i', async (headers, query, status) => {
    const { id } = await makePatient();
    const answer = await callFhir(admin, 'GET', `Patient/${id}${query}`, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  });
});

describe('update', () => {
  test('200 with the next version; what changes nothing keeps the version', async () => {
    const made = await makePatient();
    const first = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, active: true } });
    expect([first.status, first.headers.get('etag'), first.headers.get('location')]).toEqual([200, 'W/"2"', null]);
    const again = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { active: true, ...first.body } });
    expect([again.status, again.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(Date.parse(first.body.meta.lastUpdated)).toBeGreaterThan(Date.parse(made.meta.lastUpdated));
  });

  test('400 when the ids differ or the body has none, 404 for an unknown id, 422 for a resource that was cut down', async () => {
    const { id, ...rest } = await makePatient();
    const put = (body: object, target = id) => callFhir(admin, 'PUT', `Patient/${target}`, { body });
    expectOutcome(await put(rest), 400, 'invalid', 'Patient.id');
    expectOutcome(await put({ ...rest, id: 'other' }), 400, 'invalid', 'Patient.id');
    expectOutcome(await put({ ...rest, id: 'unknown' }, 'unknown'), 404, 'not-found');
    const cut = (await callFhir(admin, 'GET', `Patient?_id=${id}&_elements=name`)).body.entry[0].resource;
    expectOutcome(await put(cut), 422, 'business-rule', 'Patient.meta.tag');
  });

  test.each([
    ['if-match', 'W/"1"', 200],
    ['if-match', '"1"', 200],
    ['if-match', '*', 200],
    ['if-match', 'W/"2"', 412],
    ['if-match', 'W/"abc"', 412],
    ['if-match', '1', 400],
    ['if-none-match', '*', 412],
  ])('%s: %s answers %i', async (name, value, status) => {
    const made = await makePatient();
    const call = { body: { ...made, active: true }, headers: { [name]: value } };
    expect((await callFhir(admin, 'PUT', `Patient/${made.id}`, call)).status).toBe(status);
  });

  test('of two with the same If-Match one wins, the other is told', async () => {
    const made = await makePatient();
    const headers = { 'if-match': 'W/"1"' };
    const answers = await Promise.all(
      ['male', 'female'].map((gender) =>
        callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, gender }, headers }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test('thirty at once on one resource all succeed, and no version is lost', async () => {
    const made = await makePatient();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, name: [{ family: `F${index}` }] } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const history = await callFhir(admin, 'GET', `Patient/${made.id}/_history?_count=100`);
    const versions = history.body.entry.map((entry: { resource: typeof made }) =>
      Number(entry.resource.meta.versionId),
    );
    expect(versions).toEqual(Array.from({ length: 31 }, (_, index) => 31 - index));
  });

  test('a deleted one comes back with a higher version', async () => {
    const made = await makePatient();
    await callFhir(admin, 'DELETE', `Patient/${made.id}`);
    const back = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: made });
    expect([back.status, back.headers.get('etag')]).toEqual([201, 'W/"3"']);
    expect((await callFhir(admin, 'GET', `Patient/${made.id}`)).status).toBe(200);
  });

  test('with a condition: none creates, one updates, several are 412, another id is 400', async () => {
    const put = (query: string, body: object) => callFhir(admin, 'PUT', `Patient?${query}`, { body });
    const body = { ...PATIENT, identifier: [{ system: 'urn:c', value: '1' }] };
    const made = await put('identifier=urn:c|1', body);
    expect(made.status).toBe(201);
    const updated = await put('identifier=urn:c%7C1', { ...body, active: true });
    expect([updated.status, updated.body.id, updated.headers.get('etag')]).toEqual([200, made.body.id, 'W/"2"']);
    expect((await put('identifier=urn:c|1', { ...body, active: true })).headers.get('etag')).toBe('W/"2"');
    expectOutcome(await put('identifier=urn:c|1', { ...body, id: 'other' }), 400, 'invalid', 'Patient.id');
    expectOutcome(await put('identifier=urn:c|none', { ...body, id: 'other' }), 400, 'invalid', 'Patient.id');
    await makePatient(body);
    expectOutcome(await put('identifier=urn:c|1', body), 412, 'multiple-matches');
    expectOutcome(await put('', body), 412, 'processing');
  });
});

describe('patch', () => {
  const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    callFhir(admin, 'PATCH', `Patient/${id}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json-patch+json', ...headers },
    });

  test('changes what the operations say and nothing else', async () => {
    const { id } = await makePatient();
    const answer = await patch(id, [
      { op: 'test', path: '/name/0/family', value: 'Kreiger' },
      { op: 'add', path: '/active', value: true },
    ]);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect(answer.body).toMatchObject({ ...PATIENT, active: true });
  });

  test.each([
    ['a failing test', [{ op: 'test', path: '/name/0/family', value: 'X' }], 412],
    ['a pointer to nowhere', [{ op: 'remove', path: '/photo/0' }], 400],
    ['an invalid result', [{ op: 'add', path: '/gender', value: 'm' }], 400],
    ['another id', [{ op: 'replace', path: '/id', value: 'x' }], 400],
    ['another type', [{ op: 'replace', path: '/resourceType', value: 'Bot' }], 400],
    ['a prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }], 400],
    ['no patch', { active: true }, 400],
  ])('%s is refused whole', async (_, operations, status) => {
    const made = await makePatient();
    const answer = await patch(
      made.id,
      Array.isArray(operations) ? [{ op: 'add', path: '/active', value: true }, ...operations] : operations,
    );
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.resourceType).toBe('OperationOutcome');
    expect((await callFhir(admin, 'GET', `Patient/${made.id}`)).headers.get('etag')).toBe('W/"1"');
  });

  test('412 for another version, 410 for a deleted one, 404 for an unknown one, 415 for FHIRPath Patch', async () => {
    const { id } = await makePatient();
    const operations = [{ op: 'add', path: '/active', value: true }];
    expectOutcome(await patch(id, operations, { 'if-match': 'W/"2"' }), 412, 'processing');
    expectOutcome(await patch(id, operations, { 'content-type': 'application/fhir+json' }), 415, 'not-supported');
    expectOutcome(await patch('unknown', operations), 404, 'not-found');
    await callFhir(admin, 'DELETE', `Patient/${id}`);
    expectOutcome(await patch(id, operations), 410, 'deleted');
  });

  test('twenty at once are all applied', async () => {
    const { id } = await makePatient();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        patch(id, [{ op: 'add', path: '/name/-', value: { family: `F${index}` } }]),
      ),
    );
    const read = await callFhir(admin, 'GET', `Patient/${id}`);
    expect([read.body.name.length, read.headers.get('etag')]).toEqual([21, 'W/"21"']);
  });

  test('with a condition: one is patched, none is 404', async () => {
    const body = JSON.stringify([{ op: 'add', path: '/active', value: true }]);
    const headers = { 'content-type': 'application/json-patch+json' };
    const { id } = await makePatient({ ...PATIENT, identifier: [{ value: 'patch-me' }] });
    const answer = await callFhir(admin, 'PATCH', 'Patient?identifier=patch-me', { body, headers });
    expect([answer.status, answer.body.id, answer.body.active]).toEqual([200, id, true]);
    expectOutcome(await callFhir(admin, 'PATCH', 'Patient?identifier=nobody', { body, headers }), 404, 'not-found');
  });
});

describe('delete', () => {
  test('is idempotent', async () => {
    const { id } = await makePatient();
    for (const target of [id, id, 'unknown']) {
      const answer = await callFhir(admin, 'DELETE', `Patient/${target}`);
      expect([answer.status, answer.body.issue[0].severity]).toEqual([200, 'information']);
    }
    const { total } = (await callFhir(admin, 'GET', `Patient/${id}/_history`)).body;
    expect(total).toBe(2);
  });

  test('412 for another version', async () => {
    const { id } = await makePatient();
    const answer = await callFhir(admin, 'DELETE', `Patient/${id}`, { headers: { 'if-match': 'W/"2"' } });
    expectOutcome(answer, 412, 'processing');
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(200);
  });

  test('with a condition: one goes, none is fine, several stay, no criteria is 412', async () => {
    const make = () => makePatient({ ...PATIENT, identifier: [{ value: 'delete-me' }] });
    const remove = (query: string) => callFhir(admin, 'DELETE', `Patient${query}`);
    const { id } = await make();
    expect((await remove('?identifier=delete-me')).status).toBe(200);
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).status).toBe(410);
    expect((await remove('?identifier=delete-me')).status).toBe(200);
    await make();
    await make();
    expectOutcome(await remove('?identifier=delete-me'), 412, 'multiple-matches');
    expectOutcome(await remove(''), 412, 'processing');
  });
});

describe('history', () => {
  test('newest first, deletion on top and without a resource, with requests and answers', async () => {
    const made = await makePatient();
    await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, active: true } });
    await callFhir(admin, 'DELETE', `Patient/${made.id}`);
    const { body } = await callFhir(admin, 'GET', `Patient/${made.id}/_history`);
    expect([body.type, body.total]).toEqual(['history', 3]);
    expect(
      body.entry.map((entry: Answer['body']) => [entry.request.method, entry.response.etag, Boolean(entry.resource)]),
    ).toEqual([
      ['DELETE', 'W/"3"', false],
      ['PUT', 'W/"2"', true],
      ['POST', 'W/"1"', true],
    ]);
    expect(new Set(body.entry.map((entry: Answer['body']) => entry.fullUrl))).toEqual(
      new Set([`${FHIR_BASE}/Patient/${made.id}`]),
    );
  });

  test('pages, and begins where _since says', async () => {
    const made = await makePatient();
    const put = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, active: true } });
    const page = await callFhir(admin, 'GET', `Patient/${made.id}/_history?_count=1`);
    expect(page.body.entry.length).toBe(1);
    const next = page.body.link.find((link: { relation: string }) => link.relation === 'next').url;
    const second = await callFhir(admin, 'GET', next.slice(FHIR_BASE.length + 1));
    expect(second.body.entry[0].resource.meta.versionId).toBe('1');
    const since = await callFhir(admin, 'GET', `Patient/${made.id}/_history?_since=${put.body.meta.lastUpdated}`);
    expect(since.body.total).toBe(1);
  });

  test('404 for an unknown id, 400 for a bad parameter', async () => {
    expectOutcome(await callFhir(admin, 'GET', 'Patient/unknown/_history'), 404, 'not-found');
    const { id } = await makePatient();
    for (const query of ['_count=x', '_offset=-1', '_since=soon', 'name=x']) {
      expectOutcome(await callFhir(admin, 'GET', `Patient/${id}/_history?${query}`), 400, 'invalid');
    }
  });
});

describe('another project', () => {
  test('its resources are missing in every interaction, and stay as they are', async () => {
    const made = await makePatient();
    const stranger = other.admin;
    const patch = {
      body: '[{"op":"add","path":"/active","value":true}]',
      headers: { 'content-type': 'application/json-patch+json' },
    };
    const calls: [string, string, Parameters<typeof callFhir>[3]?][] = [
      ['GET', ''],
      ['GET', '/_history'],
      ['GET', '/_history/1'],
      ['PUT', '', { body: { ...made, active: true } }],
      ['PATCH', '', patch],
      ['DELETE', ''],
    ];
    for (const [method, below, call] of calls) {
      const foreign = await callFhir(stranger, method, `Patient/${made.id}${below}`, call);
      const body = call?.body && method === 'PUT' ? { ...call, body: { ...made, id: 'missing' } } : call;
      const missing = await callFhir(stranger, method, `Patient/missing${below}`, body);
      expect([foreign.status, foreign.text], method).toEqual([missing.status, missing.text]);
    }
    expect((await callFhir(stranger, 'GET', `Patient?_id=${made.id}`)).body.entry).toBeUndefined();
    expect((await callFhir(admin, 'GET', `Patient/${made.id}`)).headers.get('etag')).toBe('W/"1"');
  });
});
