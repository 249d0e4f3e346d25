import { beforeAll, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
/** Reads Binaries, and of patients one. */
let stranger: Caller;
let reader: Caller;
let context: string;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const patient = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body;
  const other = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body;
  context = `Patient/${patient.id}`;
  const only = (id: string) => ({ resourceType: 'Patient', criteria: `Patient?_id=${id}` });
  stranger = await project.member([{ resourceType: 'Binary' }, only(other.id)]);
  reader = await project.member([{ resourceType: 'Binary' }, only(patient.id)]);
});

const type = { 'content-type': 'text/plain' };
const post = (headers: Record<string, string> = {}, caller = admin) =>
  callFhir(caller, 'POST', 'Binary', { body: 'secret', headers: { ...type, ...headers } });
const guarded = async () => (await post({ 'x-security-context': context })).body.id as string;

test('who may not read the context finds nothing, by no way', async () => {
  const id = await guarded();
  await callFhir(admin, 'PUT', `Binary/${id}`, { body: 'second', headers: type });
  const list = await callFhir(admin, 'POST', 'List', {
    body: {
      resourceType: 'List',
      status: 'current',
      mode: 'working',
      entry: [{ item: { reference: `Binary/${id}` } }],
    },
  });
  const lists = await project.member([{ resourceType: 'Binary' }, { resourceType: 'List' }]);
  const patch = [{ op: 'replace', path: '/contentType', value: 'text/csv' }];
  for (const caller of [stranger, lists]) {
    const read = (path: string, headers = {}) => callFhir(caller, 'GET', path, { headers });
    for (const accept of ['*/*', 'application/fhir+json']) {
      expect((await read(`Binary/${id}`, { accept })).status).toBe(404);
      expect((await read(`Binary/${id}/_history/1`, { accept })).status).toBe(404);
      expect((await read(`Binary/${id}/_history/2`, { accept })).status).toBe(404);
    }
    expect((await read(`Binary/${id}/_history`)).status).toBe(404);
    for (const path of [
      `Binary?_id=${id}`,
      `Binary?_lastUpdated=gt2000-01-01`,
      'Binary/_history',
      '_history',
      '?_type=Binary',
    ])
      expect((await read(path)).text).not.toContain(`"id":"${id}"`);
    expect((await read(`Binary?_id=${id}&_total=accurate&_summary=count`)).body.total).toBe(0);
    const bundle = {
      resourceType: 'Bundle',
      type: 'batch',
      entry: [{ request: { method: 'GET', url: `Binary/${id}` } }],
    };
    for (const kind of ['batch', 'transaction'])
      expect((await callFhir(caller, 'POST', '', { body: { ...bundle, type: kind } })).text).not.toContain(context);
    expect((await callFhir(caller, 'PUT', `Binary/${id}`, { body: 'mine', headers: type })).status).toBe(404);
    const body = { resourceType: 'Binary', id, contentType: 'text/plain' };
    expect((await callFhir(caller, 'PUT', `Binary/${id}`, { body })).status).toBe(404);
    const headers = { 'content-type': 'application/json-patch+json' };
    expect((await callFhir(caller, 'PATCH', `Binary/${id}`, { body: patch, headers })).status).toBe(404);
    await callFhir(caller, 'DELETE', `Binary/${id}`);
  }
  const included = await callFhir(lists, 'GET', `List?_id=${list.body.id}&_include=List:item`);
  expect(
    included.body.entry.map((entry: { resource: { resourceType: string } }) => entry.resource.resourceType),
  ).toEqual(['List']);
  expect((await callFhir(admin, 'GET', `Binary/${id}`)).text).toBe('second');
  expect((await callFhir(admin, 'GET', `Binary?_id=${id}`)).body.entry).toHaveLength(1);
  expect((await callFhir(reader, 'GET', `Binary/${id}`)).text).toBe('second');
  expect((await callFhir(reader, 'GET', `Binary/${id}/_history/1`)).text).toBe('secret');
  const free = (await post()).body.id;
  expect((await callFhir(stranger, 'GET', `Binary?_id=${free}`)).body.entry).toHaveLength(1);
});

test('nobody puts bytes under what they cannot read, and learns nothing of what is there', async () => {
  for (const header of [context, 'Patient/none', 'nonsense', 'Binary/x', 'http://example.com/Patient/1'])
    expectIssue(await post({ 'x-security-context': header }, stranger), 400, 'invalid', 'Binary.securityContext');
  const data = Buffer.from('a').toString('base64');
  const body = { resourceType: 'Binary', contentType: 'text/plain', data, securityContext: { reference: context } };
  expectIssue(await callFhir(stranger, 'POST', 'Binary', { body }), 400, 'invalid', 'Binary.securityContext');
  const { id } = (await post({}, stranger)).body;
  const moved = { ...body, id };
  expectIssue(
    await callFhir(stranger, 'PUT', `Binary/${id}`, { body: moved }),
    400,
    'invalid',
    'Binary.securityContext',
  );
  const headers = { ...type, 'x-security-context': context };
  expectIssue(await callFhir(stranger, 'PUT', `Binary/${id}`, { body: 'b', headers }), 400, 'invalid');
  expect((await callFhir(reader, 'PUT', `Binary/${id}`, { body: moved })).status).toBe(200);
});

test('bytes without the header keep the context; the resource without it takes it away, for who reads it', async () => {
  const id = await guarded();
  const put = await callFhir(reader, 'PUT', `Binary/${id}`, { body: 'new', headers: type });
  expect(put.body.securityContext).toEqual({ reference: context });
  expect((await callFhir(stranger, 'GET', `Binary/${id}`)).status).toBe(404);
  const body = { resourceType: 'Binary', id, contentType: 'text/plain' };
  expect((await callFhir(reader, 'PUT', `Binary/${id}`, { body })).status).toBe(200);
  expect((await callFhir(stranger, 'GET', `Binary/${id}`)).text).toBe('new');
  // What it was before is still whose it was.
  expect((await callFhir(stranger, 'GET', `Binary/${id}/_history/1`)).status).toBe(404);
  expect((await callFhir(stranger, 'GET', `Binary/${id}/_history`)).text).not.toContain(context);
});

test('a transaction makes bytes and what they belong to together', async () => {
  const fullUrl = 'urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0';
  const binary = {
    resourceType: 'Binary',
    contentType: 'text/plain',
    data: 'YQ==',
    securityContext: { reference: fullUrl },
  };
  const bundle = {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      { request: { method: 'POST', url: 'Binary' }, resource: binary },
      { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: { resourceType: 'Patient' } },
    ],
  };
  const answer = await callFhir(admin, 'POST', '', { body: bundle });
  expect(answer.status, answer.text).toBe(200);
  const [location] = answer.body.entry[0].response.location.match(/Binary\/[0-9a-f-]+/);
  expect((await callFhir(admin, 'GET', location)).text).toBe('a');
  expect((await callFhir(stranger, 'GET', location)).status).toBe(404);
});
