import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const SUBSETTED = [{ system: expect.any(String), code: 'SUBSETTED' }];
const ADA = {
  resourceType: 'Patient',
  active: true,
  gender: 'female',
  name: [{ family: 'Lovelace' }],
  text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Ada</div>' },
  maritalStatus: { text: 'M' },
};

let project: FhirProject;
let admin: Caller;
let id: string;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  id = (await callFhir(admin, 'POST', 'Patient', { body: ADA })).body.id;
});

const namesOf = ({ body }: Answer) =>
  Object.keys(body)
    .filter((name) => !['resourceType', 'id', 'meta'].includes(name))
    .toSorted();
const batch = async (method: string, url: string, resource?: object, type = 'batch') =>
  callFhir(admin, 'POST', '', {
    body: { resourceType: 'Bundle', type, entry: [{ request: { method, url }, ...(resource && { resource }) }] },
  });

describe('how much of a resource (R4 http, General Parameters)', () => {
  const cases: [string, string[]][] = [
    ['_summary=true', ['active', 'gender', 'name']],
    ['_summary=text', ['text']],
    ['_summary=data', ['active', 'gender', 'maritalStatus', 'name']],
    ['_elements=gender', ['gender']],
    ['_elements=gender&_elements=name', ['gender', 'name']],
  ];
  test.each(cases)(
    '%s: of a read, a version, a history, an entry, and of what a write answers',
    async (query, names) => {
      for (const path of [`Patient/${id}`, `Patient/${id}/_history/1`]) {
        const answer = await callFhir(admin, 'GET', `${path}?${query}`);
        expect([path, answer.status, namesOf(answer)]).toEqual([path, 200, names]);
        expect(answer.body.meta.tag).toEqual(SUBSETTED);
        expect(answer.headers.get('etag')).toBe('W/"1"');
      }
      for (const path of [`Patient/${id}/_history`, 'Patient/_history', '_history']) {
        const { status, body } = await callFhir(admin, 'GET', `${path}?${query}&_count=500`);
        const { resource } = body.entry.find(({ fullUrl }: Answer['body']) => fullUrl.endsWith(`Patient/${id}`));
        expect([path, status, namesOf({ body: resource } as Answer)]).toEqual([path, 200, names]);
        expect(new URL(body.link[0].url).search).toContain(query.split('&')[0]);
      }
      const [entry] = (await batch('GET', `Patient/${id}?${query}`)).body.entry;
      expect(namesOf({ body: entry.resource } as Answer)).toEqual(names);
      const made = await callFhir(admin, 'POST', `Patient?${query}`, { body: ADA });
      expect([made.status, namesOf(made)]).toEqual([201, names]);
      expect(namesOf(await callFhir(admin, 'GET', `Patient/${made.body.id}`))).toHaveLength(6 - 1);
      const [written] = (await batch('PUT', `Patient/${id}?${query}`, { ...ADA, id }, 'transaction')).body.entry;
      expect(namesOf({ body: written.resource } as Answer)).toEqual(names);
    },
  );

  test('what makes no sense is refused by name', async () => {
    for (const query of ['_summary=count', '_summary=perhaps', '_summary=true&_summary=true', '_elements=ge%20nder'])
      expectIssue(await callFhir(admin, 'GET', `Patient/${id}?${query}`), 400, 'invalid', query.split('=')[0]);
  });

  test('a hidden field stays hidden', async () => {
    const limited = await project.member([{ resourceType: 'Patient', hiddenFields: ['gender'] }]);
    expect(namesOf(await callFhir(limited, 'GET', `Patient/${id}?_elements=gender,name`))).toEqual(['name']);
  });

  test('metadata and its definitions, and a Binary, whose bytes come whole', async () => {
    const metadata = await callFhir(admin, 'GET', 'metadata?_elements=kind');
    expect([metadata.status, metadata.body.rest, metadata.body.kind]).toEqual([200, undefined, 'instance']);
    expectIssue(await callFhir(admin, 'GET', 'metadata?kind=x'), 400, 'invalid', 'kind');
    const binary = (
      await callFhir(admin, 'POST', 'Binary', {
        body: { resourceType: 'Binary', contentType: 'text/plain', data: 'aGk=' },
      })
    ).body.id;
    const read = await callFhir(admin, 'GET', `Binary/${binary}?_format=json&_elements=contentType`);
    expect([namesOf(read), read.body.meta.tag]).toEqual([['contentType'], SUBSETTED]);
    expect((await callFhir(admin, 'GET', `Binary/${binary}?_format=json&_elements=data`)).body.data).toBe('aGk=');
    expectIssue(
      await callFhir(admin, 'GET', `Binary/${binary}?_summary=true`, { headers: { accept: '*/*' } }),
      400,
      'invalid',
      '_summary',
    );
  });
});

describe('a parameter that nothing knows', () => {
  const condition = 'identifier=http://x|1';
  test.each([
    ['GET', () => `Patient/${id}`],
    ['GET', () => `Patient/${id}/_history/1`],
    ['GET', () => `Patient/${id}/_history`],
    ['PUT', () => `Patient/${id}`],
    ['PATCH', () => `Patient/${id}`],
    ['DELETE', () => `Patient/${id}`],
    ['POST', () => 'Patient'],
    ['POST', () => ''],
    ['GET', () => 'metadata'],
  ])('%s: 400 by its name, and nothing is done', async (method, path) => {
    const before = (await callFhir(admin, 'GET', `Patient/${id}`)).body.meta.versionId;
    const bodies: Record<string, object> = {
      PUT: { ...ADA, id, gender: 'other' },
      PATCH: [{ op: 'replace', path: '/gender', value: 'other' }],
      POST: path() === '' ? { resourceType: 'Bundle', type: 'batch', entry: [] } : ADA,
    };
    const call = { ...(bodies[method] && { body: bodies[method] }), headers: { prefer: 'handling=lenient' } };
    const strict = await callFhir(admin, method, `${path()}?${condition}`, { ...call, headers: {} });
    expectIssue(strict, 400, 'invalid', 'identifier');
    const lenient = await callFhir(admin, method, `${path()}?${condition}`, call);
    expect(lenient.status).toBe(method === 'GET' ? 200 : 400);
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).body.meta.versionId).toBe(before);
  });

  test('so in a Bundle', async () => {
    const change = { ...ADA, id, gender: 'other' };
    for (const [method, url, resource] of [
      ['DELETE', `Patient/${id}?${condition}`],
      ['PUT', `Patient/${id}?${condition}`, change],
      ['POST', `Patient?${condition}`, ADA],
    ] as const) {
      const [entry] = (await batch(method, url, resource)).body.entry;
      expect(entry.response.status).toBe('400 Bad Request');
      const whole = await batch(method, url, resource, 'transaction');
      expectIssue(whole, 400, 'invalid', 'Bundle.entry[0].request.url');
    }
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).body.gender).toBe('female');
  });
});

test('Prefer says how much a deletion and a change of labels answer', async () => {
  const make = async () => (await callFhir(admin, 'POST', 'Patient', { body: ADA })).body.id;
  const remove = async (prefer: string) =>
    callFhir(admin, 'DELETE', `Patient/${await make()}`, { headers: { prefer } });
  expect((await remove('return=minimal')).status).toBe(204);
  for (const prefer of ['return=OperationOutcome', 'return=representation']) {
    const answer = await remove(prefer);
    expect([answer.status, answer.body.resourceType]).toEqual([200, 'OperationOutcome']);
  }
  const entry = [{ request: { method: 'DELETE', url: `Patient/${await make()}` } }];
  const body = { resourceType: 'Bundle', type: 'transaction', entry };
  const whole = await callFhir(admin, 'POST', '', { body, headers: { prefer: 'return=minimal' } });
  expect(whole.body.entry[0]).toEqual({ response: { status: '204 No Content' } });
  const label = { resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta: { tag: [{ code: 'a' }] } }] };
  const add = (prefer: string) =>
    callFhir(admin, 'POST', `Patient/${id}/$meta-add`, { body: label, headers: { prefer } });
  const minimal = await add('return=minimal');
  expect([minimal.status, minimal.body, minimal.headers.get('etag')]).toEqual([200, undefined, expect.any(String)]);
  expect((await add('return=OperationOutcome')).body.resourceType).toBe('OperationOutcome');
  expect((await add('return=representation')).body.resourceType).toBe('Parameters');
});
