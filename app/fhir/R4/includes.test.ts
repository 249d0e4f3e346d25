import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
const { made, make } = namedResources(() => admin);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const network = await make('network', { resourceType: 'Organization', name: 'Network' });
  const clinic = await make('clinic', { resourceType: 'Organization', name: 'Clinic', partOf: { reference: network } });
  const grey = await make('grey', { resourceType: 'Practitioner' });
  const gp = [{ reference: grey }, { reference: 'Practitioner/missing' }];
  const ann = await make('ann', {
    resourceType: 'Patient',
    generalPractitioner: gp,
    managingOrganization: { reference: clinic },
  });
  const visit = await make('visit', {
    resourceType: 'Encounter',
    status: 'finished',
    class: { code: 'AMB' },
    subject: { reference: ann },
  });
  const code = { text: 'x' };
  await make('observation', {
    resourceType: 'Observation',
    status: 'final',
    code,
    subject: { reference: ann },
    encounter: { reference: visit },
  });
  await make('flag', { resourceType: 'Flag', status: 'active', code, subject: { reference: ann } });
});

async function included(path: string, caller = admin): Promise<string> {
  const answer = await callFhir(caller, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  const entries: Body[] = (answer.body.entry ?? []).filter((entry: Body) => entry.search.mode === 'include');
  expect(new Set(entries.map(({ fullUrl }) => fullUrl)).size).toBe(entries.length);
  const names = entries.map(({ resource }) => Object.keys(made).find((name) => made[name].id === resource.id));
  return names.sort().join(' ');
}

test.each([
  ['Observation?_include=*', 'ann visit'],
  ['Observation?_include=Observation:*', 'ann visit'],
  ['Observation?_include=Observation:*:Patient', 'ann'],
  ['Observation?_include=Observation:subject&_include:iterate=Patient:organization', 'ann clinic'],
  [
    'Observation?_include=Observation:subject&_include:iterate=Patient:*&_include:iterate=Organization:partof',
    'ann clinic grey network',
  ],
  ['Observation?_include=Observation:subject&_include:iterate=Organization:partof', 'ann'],
  ['Organization?name=clinic&_include:iterate=Organization:partof', 'network'],
  ['Organization?name=network&_revinclude=Organization:partof', 'clinic'],
  [
    'Organization?name=network&_revinclude:iterate=Organization:partof&_revinclude:iterate=Patient:organization',
    'ann clinic',
  ],
  ['Patient?_revinclude=*', 'flag observation visit'],
  ['Patient?_revinclude=Observation:*', 'observation'],
  ['Practitioner?_revinclude=Patient:*&_revinclude:iterate=Flag:subject', 'ann flag'],
  ['Patient?_revinclude=*&_include=*', 'clinic flag grey observation visit'],
])('%s', async (path, names) => {
  expect(await included(path)).toBe(names);
});

test('each within reach of its own type, on every way', async () => {
  const some = await project.member([
    { resourceType: 'Patient' },
    { resourceType: 'Observation' },
    { resourceType: 'Organization', criteria: `Organization?_id=${made.network.id}` },
    { resourceType: 'Flag', criteria: 'Flag?_id=nobody' },
  ]);
  expect(await included('Patient?_revinclude=*&_include=*', some)).toBe('observation');
  const path = 'Observation?_include=*&_include:iterate=Patient:organization&_include:iterate=Organization:partof';
  expect(await included(path, some)).toBe('ann');
});

test('what refers in a circle comes along once, and a long way ends with a warning', async () => {
  const names = Array.from({ length: 9 }, (_, at) => `part${at}`);
  let whole: string | undefined;
  for (const name of names) {
    whole = await make(name, { resourceType: 'Location', name, ...(whole && { partOf: { reference: whole } }) });
  }
  const answer = await callFhir(admin, 'GET', 'Location?name=part8&_include:iterate=Location:partof');
  const modes = answer.body.entry.map((entry: Body) => entry.search.mode);
  expect(modes).toEqual(['match', ...Array(5).fill('include'), 'outcome']);
  expect(answer.body.entry.at(-1).resource.issue[0].severity).toBe('warning');
  const first = { ...made.part0, partOf: { reference: whole } };
  await callFhir(admin, 'PUT', `Location/${made.part0.id}`, { body: first });
  expect(await included('Location?name=part4,part3,part2,part1,part0&_include:iterate=Location:partof')).toBe(
    'part5 part6 part7 part8',
  );
});

test.each([
  ['Patient?_include=Observation:*', '_include'],
  ['Patient?_include=Patient:*:Nonsense', '_include'],
  ['Patient?_revinclude=Binary:*', '_revinclude'],
  ['Patient?_revinclude=Nonsense:*', '_revinclude'],
  ['Patient?_include:iterate=*', '_include:iterate'],
  ['Patient?_include:recurse=Patient:link', '_include:recurse'],
  [`Patient?${Array(17).fill('_include=Patient:*:Patient&_include=Patient:link').join('&')}`, '_include'],
  [`Patient?${Array(40).fill('_revinclude:iterate=Observation:*').join('&')}`, '_revinclude'],
])('400 for %s', async (path, name) => {
  expectIssue(await callFhir(admin, 'GET', path), 400, 'invalid', name);
});

test('a page too large for all that refers to it is refused before it costs', async () => {
  const { admin: other } = await makeFhirProject();
  const many = Array.from({ length: 120 }, () =>
    callFhir(other, 'POST', 'Patient', { body: { resourceType: 'Patient' } }),
  );
  await Promise.all(many);
  expect((await callFhir(other, 'GET', 'Patient?_revinclude=*')).status).toBe(200);
  expectIssue(await callFhir(other, 'GET', 'Patient?_revinclude=*&_count=1000'), 400, 'too-costly', '_revinclude');
});
