import { beforeEach, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { addParam, EXTENSION, found, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';

let project: FhirProject;
let admin: Caller;

beforeEach(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const value = (name: string) => `Patient.extension('${EXTENSION}/${name}').value`;
const team = searchParameter('Patient', 'team', 'token', `${value('team')}.ofType(Coding)`);
const nick = searchParameter('Patient', 'nick', 'string', `${value('nick')}.ofType(string)`);

async function addPatient(name: string, of: object): Promise<string> {
  const extension = [{ url: `${EXTENSION}/${name}`, ...of }];
  const made = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', extension } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

test('no operator of _filter asks an index that is not whole yet: a DELETE by what is not would take what is', async () => {
  const bo = await addPatient('nick', { valueString: 'Bo' });
  await addParam(admin, nick);
  for (const filter of ['nick eq Bo', 'not (nick eq Bo)', 'nick sw Bo', 'nick co Bo', 'nick pr true']) {
    const path = `Patient?_filter=${encodeURIComponent(filter)}`;
    expectIssue(await callFhir(admin, 'GET', path), 503, 'transient', '_filter');
    expectIssue(await callFhir(admin, 'DELETE', path), 503, 'transient', '_filter');
  }
  const chain = `Observation?_filter=${encodeURIComponent('subject:Patient.nick eq Bo')}`;
  expectIssue(await callFhir(admin, 'GET', chain), 503, 'transient', '_filter');
  await indexed(project.projectId);
  const filter = encodeURIComponent('not (nick eq Bo)');
  expect((await callFhir(admin, 'DELETE', `Patient?_filter=${filter}`)).status).toBe(200);
  expect(await found(admin, 'Patient')).toEqual([bo]);
});

test('an expression that leads more ways than can be followed is refused, before they are', async () => {
  const expression = `Patient${'.extension.value'.repeat(8)}.ofType(Coding)`;
  const answer = await callFhir(admin, 'POST', 'SearchParameter', { body: { ...team, expression } });
  expectIssue(answer, 422, 'business-rule', 'SearchParameter.expression');
});

test('who is limited by a policy does not change what it means, and may make parameters that none mentions', async () => {
  const id = await addParam(admin, team);
  await addPatient('team', { valueCoding: { code: 'red' } });
  await addPatient('team', { valueCoding: { code: 'blue' } });
  await indexed(project.projectId);
  const rules = [
    { resourceType: 'Patient', criteria: 'Patient?gender=male&team:not=red' },
    { resourceType: 'SearchParameter' },
  ];
  const member = await project.member(rules);
  const changes: [string, object | undefined][] = [
    ['PUT', { ...team, id, expression: 'Patient.gender' }],
    ['PUT', { ...team, id, status: 'retired' }],
    ['DELETE', undefined],
  ];
  for (const [method, body] of changes) {
    const answer = await callFhir(member, method, `SearchParameter/${id}`, { body });
    expectIssue(answer, 403, 'forbidden', 'SearchParameter.code');
  }
  const named = { ...team, id, description: 'The same' };
  expect((await callFhir(member, 'PUT', `SearchParameter/${id}`, { body: named })).status).toBe(200);
  await addParam(member, nick);
  expect(
    (await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: { ...team, id, status: 'retired' } })).status,
  ).toBe(200);
  expectIssue(await callFhir(member, 'PUT', `SearchParameter/${id}`, { body: { ...team, id } }), 403, 'forbidden');
});
