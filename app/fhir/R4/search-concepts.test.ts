import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
const { made, make } = namedResources(() => admin);
const system = 'urn:search:animals';
const LONG = 2001;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const concept = [
    { code: 'mammal', concept: [{ code: 'dog', concept: [{ code: 'poodle' }] }, { code: 'ape' }] },
    { code: 'bird' },
  ];
  await make('system', {
    resourceType: 'CodeSystem',
    url: system,
    version: '1',
    status: 'active',
    content: 'complete',
    concept,
  });
  const set = (name: string, compose: object, version?: string) =>
    make(name, { resourceType: 'ValueSet', url: `urn:search:${name}`, version, status: 'active', compose });
  await set('dogs', { include: [{ system, filter: [{ property: 'concept', op: 'is-a', value: 'dog' }] }] }, '1');
  await set('listed', {
    include: [
      { system, concept: [{ code: 'ape' }] },
      { system: 'urn:other', concept: [{ code: 'bird' }] },
    ],
  });
  await set('judged', { include: [{ system, filter: [{ property: 'concept', op: 'regex', value: '.*' }] }] });
  await set('long', {
    include: [{ system: 'urn:long', concept: Array.from({ length: LONG }, (_, at) => ({ code: `c${at}` })) }],
  });
  const patient = await make('ann', { resourceType: 'Patient', gender: 'female' });
  const observe = (name: string, coding: object[], more: object = {}) =>
    make(name, { resourceType: 'Observation', status: 'final', code: { coding }, ...more });
  await observe('poodle', [{ system, code: 'poodle' }], { subject: { reference: patient } });
  await observe(
    'dog',
    [
      { system: 'urn:x', code: 'y' },
      { system, code: 'dog' },
    ],
    { status: 'amended' },
  );
  await observe('ape', [{ system, code: 'ape' }]);
  await observe('mammal', [{ system, code: 'mammal' }]);
  await observe('bird', [{ system, code: 'bird' }], { status: 'unknown' });
  await observe('elsewhere', [{ system: 'urn:z', code: 'dog' }]);
  await make('text', { resourceType: 'Observation', status: 'final', code: { text: 'dog' } });
});

async function find(query: string, type = 'Observation', caller = admin): Promise<string[]> {
  const answer = await callFhir(caller, 'GET', `${type}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]));
  return (answer.body.entry ?? []).map(({ resource }: Body) => names.get(resource.id)).toSorted();
}

async function refuse(query: string, status: number, code: string, expression: string): Promise<string> {
  const answer = await callFhir(admin, 'GET', `Observation?${query}`);
  expectIssue(answer, status, code, expression);
  return answer.body.issue[0].details.text;
}

test(':in finds what has a code of the value set, named by its address, with a version, or by its id', async () => {
  for (const name of [
    'urn:search:dogs',
    'urn:search:dogs|1',
    `ValueSet/${made.dogs.id}`,
    `${FHIR_BASE}/ValueSet/${made.dogs.id}`,
  ])
    expect(await find(`code:in=${name}`), name).toEqual(['dog', 'poodle']);
  expect(await find('code:in=urn:search:listed')).toEqual(['ape']);
  expect(await find('code:in=urn:search:listed,urn:search:dogs')).toEqual(['ape', 'dog', 'poodle']);
  expect(await find('code:in=urn:search:dogs&status=final')).toEqual(['poodle']);
  expect(await find('code:in=urn:search:dogs&code:in=urn:search:listed')).toEqual([]);
});

test(':not-in finds everything else, also what has no such code at all', async () => {
  const others = ['ape', 'bird', 'elsewhere', 'mammal', 'text'];
  expect(await find('code:not-in=urn:search:dogs')).toEqual(others);
  expect(await find('code:not-in=urn:search:dogs&code:not=ape&code:missing=false')).toEqual(others.slice(1));
});

test("R4's own value sets are known, of elements that are codes as well", async () => {
  expect(await find('status:in=http://hl7.org/fhir/ValueSet/observation-status&code=bird')).toEqual(['bird']);
  expect(await find('status:not-in=http://hl7.org/fhir/ValueSet/observation-status')).toEqual([]);
  expect(await find('status:in=urn:search:dogs')).toEqual([]);
});

test(':below finds a code and all beneath it in the hierarchy of its system, :above it and all over it', async () => {
  expect(await find(`code:below=${system}|mammal`)).toEqual(['ape', 'dog', 'mammal', 'poodle']);
  expect(await find(`code:below=${system}|dog,${system}|bird`)).toEqual(['bird', 'dog', 'poodle']);
  expect(await find(`code:above=${system}|poodle`)).toEqual(['dog', 'mammal', 'poodle']);
});

test('chains, _has, a search over types and conditions ask in the same way', async () => {
  expect(await find('_has:Observation:patient:code:in=urn:search:dogs', 'Patient')).toEqual(['ann']);
  expect(await find(`_has:Observation:patient:code:below=${system}|ape`, 'Patient')).toEqual([]);
  expect(await find('subject:Patient.gender:in=http://hl7.org/fhir/ValueSet/administrative-gender')).toEqual([
    'poodle',
  ]);
  const over = await callFhir(admin, 'GET', '?_type=Observation,Condition&code:in=urn:search:dogs&_total=accurate');
  expect(over.body.total, over.text).toBe(2);
  const ifNoneExist = { 'if-none-exist': 'code:in=urn:search:listed' };
  const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' } };
  const again = await callFhir(admin, 'POST', 'Observation', { headers: ifNoneExist, body });
  expect(again.status, again.text).toBe(200);
  expect(again.body.id).toBe(made.ape.id);
});

test('what is not known, not judged or too much is refused by the name of the parameter', async () => {
  expect(await refuse('code:in=urn:nowhere', 400, 'invalid', 'code:in')).toContain('urn:nowhere');
  await refuse('code:in=ValueSet/nobody', 400, 'invalid', 'code:in');
  expect(await refuse('code:not-in=urn:search:judged', 422, 'business-rule', 'code:not-in')).toContain('regex');
  expect(await refuse('code:in=urn:search:long', 400, 'too-costly', 'code:in')).toContain('2000');
  await refuse(`code:in=${Array(21).fill('urn:search:dogs')}`, 400, 'invalid', 'code:in');
  await refuse('code:below=dog', 400, 'invalid', 'code:below');
  await refuse(`code:below=${system}|cat`, 400, 'invalid', 'code:below');
  await refuse('code:below=urn:nowhere|cat', 400, 'invalid', 'code:below');
  await refuse('status:above=http://hl7.org/fhir/observation-status|final', 400, 'invalid', 'status:above');
  await refuse('subject:in=urn:search:dogs', 400, 'invalid', 'subject:in');
  await refuse('identifier:in=urn:search:dogs', 400, 'invalid', 'identifier:in');
});

test('a value set or code system that the caller may not search is not known to them', async () => {
  const near = await project.member([
    { resourceType: 'Observation' },
    { resourceType: 'ValueSet', criteria: 'ValueSet?url=urn:search:listed' },
    { resourceType: 'CodeSystem', criteria: 'CodeSystem?url=urn:none' },
  ]);
  expect(await find('code:in=urn:search:listed', 'Observation', near)).toEqual(['ape']);
  expectIssue(await callFhir(near, 'GET', 'Observation?code:in=urn:search:dogs'), 400, 'invalid', 'code:in');
  expectIssue(await callFhir(near, 'GET', `Observation?code:below=${system}|dog`), 400, 'invalid', 'code:below');
  const without = await project.member([{ resourceType: 'Observation' }]);
  expectIssue(await callFhir(without, 'GET', 'Observation?code:in=urn:search:listed'), 403, 'forbidden');
});

test('criteria that stand for themselves refuse them by name', async () => {
  const body = {
    resourceType: 'Subscription',
    status: 'requested',
    reason: 'x',
    criteria: 'Observation?code:in=urn:search:dogs',
    channel: { type: 'rest-hook', endpoint: 'https://example.com/x' },
  };
  const subscription = await callFhir(admin, 'POST', 'Subscription', { body });
  expectIssue(subscription, 422, 'business-rule', 'Subscription.criteria');
  expect(subscription.body.issue[0].details.text).toContain(':in');
  const rule = { resourceType: 'Observation', criteria: 'Observation?code:in=urn:search:dogs' };
  const policy = await callFhir(admin, 'POST', 'AccessPolicy', {
    body: { resourceType: 'AccessPolicy', resource: [rule] },
  });
  expect(policy.status, policy.text).toBeGreaterThanOrEqual(400);
  expect(policy.status).toBeLessThan(500);
});
