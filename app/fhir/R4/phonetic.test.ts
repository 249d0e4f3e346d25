import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
const ids: Record<string, string> = {};
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const names: Record<string, object> = {
    smith: { family: 'Smith', given: ['Catherine'] },
    schmidt: { family: 'Schmidt', given: ['Kathryn'] },
    muller: { family: 'Müller', given: ['Jörg'] },
    li: { text: '李 小龙' },
    none: { use: 'usual' },
  };
  for (const [key, name] of Object.entries(names)) ids[key] = await make({ resourceType: 'Patient', name: [name] });
  ids.clinic = await make({ resourceType: 'Organization', name: 'Knight Clinic' });
});

async function make(body: { resourceType: string; [element: string]: unknown }): Promise<string> {
  const made = await callFhir(admin, 'POST', body.resourceType, { body });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function find(query: string, caller = admin): Promise<(string | undefined)[]> {
  const answer = await callFhir(caller, 'GET', query);
  expect(answer.status, answer.text).toBe(200);
  const found = (answer.body.entry ?? []).map(({ resource }: { resource: Answer['body'] }) => resource.id);
  return Object.keys(ids).filter((key) => found.includes(ids[key]));
}

describe('phonetic', () => {
  test.each([
    ['Patient?phonetic=smyth', ['smith', 'schmidt']],
    ['Patient?phonetic=Smith,Mueller', ['smith', 'schmidt', 'muller']],
    ['Patient?phonetic=Katherine', ['smith', 'schmidt']],
    ['Patient?phonetic=muler', ['muller']],
    ['Patient?phonetic=Kathrin+Smit', ['smith', 'schmidt']],
    ['Patient?phonetic=Jorg+Smith', []],
    ['Patient?phonetic=李', ['li']],
    ['Patient?phonetic=jones', []],
    ['Organization?phonetic=nite', ['clinic']],
    ['Patient?phonetic:missing=true', []],
    ['Patient?_filter=phonetic+eq+smyth', ['smith', 'schmidt']],
  ])('%s', async (query, expected) => expect(await find(query)).toEqual(expected));

  test('in a chain and in a policy, judged in memory as in the database', async () => {
    const subject = { reference: `Patient/${ids.smith}` };
    ids.weight = await make({ resourceType: 'Observation', status: 'final', code: { text: 'x' }, subject });
    expect(await find('Observation?patient.phonetic=smyth')).toEqual(['weight']);
    const limited = await project.member([{ resourceType: 'Patient', criteria: 'Patient?phonetic=smyth' }]);
    expect(await find('Patient', limited)).toEqual(['smith', 'schmidt']);
    expect((await callFhir(limited, 'GET', `Patient/${ids.smith}`)).status).toBe(200);
    expect((await callFhir(limited, 'GET', `Patient/${ids.muller}`)).status).toBe(404);
  });

  test('what it cannot honour is refused by name', async () => {
    for (const name of ['phonetic:exact', 'phonetic:contains'])
      expectIssue(await callFhir(admin, 'GET', `Patient?${name}=x`), 400, 'invalid', name);
    expectIssue(await callFhir(admin, 'GET', 'Patient?phonetic=...'), 400, 'invalid', 'phonetic');
    expectIssue(await callFhir(admin, 'GET', 'Patient?_sort=phonetic'), 400, 'invalid', '_sort');
    expectIssue(await callFhir(admin, 'GET', 'Patient?_filter=phonetic+co+x'), 400, 'invalid', '_filter');
  });

  test('a name of a megabyte is stored and found by what it begins with', async () => {
    const family = `Thompson ${'xylophone '.repeat(100_000)}`;
    ids.long = await make({ resourceType: 'Patient', name: [{ family }] });
    expect(await find('Patient?phonetic=thompsen')).toEqual(['long']);
  });
});
