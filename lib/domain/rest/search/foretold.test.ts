import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { db, runSql, watchStatements } from '#lib/infra/db/client.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { briefly, foretelling } from '../../store/cost/foretell.ts';
import { linkBounds } from '../../store/links/find-linked.ts';

const USUAL = { ...foretelling };
const FEW = { ...linkBounds };

afterEach(() => {
  Object.assign(foretelling, USUAL);
  Object.assign(linkBounds, FEW);
});

/** As if there were a great many resources, all of which would take too long. */
function asIfLarge(): void {
  Object.assign(foretelling, { rows: 0, nested: 0, mostMs: -1 });
}

/** As if links found more than may be named. */
function asIfMany(): void {
  Object.assign(linkBounds, { targets: 0, sources: 0, names: 0, tokens: 0 });
}

async function clinic() {
  const { admin } = await makeFhirProject();
  const send = async (body: Record<string, unknown> & { resourceType: string }): Promise<string> => {
    const answer = await callApi(admin.authorization, 'POST', `/fhir/R4/${body.resourceType}`, { body });
    expect(answer.status).toBe(201);
    return `${body.resourceType}/${answer.body.id}`;
  };
  const patient = await send({ resourceType: 'Patient', gender: 'male', name: [{ family: 'Novak' }] });
  const code = { coding: [{ system: 'urn:c', code: 'a' }] };
  const valueQuantity = { value: 7, unit: 'kg' };
  await send({ resourceType: 'Observation', status: 'final', code, subject: { reference: patient }, valueQuantity });
  await send({ resourceType: 'Questionnaire', status: 'active', url: 'urn:q', title: 'Admission' });
  await send({ resourceType: 'QuestionnaireResponse', status: 'completed', questionnaire: 'urn:q' });
  return (path: string) => callApi(admin.authorization, 'GET', `/fhir/R4/${path.replace('{patient}', patient)}`);
}

test.each([
  ['Observation?patient.gender=male&_total=accurate', ['patient.gender']],
  ['Observation?patient.gender=male&_summary=count', ['patient.gender']],
  ['Observation?status=final&subject:Patient.name=no&_count=0', ['subject:Patient.name']],
  ['Patient?_has:Observation:patient:status=final&_total=estimate', ['_has:Observation:patient:status']],
  [
    'Observation?patient._has:Observation:patient:status=final&_total=accurate',
    ['patient._has:Observation:patient:status'],
  ],
  ['QuestionnaireResponse?questionnaire.title=a&_total=accurate', ['questionnaire.title']],
  ['Patient?_sort=name', ['_sort']],
  ['Patient?_sort=-death-date&gender=male', ['_sort']],
  ['Observation?patient.gender=male&_sort=value-date', ['patient.gender', '_sort']],
])(
  'a search that would take too long is refused before it runs, by the names of what is dear: %s',
  async (path, names) => {
    const get = await clinic();
    asIfLarge();
    asIfMany();
    const sent: string[] = [];
    const stop = watchStatements((text) => void sent.push(text));
    const { status, body } = await get(path);
    stop();
    expect([status, body.issue.map((issue: { code: string }) => issue.code)]).toEqual([
      400,
      names.map(() => 'too-costly'),
    ]);
    expect(body.issue.flatMap((issue: { expression: string[] }) => issue.expression)).toEqual(names);
    expect(sent.filter((text) => /as total|r\.author/.test(text))).toEqual([]);
  },
);

test.each([
  'Observation?status=final&_total=accurate',
  'Observation?status:not=amended',
  'Observation?code:missing=true&_summary=count',
  'Patient?name:contains=ova&_total=accurate',
  'Patient?_filter=not (name co "x")&_total=accurate',
  'Observation?_sort=-date&_total=accurate',
  'Observation?_sort=code',
  'Observation?value-quantity=gt5&_total=accurate',
  'Observation?patient={patient}&_sort=value-date&_total=accurate',
  'Observation?patient={patient}&patient.gender=male&_total=accurate',
  'Observation?patient.name=novak&_total=accurate',
  'Patient?_has:Observation:patient:code=a&_total=accurate',
  'Observation?_include=Observation:patient&_total=accurate',
])(
  'what an index leads to, and what costs little of a row, is never refused, however much there is: %s',
  async (path) => {
    const get = await clinic();
    asIfLarge();
    expect((await get(path)).status).toBe(200);
  },
);

test('a page that is full soon is found, though all of it would take too long', async () => {
  const get = await clinic();
  asIfLarge();
  asIfMany();
  const { status, body } = await get('Observation?patient.gender=male');
  expect([status, body.entry?.length]).toEqual([200, 1]);
});

test('a page that is not found soon is refused by name', async () => {
  Object.assign(foretelling, { brieflyMs: 20 });
  const dear = { names: ['patient.gender'], types: ['Patient'], isNested: false };
  const endless = briefly(dear, db(), (q) => runSql(q, sql`select pg_sleep(30)`));
  await expect(endless).rejects.toMatchObject({ code: 'too-costly', issues: [{ expression: 'patient.gender' }] });
});

test('of a project that is not large nothing is measured', async () => {
  const get = await clinic();
  asIfMany();
  const path = 'Observation?patient.gender=male&_total=accurate';
  await get(path);
  const sent: string[] = [];
  const stop = watchStatements((text) => void sent.push(text));
  expect((await get(path)).body.total).toBe(1);
  stop();
  expect(sent.filter((text) => /explain|set_config|generate_series/.test(text))).toEqual([]);
});
