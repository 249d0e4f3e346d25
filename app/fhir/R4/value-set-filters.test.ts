import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Body = Answer['body'];

let admin: Caller;

const system = 'urn:filters:wards';

async function make(body: object): Promise<void> {
  const made = await callFhir(admin, 'POST', (body as Body).resourceType, { body });
  expect(made.status, made.text).toBe(201);
}

/** The address of a value set with this filter. */
async function makeFiltered(property: string, op: string, value: string): Promise<string> {
  const url = `urn:filters:${crypto.randomUUID()}`;
  const include = [{ system, filter: [{ property, op, value }] }];
  await make({ resourceType: 'ValueSet', url, status: 'active', compose: { include } });
  return url;
}

async function codes(property: string, op: string, value: string): Promise<string[]> {
  const answer = await callFhir(admin, 'GET', `ValueSet/$expand?url=${await makeFiltered(property, op, value)}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.expansion.contains ?? []).map(({ code }: Body) => code);
}

beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
  const concept = [
    { code: 'care', concept: [{ code: 'icu' }, { code: 'er', property: [{ code: 'beds', valueInteger: 4 }] }] },
  ];
  const property = [{ code: 'closed', type: 'boolean' }];
  const all = { caseSensitive: true, property, concept };
  await make({ resourceType: 'CodeSystem', url: system, status: 'active', content: 'complete', ...all });
  await make({
    resourceType: 'CodeSystem',
    url: `${system}:loose`,
    status: 'active',
    content: 'complete',
    ...all,
    caseSensitive: false,
  });
});

test('a filter is by a code, by its parents and children, and by what its system has of concepts', async () => {
  expect(await codes('concept', '=', 'icu')).toEqual(['icu']);
  expect(await codes('concept', 'in', 'icu, er')).toEqual(['icu', 'er']);
  expect(await codes('concept', 'not-in', 'icu')).toEqual(['care', 'er']);
  expect(await codes('code', '=', 'icu')).toEqual(['icu']);
  expect(await codes('parent', '=', 'care')).toEqual(['icu', 'er']);
  expect(await codes('child', '=', 'icu')).toEqual(['care']);
  expect(await codes('child', 'not-in', 'icu')).toEqual(['icu', 'er']);
  expect(await codes('beds', '=', '4')).toEqual(['er']);
  expect(await codes('closed', '=', 'true')).toEqual([]);
  const url = `urn:filters:${crypto.randomUUID()}`;
  const filter = [{ property: 'child', op: '=', value: 'ICU' }];
  await make({
    resourceType: 'ValueSet',
    url,
    status: 'active',
    compose: { include: [{ system: `${system}:loose`, filter }] },
  });
  const loose = await callFhir(admin, 'GET', `ValueSet/$expand?url=${url}`);
  expect(loose.body.expansion.contains).toEqual([{ system: `${system}:loose`, code: 'care' }]);
});

test.each([
  ['=', 'x'],
  ['in', 'x,y'],
  ['not-in', 'x'],
])('a filter %s by what no concept has is refused by name, wherever the set is used', async (op, value) => {
  const url = await makeFiltered('nope', op, value);
  const named = expect.stringContaining(`nope ${op}`);
  const expanded = await callFhir(admin, 'GET', `ValueSet/$expand?url=${url}`);
  expectIssue(expanded, 422, 'business-rule', 'ValueSet.compose');
  expect(expanded.body.issue[0].details.text).toEqual(named);
  const checked = await callFhir(admin, 'GET', `ValueSet/$validate-code?url=${url}&system=${system}&code=icu`);
  expect([checked.status, checked.body.issue?.[0].details.text]).toEqual([422, named]);
  for (const modifier of ['in', 'not-in']) {
    const found = await callFhir(admin, 'GET', `Location?type:${modifier}=${url}`);
    expect([found.status, found.body.issue?.[0].details.text], found.text).toEqual([expect.any(Number), named]);
    expect(found.status).toBeGreaterThanOrEqual(400);
    expect(found.status).toBeLessThan(500);
  }
});

test('what lies below a code that is none is refused by its name, and not empty', async () => {
  for (const op of ['is-a', 'descendent-of', 'is-not-a']) {
    const url = await makeFiltered('concept', op, 'ward-9');
    const answer = await callFhir(admin, 'GET', `ValueSet/$expand?url=${url}`);
    expectIssue(answer, 422, 'business-rule', 'ValueSet.compose');
    expect(answer.text).toContain('ward-9');
  }
  expect(await codes('concept', 'descendent-of', 'icu')).toEqual([]);
});

test('of codes that are listed, those that their system has, with its words; where it is not complete or not known, all', async () => {
  const part = { ...{ status: 'active', content: 'fragment' }, concept: [{ code: 'a' }] };
  await make({ resourceType: 'CodeSystem', url: `${system}:part`, ...part });
  const expand = async (of: string, concept: object[]) => {
    const url = `urn:filters:${crypto.randomUUID()}`;
    await make({ resourceType: 'ValueSet', url, status: 'active', compose: { include: [{ system: of, concept }] } });
    const { body } = await callFhir(admin, 'GET', `ValueSet/$expand?url=${url}`);
    return (body.expansion.contains ?? []).map(({ code, display }: Body) => `${code} ${display}`);
  };
  await make({
    resourceType: 'CodeSystem',
    url: `${system}:said`,
    status: 'active',
    content: 'complete',
    concept: [
      { code: 'x', display: 'Its X' },
      { code: 'y', display: 'Its Y' },
    ],
  });
  const listed = [{ code: 'y', display: 'Our Y' }, { code: 'nosuch' }, { code: 'x' }];
  expect(await expand(`${system}:said`, listed)).toEqual(['y Our Y', 'x Its X']);
  expect(await expand(`${system}:part`, [{ code: 'a' }, { code: 'b' }])).toEqual(['a undefined', 'b undefined']);
  expect(await expand(`${system}:unknown`, [{ code: 'b' }])).toEqual(['b undefined']);
});
