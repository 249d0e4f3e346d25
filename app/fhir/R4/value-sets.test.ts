import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;

const system = 'urn:set:animals';
const kind = (code: string) => [{ code: 'legs', valueString: code }];

async function make(body: object): Promise<Body> {
  const made = await callFhir(admin, 'POST', (body as Body).resourceType, { body });
  expect(made.status, made.text).toBe(201);
  return made.body;
}
const makeSet = (name: string, compose: object) =>
  make({ resourceType: 'ValueSet', url: `urn:set:${name}`, status: 'active', compose });
const expand = (name: string, more = '', caller = admin) =>
  callFhir(caller, 'GET', `ValueSet/$expand?url=urn:set:${name}${more}`);

async function codes(name: string, more = ''): Promise<string[]> {
  const answer = await expand(name, more);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.expansion.contains ?? []).map(({ code }: Body) => code);
}

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const concept = [
    {
      code: 'mammal',
      display: 'Mammal',
      concept: [
        { code: 'dog', display: 'Dog', property: kind('four') },
        { code: 'ape', display: 'Ape', property: kind('two') },
      ],
    },
    { code: 'bird', display: 'Bird', concept: [{ code: 'owl', display: 'Ówl', property: kind('two') }] },
  ];
  await make({ resourceType: 'CodeSystem', url: system, version: '1', status: 'active', content: 'complete', concept });
  await makeSet('all', { include: [{ system }] });
  await makeSet('mammals', { include: [{ system, filter: [{ property: 'concept', op: 'is-a', value: 'mammal' }] }] });
  await makeSet('two', { include: [{ system, filter: [{ property: 'legs', op: '=', value: 'two' }] }] });
  await makeSet('listed', { include: [{ system: 'urn:elsewhere', concept: [{ code: 'x', display: 'X' }] }] });
});

test('a value set is expanded: all of a system, by filters, of lists, of others, without others', async () => {
  expect(await codes('all')).toEqual(['mammal', 'dog', 'ape', 'bird', 'owl']);
  expect(await codes('mammals')).toEqual(['mammal', 'dog', 'ape']);
  expect(await codes('two')).toEqual(['ape', 'owl']);
  expect(await codes('listed')).toEqual(['x']);
  await makeSet('both', {
    include: [{ valueSet: ['urn:set:mammals', 'urn:set:two'] }, { valueSet: ['urn:set:listed'] }],
  });
  expect(await codes('both')).toEqual(['ape', 'x']);
  const dog = { system, concept: [{ code: 'dog' }] };
  await makeSet('rest', { include: [{ valueSet: ['urn:set:mammals'] }], exclude: [dog] });
  expect(await codes('rest')).toEqual(['mammal', 'ape']);
  const below = [{ property: 'concept', op: 'descendent-of', value: 'mammal' }];
  await makeSet('below', { include: [{ system, version: '1', filter: below }] });
  expect(await codes('below')).toEqual(['dog', 'ape']);
  const out = [
    { property: 'concept', op: 'is-not-a', value: 'mammal' },
    { property: 'legs', op: 'in', value: 'two,six' },
  ];
  await makeSet('out', { include: [{ system, filter: out }] });
  expect(await codes('out')).toEqual(['owl']);
});

test('pages and filters it, and says how many there are', async () => {
  expect(await codes('all', '&filter=OW')).toEqual(['owl']);
  expect(await codes('all', '&filter=%25')).toEqual([]);
  expect(await codes('all', '&filter=')).toHaveLength(5);
  expect(await codes('listed', '&filter=x')).toEqual(['x']);
  const { body } = await expand('all', '&count=2&offset=1');
  expect(body).toMatchObject({ resourceType: 'ValueSet', url: 'urn:set:all', status: 'active' });
  expect(body.expansion).toMatchObject({ total: 5, offset: 1, identifier: expect.stringMatching(/^urn:uuid:/) });
  expect(body.expansion.contains).toEqual([
    { system, code: 'dog', display: 'Dog' },
    { system, code: 'ape', display: 'Ape' },
  ]);
  const checked = await callFhir(admin, 'POST', 'ValueSet/$validate', { body });
  expect(checked.body.issue.filter(({ severity }: Body) => severity === 'error')).toEqual([]);
  const url = 'http://hl7.org/fhir/ValueSet/administrative-gender';
  const genders = await callFhir(admin, 'GET', `ValueSet/$expand?url=${url}`);
  expect(genders.body.expansion.total).toBe(4);
});

test('refuses by name what it does not know, or does not judge', async () => {
  expectIssue(await expand('none'), 404, 'not-found', 'url');
  await makeSet('lost', { include: [{ system: 'urn:lost' }] });
  expectIssue(await expand('lost'), 404, 'not-found', 'system');
  await makeSet('later', { include: [{ system, version: '2' }] });
  expectIssue(await expand('later'), 404, 'not-found', 'system');
  await makeSet('regex', { include: [{ system, filter: [{ property: 'code', op: 'regex', value: '.*' }] }] });
  expectIssue(await expand('regex'), 422, 'business-rule', 'ValueSet.compose');
  await makeSet('ring', { include: [{ valueSet: ['urn:set:ring2'] }] });
  await makeSet('ring2', { include: [{ valueSet: ['urn:set:ring'] }] });
  expectIssue(await expand('ring'), 422, 'business-rule');
  const two = { valueSet: ['urn:set:many0', 'urn:set:many0'] };
  await makeSet('many0', { include: [{ system }] });
  for (const [at, name] of ['many1', 'many2', 'many3', 'many4', 'many5', 'many6'].entries()) {
    const valueSet = [`urn:set:many${at}`];
    await makeSet(name, { include: [two, { valueSet }, { valueSet }, { valueSet }] });
  }
  expectIssue(await expand('many6'), 400, 'too-costly');
  expectIssue(await expand('all', '&activeOnly=true'), 400, 'invalid', 'activeOnly');
  expectIssue(await expand('all', '&count=-1'), 400, 'invalid', 'count');
});

test('ValueSet/$validate-code reads the same', async () => {
  const isIn = async (name: string, query: string) => {
    const answer = await callFhir(admin, 'GET', `ValueSet/$validate-code?url=urn:set:${name}&${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.parameter[0].valueBoolean;
  };
  expect(await isIn('mammals', `system=${system}&code=dog`)).toBe(true);
  expect(await isIn('mammals', `system=${system}&code=dog&display=Cat`)).toBe(false);
  expect(await isIn('mammals', `system=${system}&code=owl`)).toBe(false);
  expect(await isIn('both', `system=urn:elsewhere&code=x`)).toBe(true);
  expect(await isIn('rest', `code=dog`)).toBe(false);
});

test('is within the reach of who asks: of the sets, of those that they name, of the systems', async () => {
  const other = await makeFhirProject();
  expectIssue(await expand('all', '', other.admin), 404, 'not-found', 'url');
  const blind = await project.member([{ resourceType: 'ValueSet' }]);
  expectIssue(await expand('all', '', blind), 403, 'forbidden');
  const narrow = await project.member([
    { resourceType: 'ValueSet', criteria: 'ValueSet?url=urn:set:rest' },
    { resourceType: 'CodeSystem' },
  ]);
  expectIssue(await expand('rest', '', narrow), 404, 'not-found', 'url');
  expectIssue(await expand('all', '', narrow), 404, 'not-found', 'url');
});
