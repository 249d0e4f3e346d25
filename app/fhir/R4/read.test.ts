import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

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

  test('meta shows compartments only to who asks for it, by what it is found by', async () => {
    const { id } = await makePatient();
    const body = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'x' },
      subject: { reference: `Patient/${id}` },
      performer: [{ reference: 'Practitioner/p' }, { reference: 'Organization/o' }],
    };
    const { body: made } = await callFhir(admin, 'POST', 'Observation', { body });
    const headers = { 'x-medplum': 'extended' };
    const of = async (path: string) => (await callFhir(admin, 'GET', path, { headers })).body.meta.compartment;
    const found = [{ reference: `Patient/${id}` }, { reference: 'Practitioner/p' }];
    expect(await of(`Observation/${made.id}`)).toEqual(expect.arrayContaining(found));
    expect(await of(`Observation/${made.id}`)).toHaveLength(2);
    expect(await of(`Patient/${id}`)).toEqual([{ reference: `Patient/${id}` }]);
    for (const { reference } of found) {
      const { body: page } = await callFhir(admin, 'GET', `Observation?_compartment=${reference}`);
      expect(page.entry).toHaveLength(1);
    }
    expect(made.meta.compartment).toBeUndefined();
    const plain = await callFhir(admin, 'GET', `Observation/${made.id}`);
    expect(plain.body.meta.compartment).toBeUndefined();
    const sent = { ...body, id: made.id, meta: { compartment: [{ reference: 'Patient/other' }] } };
    const changed = await callFhir(admin, 'PUT', `Observation/${made.id}`, { body: sent, headers });
    expect(changed.body.meta.compartment).toHaveLength(2);
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
    expectIssue(await get({ 'if-none-match': 'garbage' }), 400, 'invalid');
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
  ])('404 for the id %s', async (id) => expectIssue(await callFhir(admin, 'GET', `Patient/${id}`), 404, 'not-found'));

  test('410 for a deleted one, and its versions are still there', async () => {
    const { id } = await makePatient();
    await callFhir(admin, 'DELETE', `Patient/${id}`);
    expectIssue(await callFhir(admin, 'GET', `Patient/${id}`), 410, 'deleted');
    const version = await callFhir(admin, 'GET', `Patient/${id}/_history/1`);
    expect([version.status, version.headers.get('etag')]).toEqual([200, 'W/"1"']);
    expectIssue(await callFhir(admin, 'GET', `Patient/${id}/_history/2`), 410, 'deleted');
    expectIssue(await callFhir(admin, 'GET', `Patient/${id}/_history/3`), 404, 'not-found');
    expectIssue(await callFhir(admin, 'GET', `Patient/${id}/_history/x`), 404, 'not-found');
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
    const past = await callFhir(admin, 'GET', `Patient/${made.id}/_history?_offset=9`);
    expect([past.body.total, past.body.entry]).toEqual([2, undefined]);
  });

  test('pages neither lose nor repeat a version while others write', async () => {
    const made = await makePatient();
    const write = (active: boolean) => callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, active } });
    for (const active of [true, false, true]) await write(active);
    const seen: string[] = [];
    let path: string | undefined = `Patient/${made.id}/_history?_count=1`;
    while (path) {
      const { body }: Answer = await callFhir(admin, 'GET', path);
      seen.push(body.entry[0].resource.meta.versionId);
      path = body.link
        .find(({ relation }: { relation: string }) => relation === 'next')
        ?.url.slice(FHIR_BASE.length + 1);
      await write(seen.length % 2 === 0);
    }
    expect(seen).toEqual(['4', '3', '2', '1']);
  });

  describe('of large versions', () => {
    let id: string;

    // Once for all who look at them: to pack and keep one takes PostgreSQL most of a second.
    beforeAll(async () => {
      const photo = [{ contentType: 'image/png', data: randomBytes(4_300_000).toString('base64') }];
      const made = await makePatient({ ...PATIENT, active: true, photo });
      for (const family of ['2', '3', '4']) {
        const put = await callFhir(admin, 'PUT', `Patient/${made.id}`, { body: { ...made, name: [{ family }] } });
        expect(put.status).toBe(200);
      }
      id = made.id;
    });

    test.each([
      ['of all', undefined, ''],
      ['of those within a policy', [{ resourceType: 'Patient', criteria: 'Patient?active=true' }], ''],
      ['by offset', undefined, '?_offset=0'],
    ])('a page ends at 16 MiB, and the next one goes on: %s', async (_, rules, query) => {
      const caller = rules ? await project.member(rules) : admin;
      const pages: string[][] = [];
      for (let path: string | undefined = `Patient/${id}/_history${query}`; path; ) {
        const { body }: Answer = await callFhir(caller, 'GET', path);
        pages.push(body.entry.map(({ resource }: Answer['body']) => resource.meta.versionId));
        const next = body.link.find(({ relation }: { relation: string }) => relation === 'next');
        path = next?.url.slice(FHIR_BASE.length + 1);
      }
      expect(pages).toEqual([['4', '3', '2'], ['1']]);
    });
  });

  test('404 for an unknown id, 400 for a bad parameter', async () => {
    expectIssue(await callFhir(admin, 'GET', 'Patient/unknown/_history'), 404, 'not-found');
    const { id } = await makePatient();
    for (const query of ['_count=x', '_offset=-1', '_cursor=x', '_cursor=2&_offset=1', '_since=soon', 'name=x']) {
      expectIssue(await callFhir(admin, 'GET', `Patient/${id}/_history?${query}`), 400, 'invalid');
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
