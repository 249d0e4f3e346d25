import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
let ann: string;
const { made, make } = namedResources(() => admin);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const clinic = await make('clinic', { resourceType: 'Organization', name: 'Clinic' });
  const grey = await make('grey', { resourceType: 'Practitioner' });
  const doctor = { practitioner: { reference: grey }, organization: { reference: clinic } };
  const role = await make('role', { resourceType: 'PractitionerRole', ...doctor });
  await make('stranger', { resourceType: 'Practitioner' });
  ann = await make('ann', {
    resourceType: 'Patient',
    birthDate: '1980-01-01',
    generalPractitioner: [{ reference: role }],
  });
  const bob = await make('bob', { resourceType: 'Patient' });
  const code = { text: 'x' };
  const subject = { reference: ann };
  const visit = {
    status: 'finished',
    class: { code: 'AMB' },
    subject,
    period: { start: '2020-01-01', end: '2020-02-01' },
  };
  const place = await make('ward', { resourceType: 'Location', name: 'Ward' });
  const encounter = await make('visit', {
    resourceType: 'Encounter',
    ...visit,
    location: [{ location: { reference: place } }],
  });
  const observation = { resourceType: 'Observation', status: 'final', code };
  await make('early', {
    ...observation,
    subject,
    effectiveDateTime: '2010-05-05',
    encounter: { reference: encounter },
  });
  await make('late', { ...observation, subject, effectiveDateTime: '2022-05-05' });
  await make('undated', { ...observation, subject, note: [{ text: '"reference": "Practitioner/x"' }] });
  await make('theirs', { ...observation, subject: { reference: bob }, effectiveDateTime: '2020-01-01' });
  const pill = await make('pill', { resourceType: 'Medication', code });
  await make('order', {
    resourceType: 'MedicationRequest',
    status: 'active',
    intent: 'order',
    subject,
    medicationReference: { reference: `${FHIR_BASE}/${pill}` },
    requester: { reference: 'Practitioner/missing' },
    authoredOn: '2021-01-01',
  });
});

const IN = 'ann early late order undated visit';
const ALL = 'ann clinic early grey late order pill role undated visit ward';

async function everything(path: string, caller = admin): Promise<string> {
  const ids = new Set<string>();
  for (let next: string | undefined = path; next !== undefined; ) {
    const answer: Answer = await callFhir(caller, 'GET', next);
    expect(answer.status, answer.text).toBe(200);
    for (const entry of answer.body.entry ?? []) ids.add(entry.resource.id);
    next = answer.body.link.find((link: Body) => link.relation === 'next')?.url.slice(FHIR_BASE.length + 1);
  }
  return Object.keys(made)
    .filter((name) => ids.has(made[name].id))
    .sort()
    .join(' ');
}

test('everything of a patient, with what it refers to, in one page or in many', async () => {
  expect(await everything(`${ann}/$everything`)).toBe(ALL);
  for (const count of [1, 2, 5]) expect(await everything(`${ann}/$everything?_count=${count}`)).toBe(ALL);
  const { body } = await callFhir(admin, 'GET', `${ann}/$everything`);
  expect([body.type, body.entry.length]).toEqual(['searchset', ALL.split(' ').length]);
  expect(body.entry.filter((entry: Body) => entry.search.mode === 'match').length).toBe(IN.split(' ').length);
});

test('by type, by time of change, by dates of care', async () => {
  expect(await everything(`${ann}/$everything?_type=Observation,Practitioner`)).toBe('early late undated');
  expect(await everything(`${ann}/$everything?_type=Patient,PractitionerRole,Organization`)).toBe('ann clinic role');
  expect(await everything(`${ann}/$everything?_since=2100-01-01`)).toBe('');
  expect(await everything(`${ann}/$everything?_since=${made.late.meta.lastUpdated}&_type=Observation`)).toBe(
    'late undated',
  );
  expect(
    await everything(`${ann}/$everything?start=2020-01-15&_type=Patient,Observation,Encounter,MedicationRequest`),
  ).toBe('ann late order undated visit');
  expect(await everything(`${ann}/$everything?end=2020-01-15&_type=Patient,Observation,Encounter`)).toBe(
    'ann early undated visit',
  );
  expect(await everything(`${ann}/$everything?start=2021&end=2021&_type=Observation,MedicationRequest&_count=1`)).toBe(
    'order undated',
  );
});

test('by POST with Parameters, and of an encounter', async () => {
  const body = {
    resourceType: 'Parameters',
    parameter: [
      { name: '_type', valueString: 'Encounter' },
      { name: '_count', valueInteger: 7 },
    ],
  };
  const answer = await callFhir(admin, 'POST', `${ann}/$everything`, { body });
  expect(answer.body.entry.map((entry: Body) => entry.resource.id)).toEqual([made.visit.id]);
  expect(answer.body.link[0].url).toContain('_count=7');
  expect((await callFhir(admin, 'POST', `${ann}/$everything`)).status).toBe(200);
  expect(await everything(`Encounter/${made.visit.id}/$everything`)).toBe('ann early role visit ward');
});

test('as far as the caller reaches each type', async () => {
  const some = await project.member([
    { resourceType: 'Patient', criteria: `Patient?_id=${made.ann.id}` },
    { resourceType: 'Observation', criteria: `Observation?_id=${made.late.id},${made.theirs.id}` },
    { resourceType: 'MedicationRequest' },
    { resourceType: 'Medication', criteria: 'Medication?_id=nobody' },
    { resourceType: 'PractitionerRole', interaction: ['read'] },
  ]);
  expect(await everything(`${ann}/$everything?_count=1`, some)).toBe('ann late order');
  expectIssue(await callFhir(some, 'GET', `Patient/${made.bob.id}/$everything`), 404, 'not-found');
  const blind = await project.member([{ resourceType: 'Observation' }]);
  expectIssue(await callFhir(blind, 'GET', `${ann}/$everything`), 403, 'forbidden');
  const other = await makeFhirProject();
  expectIssue(await callFhir(other.admin, 'GET', `${ann}/$everything`), 404, 'not-found');
});

test.each([
  ['ANN/$everything?_count=0', 400],
  ['ANN/$everything?_count=x', 400],
  ['ANN/$everything?_type=Nonsense', 400],
  ['ANN/$everything?_since=soon', 400],
  ['ANN/$everything?start=2021&end=2020', 400],
  ['ANN/$everything?nosuch=1', 400],
  ['ANN/$everything?_cursor=x', 400],
  ['ANN/$everything?_count=1&_count=2', 400],
  ['Encounter/nobody/$everything?start=2020', 400],
  ['Patient/nobody/$everything', 404],
  ['Observation/x/$everything', 404],
  ['Patient/$everything', 404],
])('%s answers %i', async (path, status) => {
  const answer = await callFhir(admin, 'GET', path.replace('ANN', ann));
  expect(answer.status, answer.text).toBe(status);
});

test('a deleted patient has nothing more', async () => {
  const { body } = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } });
  await callFhir(admin, 'DELETE', `Patient/${body.id}`);
  expect((await callFhir(admin, 'GET', `Patient/${body.id}/$everything`)).status).toBe(410);
});
