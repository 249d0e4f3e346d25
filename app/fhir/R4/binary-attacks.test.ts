import { beforeAll, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const type = { 'content-type': 'text/plain' };
const guarded = async (context: string) => {
  const headers = { ...type, 'x-security-context': context };
  const made = await callFhir(admin, 'POST', 'Binary', { body: 'secret', headers });
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
};

test('a content type that no header holds is told in the resource; the bytes come as bytes', async () => {
  for (const contentType of ['text/plain; name="日"', `text/plain; name="${'a'.repeat(20_000)}"`, 'a/b; x="\u0085"']) {
    const body = { resourceType: 'Binary', contentType, data: 'YQ==' };
    const made = await callFhir(admin, 'POST', 'Binary', { body });
    expect(made.status, made.text).toBe(201);
    const accept = (value: string) => ({ headers: { accept: value } });
    for (const method of ['GET', 'HEAD']) {
      const raw = await callFhir(admin, method, `Binary/${made.body.id}`, accept('*/*'));
      expect([raw.status, raw.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    }
    const told = await callFhir(admin, 'GET', `Binary/${made.body.id}`, accept('application/fhir+json'));
    expect(told.body).toMatchObject({ contentType, data: 'YQ==' });
  }
});

test('of a deleted one, who could not read it is told nothing either, and does not bring it back', async () => {
  const patient = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id;
  const stranger = await project.member([{ resourceType: 'Binary' }]);
  const id = await guarded(`Patient/${patient}`);
  expect((await callFhir(admin, 'DELETE', `Binary/${id}`)).status).toBe(200);
  const body = { resourceType: 'Binary', id, contentType: 'text/plain' };
  for (const path of [`Binary/${id}`, `Binary/${id}/_history`, `Binary/${id}/_history/1`, `Binary/${id}/_history/2`])
    expectIssue(await callFhir(stranger, 'GET', path), 404, 'not-found');
  expectIssue(await callFhir(stranger, 'PUT', `Binary/${id}`, { body: 'mine', headers: type }), 404, 'not-found');
  expectIssue(await callFhir(stranger, 'PUT', `Binary/${id}`, { body }), 404, 'not-found');
  expectIssue(await callFhir(admin, 'GET', `Binary/${id}`), 410, 'deleted');
  expect((await callFhir(admin, 'PUT', `Binary/${id}`, { body: 'again', headers: type })).status).toBe(201);
});

test('what belongs to something of the administration alone is found by nobody else, who may read all records', async () => {
  const policy = { resourceType: 'AccessPolicy', name: 'Of the administration' };
  const id = await guarded(`AccessPolicy/${(await callFhir(admin, 'POST', 'AccessPolicy', { body: policy })).body.id}`);
  const record = await guarded(admin.profile);
  const member = await project.member();
  for (const path of [`Binary/${id}`, `Binary/${id}/_history`, `Binary/${id}/_history/1`])
    expectIssue(await callFhir(member, 'GET', path), 404, 'not-found');
  for (const path of [`Binary?_id=${id}`, 'Binary/_history', '_history?_type=Binary', `?_type=Binary&_id=${id}`]) {
    expect((await callFhir(member, 'GET', path)).text, path).not.toContain(`"id":"${id}"`);
    expect((await callFhir(admin, 'GET', path)).text, path).toContain(`"id":"${id}"`);
  }
  expect((await callFhir(member, 'GET', `Binary?_id=${record}`)).body.entry).toHaveLength(1);
  expect((await callFhir(member, 'GET', `Binary/${record}/_history`)).body.total).toBe(1);
});
