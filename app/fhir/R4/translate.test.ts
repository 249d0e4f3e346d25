import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
let map: Body;

const group = { source: 'urn:a', target: 'urn:b' };
const element = [
  { code: '1', target: [{ code: 'one', display: 'One', equivalence: 'wider' }] },
  {
    code: '2',
    target: [
      { code: 'two', equivalence: 'equal' },
      { code: 'pair', equivalence: 'relatedto' },
    ],
  },
  { code: '3', target: [{ equivalence: 'unmatched', comment: 'none' }] },
];

async function make(url: string, groups: object[]): Promise<Body> {
  const body = { resourceType: 'ConceptMap', url, status: 'active', group: groups };
  const made = await callFhir(admin, 'POST', 'ConceptMap', { body });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const unmapped = { mode: 'other-map', url: 'urn:map:other' };
  map = await make('urn:map:main', [{ ...group, element, unmapped }]);
  const fixed = { mode: 'fixed', code: 'unknown', display: 'Unknown' };
  const more = [{ code: '4', target: [{ code: 'four', equivalence: 'equivalent' }] }];
  await make('urn:map:other', [
    { ...group, element: more, unmapped: fixed },
    { source: 'urn:a', target: 'urn:c', element: more, unmapped: { mode: 'provided' } },
  ]);
  await make('urn:map:ring', [{ ...group, element, unmapped: { mode: 'other-map', url: 'urn:map:ring' } }]);
  await make('urn:map:lost', [{ ...group, element, unmapped: { mode: 'other-map', url: 'urn:map:none' } }]);
});

const ask = (query: string, caller = admin) => callFhir(caller, 'GET', `ConceptMap/$translate?${query}`);

/** Equivalence, system and code of each match. */
function told({ body }: Answer): string[] {
  const matches = body.parameter.filter(({ name }: Body) => name === 'match');
  return matches.map(({ part }: Body) => {
    const coding = part.find(({ name }: Body) => name === 'concept')?.valueCoding;
    return [part[0].valueCode, coding?.system, coding?.code].filter(Boolean).join(' ');
  });
}

const translated = async (query: string) => {
  const answer = await ask(query);
  expect(answer.status, answer.text).toBe(200);
  return [answer.body.parameter[0].valueBoolean, ...told(answer)];
};

test('a code is translated by a map, and by those to which it leads', async () => {
  expect(await translated('url=urn:map:main&system=urn:a&code=1')).toEqual([true, 'wider urn:b one']);
  expect(await translated('url=urn:map:main&system=urn:a&code=2')).toEqual([
    true,
    'equal urn:b two',
    'relatedto urn:b pair',
  ]);
  expect(await translated('url=urn:map:main&system=urn:a&code=3')).toEqual([false, 'unmatched']);
  expect(await translated('url=urn:map:main&system=urn:a&code=4')).toEqual([
    true,
    'equivalent urn:b four',
    'equivalent urn:c four',
  ]);
  expect(await translated('url=urn:map:main&system=urn:a&code=5')).toEqual([
    true,
    'relatedto urn:b unknown',
    'equal urn:c 5',
  ]);
  expect(await translated('url=urn:map:other&system=urn:a&code=5&targetsystem=urn:c')).toEqual([true, 'equal urn:c 5']);
  expect(await translated('url=urn:map:main&system=urn:z&code=1')).toEqual([false]);
  expect(await translated('url=urn:map:ring&system=urn:a&code=9')).toEqual([false]);
});

test('and back, by the instance and by Parameters', async () => {
  expect(await translated('url=urn:map:main&system=urn:b&code=one&reverse=true')).toEqual([true, 'narrower urn:a 1']);
  const parameter = [{ name: 'coding', valueCoding: { system: 'urn:a', code: '1' } }];
  const body = { resourceType: 'Parameters', parameter };
  const answer = await callFhir(admin, 'POST', `ConceptMap/${map.id}/$translate`, { body });
  expect(told(answer)).toEqual(['wider urn:b one']);
  const checked = await callFhir(admin, 'POST', 'Parameters/$validate', {
    body: { resourceType: 'Parameters', parameter: [{ name: 'resource', resource: answer.body }] },
  });
  expect(checked.body.issue.filter(({ severity }: Body) => severity === 'error')).toEqual([]);
});

test('refuses what it does not know, and what the caller may not see', async () => {
  const query = 'system=urn:a&code=1';
  expectIssue(await ask(`url=urn:none&${query}`), 404, 'not-found', 'url');
  expectIssue(await ask('url=urn:map:lost&system=urn:a&code=9'), 404, 'not-found', 'url');
  expectIssue(await ask(query), 400, 'invalid', 'url');
  expectIssue(await ask(`url=urn:map:main&target=urn:x&${query}`), 400, 'invalid', 'target');
  expectIssue(await ask('url=urn:map:main'), 400, 'invalid', 'code');
  const other = await makeFhirProject();
  expectIssue(await ask(`url=urn:map:main&${query}`, other.admin), 404, 'not-found', 'url');
  expectIssue(await callFhir(other.admin, 'GET', `ConceptMap/${map.id}/$translate?${query}`), 404, 'not-found');
  const blind = await project.member([{ resourceType: 'ValueSet' }]);
  expectIssue(await ask(`url=urn:map:main&${query}`, blind), 403, 'forbidden');
  const narrow = await project.member([{ resourceType: 'ConceptMap', criteria: 'ConceptMap?url=urn:map:main' }]);
  expect(told(await ask(`url=urn:map:main&${query}`, narrow))).toEqual(['wider urn:b one']);
  expectIssue(await ask('url=urn:map:main&system=urn:a&code=9', narrow), 404, 'not-found', 'url');
});
