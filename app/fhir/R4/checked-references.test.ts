import { beforeAll, describe, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let patient: string;
beforeAll(async () => {
  project = await makeFhirProject(false, { checkReferencesOnWrite: true });
  patient = await make(project);
});

async function make({ admin }: FhirProject): Promise<string> {
  const { body } = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', active: true } });
  return `Patient/${body.id}`;
}

const observation = (reference: string, more: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'x' },
  subject: { reference },
  ...more,
});
const create = (body: object, of = project.admin) => callFhir(of, 'POST', 'Observation', { body });

test('what is referred to must be there, wherever it is named', async () => {
  expect((await create(observation(patient))).status).toBe(201);
  expect((await create(observation(`${FHIR_BASE}/${patient}`))).status).toBe(201);
  expectIssue(await create(observation('Patient/none')), 400, 'not-found', 'Observation.subject.reference');
  expectIssue(
    await create(observation(`${FHIR_BASE}/Patient/none`)),
    400,
    'not-found',
    'Observation.subject.reference',
  );
  const performer = [{ reference: patient }, { reference: 'Practitioner/none' }];
  expectIssue(
    await create(observation(patient, { performer })),
    400,
    'not-found',
    'Observation.performer[1].reference',
  );
  const extension = [{ url: 'urn:x', valueReference: { reference: 'Group/none' } }];
  const expression = 'Observation.extension[0].valueReference.reference';
  expectIssue(await create(observation(patient, { extension })), 400, 'not-found', expression);
});

test('so a version of it, of the past or now', async () => {
  const [id] = patient.split('/').slice(1);
  await callFhir(project.admin, 'PUT', patient, { body: { resourceType: 'Patient', id, active: false } });
  for (const version of ['1', '2'])
    expect((await create(observation(`${patient}/_history/${version}`))).status).toBe(201);
  for (const version of ['3', '99', '0', 'x'])
    expectIssue(
      await create(observation(`${patient}/_history/${version}`)),
      400,
      'not-found',
      'Observation.subject.reference',
    );
  const fullUrl = 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520';
  const entry = [
    { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: { resourceType: 'Patient', active: true } },
    { request: { method: 'POST', url: 'Observation' }, resource: observation(`${patient}/_history/99`) },
  ];
  const body = { resourceType: 'Bundle', type: 'transaction', entry };
  expect((await callFhir(project.admin, 'POST', '', { body })).status).toBe(400);
});

test('what is elsewhere, contained or a urn is left alone', async () => {
  const contained = [{ resourceType: 'Practitioner', id: 'a', active: true }];
  const performer = [
    { reference: '#a' },
    { reference: 'http://example.org/Practitioner/1' },
    { reference: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' },
    { display: 'x' },
  ];
  expect((await create(observation(patient, { contained, performer }))).status).toBe(201);
  const entry = [{ resource: observation('Patient/none') }];
  const bundle = { resourceType: 'Bundle', type: 'collection', entry };
  expect((await callFhir(project.admin, 'POST', 'Bundle', { body: bundle })).status).toBe(201);
});

test('what is deleted, and what another project has, is not there', async () => {
  const gone = await make(project);
  await callFhir(project.admin, 'DELETE', gone);
  expectIssue(await create(observation(gone)), 400, 'not-found');
  const other = await makeFhirProject();
  const theirs = await make(other);
  expectIssue(await create(observation(theirs)), 400, 'not-found');
  // They do not want theirs checked.
  expect((await create(observation(gone), other.admin)).status).toBe(201);
});

test('an update and a patch are checked, $validate tells it, and a thousand references are one statement', async () => {
  const { body } = await create(observation(patient));
  const path = `Observation/${body.id}`;
  const bad = { ...body, subject: { reference: 'Patient/none' } };
  expectIssue(
    await callFhir(project.admin, 'PUT', path, { body: bad }),
    400,
    'not-found',
    'Observation.subject.reference',
  );
  const headers = { 'content-type': 'application/json-patch+json' };
  const patch = [{ op: 'replace', path: '/subject/reference', value: 'Patient/none' }];
  expectIssue(await callFhir(project.admin, 'PATCH', path, { body: patch, headers }), 400, 'not-found');
  const told = await callFhir(project.admin, 'POST', 'Observation/$validate', { body: observation('Patient/none') });
  expect(told.body.issue[0]).toMatchObject({ severity: 'error', code: 'not-found' });
  const texts: string[] = [];
  const stop = watchStatements((text) => texts.push(text));
  const performer = Array.from({ length: 1000 }, (_, index) => ({ reference: `Practitioner/none${index}` }));
  const answer = await create(observation(patient, { performer }));
  stop();
  expect([answer.status, answer.body.issue.length]).toEqual([400, 50]);
  expect(texts.filter((text) => text.includes('unnest'))).toHaveLength(1);
});

test('to who does not see every record of a type it is not told whether one is there: it may be named either way', async () => {
  const make = async (body: { resourceType: string }) =>
    `${body.resourceType}/${(await callFhir(project.admin, 'POST', body.resourceType, { body })).body.id}`;
  const male = { resourceType: 'Patient', gender: 'male' };
  const hidden = [await make(male), await make({ resourceType: 'Practitioner' }), 'Patient/none', 'Practitioner/none'];
  const securityContext = { reference: hidden[0]! };
  const binary = { resourceType: 'Binary', contentType: 'text/plain', data: 'YQ==', securityContext };
  hidden.push(await make(binary), 'Binary/none');
  const gone = await make(male);
  await callFhir(project.admin, 'DELETE', gone);
  const member = await project.member([
    { resourceType: 'Observation' },
    { resourceType: 'Patient', criteria: 'Patient?gender=female' },
    { resourceType: 'Device' },
    { resourceType: 'Binary' },
  ]);
  const { body } = await create(observation(patient), member);
  for (const named of [...hidden, gone]) {
    const extension = [{ url: 'urn:x', valueReference: { reference: named } }];
    const written = observation(patient, { extension });
    const path = `Observation/${body.id}`;
    const entry = [{ resource: written, request: { method: 'POST', url: 'Observation' } }];
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
    expect((await create(written, member)).status).toBe(201);
    expect((await callFhir(member, 'PUT', path, { body: { ...written, id: body.id } })).status).toBe(200);
    expect((await callFhir(member, 'POST', '', { body: bundle })).status).toBe(200);
    const told = await callFhir(member, 'POST', 'Observation/$validate', { body: written });
    expect(told.text).not.toContain('does not exist');
  }
  // What they may all look up they are told.
  const device = observation(patient, { device: { reference: 'Device/none' } });
  expectIssue(await create(device, member), 400, 'not-found', 'Observation.device.reference');
});

test('an administrator turns it on', async () => {
  const own = await makeFhirProject();
  const { body } = await callFhir(own.admin, 'GET', `Project/${own.projectId}`);
  expect((await create(observation('Patient/none'), own.admin)).status).toBe(201);
  const changed = { ...body, checkReferencesOnWrite: true };
  const answer = await callFhir(own.admin, 'PUT', `Project/${own.projectId}`, { body: changed });
  expect(answer.status, answer.text).toBe(200);
  expectIssue(await create(observation('Patient/none'), own.admin), 400, 'not-found');
});

describe('in a transaction', () => {
  const post = (entry: object[]) =>
    callFhir(project.admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  const create = (resource: { resourceType: string }, fullUrl?: string) => ({
    fullUrl,
    resource,
    request: { method: 'POST', url: resource.resourceType },
  });
  const name = 'urn:uuid:0b0c7d64-61a3-4f5e-8f3e-0a3f3c2f7a10';

  test('what it writes itself is there, whatever stands first', async () => {
    const { status, body } = await post([
      create(observation(name)),
      create({ resourceType: 'Patient' }, name),
      create(observation(patient)),
    ]);
    expect([status, body.entry?.length]).toEqual([200, 3]);
  });

  test('what nobody has, and what it deletes, is not: nothing of it is done', async () => {
    const before = (await callFhir(project.admin, 'GET', 'Observation?_summary=count')).body.total;
    const answer = await post([create({ resourceType: 'Patient' }, name), create(observation('Patient/none'))]);
    expectIssue(answer, 400, 'not-found', 'Bundle.entry[1].resource.subject.reference');
    const gone = await make(project);
    const both = await post([{ request: { method: 'DELETE', url: gone } }, create(observation(gone))]);
    expectIssue(both, 400, 'not-found', 'Bundle.entry[1].resource.subject.reference');
    expect((await callFhir(project.admin, 'GET', gone)).status).toBe(200);
    expect((await callFhir(project.admin, 'GET', 'Observation?_summary=count')).body.total).toBe(before);
  });

  test('ids of the caller refer to each other, whatever stands first, and to themselves', async () => {
    const { projectId, admin } = project;
    const settings = { body: [{ name: 'updateCreate', valueBoolean: true }] };
    await callApi(admin.authorization, 'POST', `/admin/projects/${projectId}/settings`, settings);
    const put = (id: string, ...others: string[]) => {
      const link = others.map((other) => ({ type: 'seealso', other: { reference: `Patient/${other}` } }));
      return {
        resource: { resourceType: 'Patient', id, active: true, link },
        request: { method: 'PUT', url: `Patient/${id}` },
      };
    };
    const made = await post([put('one', 'two'), put('two', 'one', 'two')]);
    expect([made.status, made.body.entry?.length], made.text).toEqual([200, 2]);
    const itself = await callFhir(admin, 'PUT', 'Patient/itself', { body: put('itself', 'itself').resource });
    expect(itself.status, itself.text).toBe(201);
    const bad = await post([put('three', 'four'), put('five', 'three')]);
    expectIssue(bad, 400, 'not-found', 'Bundle.entry[0].resource.link[0].other.reference');
    expect((await callFhir(admin, 'GET', 'Patient/five')).status).toBe(404);
    const patch = Buffer.from('[{"op":"add","path":"/generalPractitioner","value":[{"reference":"Practitioner/x"}]}]');
    const data = { resourceType: 'Binary', contentType: 'application/json-patch+json', data: patch.toString('base64') };
    const patched = { resource: data, request: { method: 'PATCH', url: 'Patient/one' } };
    expectIssue(await post([patched]), 400, 'not-found', 'Bundle.entry[0].resource.generalPractitioner[0].reference');
    const practitioner = {
      resource: { resourceType: 'Practitioner', id: 'x', active: true },
      request: { method: 'PUT', url: 'Practitioner/x' },
    };
    expect((await post([patched, practitioner])).status).toBe(200);
  });
});
