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
  const ann = await make('ann', {
    resourceType: 'Patient',
    identifier: [{ value: '1', type: { text: 'Krankenaktennummer' } }],
  });
  const observe = (name: string, code: object, more: object = {}) =>
    make(name, { resourceType: 'Observation', status: 'final', code, ...more });
  await observe('body', { text: 'Körpergewicht', coding: [{ code: 'w', display: 'Body weight' }] });
  await observe(
    'birth',
    { coding: [{ code: 'v' }, { code: 'w', display: 'Birth weight' }] },
    {
      subject: { reference: ann, display: 'Ånn Lee' },
      component: [{ code: { text: 'Scale, used' } }],
    },
  );
  await observe('plain', { coding: [{ code: 'w' }] });
});

async function find(query: string, type = 'Observation'): Promise<string[]> {
  const answer = await callFhir(admin, 'GET', `${type}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]));
  return (answer.body.entry ?? []).map(({ resource }: Body) => names.get(resource.id)).toSorted();
}

test(':text finds what a concept, a code or the type of an identifier is called, by its beginning', async () => {
  expect(await find('code:text=body')).toEqual(['body']);
  expect(await find('code:text=KORPER')).toEqual(['body']);
  expect(await find('code:text=b')).toEqual(['birth', 'body']);
  expect(await find('code:text=birth,körper')).toEqual(['birth', 'body']);
  expect(await find('code:text=weight')).toEqual([]);
  expect(await find('combo-code:text=scale\\, u')).toEqual(['birth']);
  expect(await find('identifier:text=kranken', 'Patient')).toEqual(['ann']);
  expect(await find('code:text=b&code:not=v')).toEqual(['body']);
});

test('chains and _has ask for texts, and so do conditions', async () => {
  expect(await find('subject:Patient.identifier:text=krank')).toEqual(['birth']);
  expect(await find('_has:Observation:patient:code:text=birth', 'Patient')).toEqual(['ann']);
  const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' } };
  const again = await callFhir(admin, 'POST', 'Observation', { headers: { 'if-none-exist': 'code:text=birth' }, body });
  expect([again.status, again.body.id]).toEqual([200, made.birth.id]);
});

test('a change takes the text before it out of the index, and a deletion all of them', async () => {
  const { body } = await callFhir(admin, 'POST', 'Observation', {
    body: { resourceType: 'Observation', status: 'final', code: { text: 'Früher' } },
  });
  await callFhir(admin, 'PUT', `Observation/${body.id}`, { body: { ...body, code: { text: 'Später' } } });
  expect(await find('code:text=fruher')).toEqual([]);
  expect((await find('code:text=spater')).length).toBe(1);
  await callFhir(admin, 'DELETE', `Observation/${body.id}`);
  expect(await find('code:text=spater')).toEqual([]);
});

test('what has no text is refused with :text', async () => {
  for (const name of ['status:text', 'date:text', 'value-quantity:text', 'subject:text', '_tag:text', '_id:text'])
    expectIssue(await callFhir(admin, 'GET', `Observation?${name}=x`), 400, 'invalid', name);
  expectIssue(await callFhir(admin, 'GET', `Observation?code:text=${'x'.repeat(401)}`), 400, 'invalid', 'code:text');
});
