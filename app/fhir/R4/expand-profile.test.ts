import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const named = (name: string) => `http://example.org/StructureDefinition/${name}`;
let project: FhirProject;
let admin: Caller;
/** whole names left and right, right names left and itself, and one that is not there. */
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  await define('whole', ['left', 'right']);
  await define('right', ['left', 'right', 'nowhere']);
  await define('left', []);
});

function define(name: string, parts: string[], more: object = {}) {
  const element = [
    { id: 'Patient', path: 'Patient' },
    ...parts.map((part) => ({
      id: `Patient.extension:${part}`,
      path: 'Patient.extension',
      sliceName: part,
      type: [{ code: 'Extension', profile: [named(part)] }],
    })),
  ];
  const body = {
    resourceType: 'StructureDefinition',
    status: 'active',
    abstract: false,
    kind: 'resource',
    type: 'Patient',
    derivation: 'constraint',
    baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Patient',
    url: named(name),
    name,
    snapshot: { element },
    ...more,
  };
  return callFhir(admin, 'POST', 'StructureDefinition', { body });
}

const expand = (url: string, caller = admin) =>
  callFhir(caller, 'GET', `StructureDefinition/$expand-profile?url=${encodeURIComponent(url)}`);
const namesIn = ({ body }: Answer) =>
  body.entry.map(({ resource, search }: Answer['body']) => `${search.mode} ${resource.name}`);

test('a profile first, then those that its elements name, and theirs, each once', async () => {
  const answer = await expand(named('whole'));
  expect([answer.status, answer.body.type]).toEqual([200, 'searchset']);
  expect(namesIn(answer)).toEqual(['match whole', 'include left', 'include right']);
  expect(namesIn(await expand(named('right')))).toEqual(['match right', 'include left']);
  expect(namesIn(await expand(named('left')))).toEqual(['match left']);
});

test('by POST, with the parameter in the address and an empty body, as the peer’s client asks', async () => {
  const path = `StructureDefinition/$expand-profile?url=${encodeURIComponent(named('left'))}`;
  expect(namesIn(await callFhir(admin, 'POST', path, { body: {} }))).toEqual(['match left']);
  const body = { resourceType: 'Parameters', parameter: [{ name: 'url', valueUri: named('left') }] };
  expect(namesIn(await callFhir(admin, 'POST', 'StructureDefinition/$expand-profile', { body }))).toEqual([
    'match left',
  ]);
});

test('404 for none, 400 without a name or with another parameter', async () => {
  expectIssue(await expand(named('none')), 404, 'not-found', 'url');
  expectIssue(await callFhir(admin, 'GET', 'StructureDefinition/$expand-profile'), 400, 'invalid', 'url');
  expectIssue(
    await callFhir(admin, 'GET', `StructureDefinition/$expand-profile?url=${named('left')}&deep=1`),
    400,
    'invalid',
    'deep',
  );
});

test('what is hidden from the caller is as if it were not there', async () => {
  const some = await project.member([
    { resourceType: 'StructureDefinition', criteria: `StructureDefinition?url:not=${named('right')}` },
  ]);
  expect(namesIn(await expand(named('whole'), some))).toEqual(['match whole', 'include left']);
  expectIssue(await expand(named('right'), some), 404, 'not-found', 'url');
  const none = await project.member([{ resourceType: 'Patient' }]);
  // Definitions are everyone’s to read where no rule speaks of them.
  expect((await expand(named('whole'), none)).status).toBe((await callFhir(none, 'GET', 'StructureDefinition')).status);
  const other = (await makeFhirProject()).admin;
  expectIssue(await expand(named('whole'), other), 404, 'not-found', 'url');
});

test('many are bounded', async () => {
  const parts = Array.from({ length: 90 }, (_, at) => `many-${at}`);
  for (const part of parts.slice(0, 70)) await define(part, []);
  await define('wide', parts);
  expect((await expand(named('wide'))).body.entry).toHaveLength(60);
});
