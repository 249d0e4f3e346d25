import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
const { made, make } = namedResources(() => admin);
const system = 'urn:filter:codes';

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const concept = [{ code: 'a', concept: [{ code: 'b' }] }, { code: 'c' }];
  await make('codes', { resourceType: 'CodeSystem', url: system, status: 'active', content: 'complete', concept });
  const compose = { include: [{ system, concept: [{ code: 'c' }] }] };
  await make('set', { resourceType: 'ValueSet', url: 'urn:filter:set', status: 'active', compose });
  const patient = (name: string, family: string, birthDate: string, more: object = {}) =>
    make(name, { resourceType: 'Patient', name: [{ family, given: ['Pieter'] }], birthDate, ...more });
  const ann = await patient('ann', 'Ångström, (Lee)', '1980-02-29', { gender: 'female' });
  const bob = await patient('bob', 'Lee', '1990', { gender: 'male', identifier: [{ system: 'urn:i', value: '7' }] });
  await patient('cid', 'Le', '2001-01-01');
  const observe = (name: string, code: string, subject: string, more: object) =>
    make(name, {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system, code }] },
      subject: { reference: subject },
      ...more,
    });
  await observe('first', 'a', ann, { effectivePeriod: { start: '2020-01-01', end: '2020-02-01' } });
  await observe('second', 'b', bob, { valueQuantity: { value: 5, system: 'http://unitsofmeasure.org', code: 'g' } });
  await observe('third', 'c', bob, { effectiveDateTime: '2021-05-05', status: 'amended' });
});

async function find(type: string, filter: string, more = '', caller = admin): Promise<string[]> {
  const answer = await callFhir(caller, 'GET', `${type}?_filter=${encodeURIComponent(filter)}${more}`);
  expect(answer.status, `${filter}: ${answer.text}`).toBe(200);
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]));
  return (answer.body.entry ?? []).map(({ resource }: Body) => names.get(resource.id)).toSorted();
}

const FOUND: [type: string, filter: string, found: string[]][] = [
  ['Patient', 'family eq lee', ['bob']],
  ['Patient', 'family eq "ÅNGSTROM, (lee)"', ['ann']],
  ['Patient', 'name co "ee"', ['ann', 'bob']],
  ['Patient', 'family sw le', ['bob', 'cid']],
  ['Patient', 'given eq "pieter" and birthdate ge 1990', ['bob', 'cid']],
  ['Patient', 'birthdate lt 1990 or birthdate gt 1995', ['ann', 'cid']],
  ['Patient', 'birthdate po 1980-02', ['ann']],
  ['Patient', 'gender eq male or gender eq female and birthdate ge 1985', ['bob']],
  ['Patient', 'gender eq male or (gender eq female and birthdate lt 1985)', ['ann', 'bob']],
  ['Patient', 'not (gender eq male)', ['ann', 'cid']],
  ['Patient', 'not (gender eq male or not (gender pr true))', ['ann']],
  ['Patient', 'gender pr false', ['cid']],
  ['Patient', 'identifier eq urn:i|7', ['bob']],
  ['Patient', 'identifier eq "urn:i|7"', ['bob']],
  ['Patient', '_lastUpdated gt 2000', ['ann', 'bob', 'cid']],
  ['Observation', `code eq ${system}|a`, ['first']],
  ['Observation', `code ss ${system}|a`, ['first', 'second']],
  ['Observation', `code sb ${system}|b`, ['first', 'second']],
  ['Observation', 'code in urn:filter:set', ['third']],
  ['Observation', 'code ni urn:filter:set and status eq final', ['first', 'second']],
  ['Observation', 'date po 2020-01-15', ['first']],
  ['Observation', 'date ap 2021-05-05 or date sa 2021', ['third']],
  ['Observation', 'value-quantity gt 4999|http://unitsofmeasure.org|mg', ['second']],
  ['Observation', 'value-quantity eq 5', ['second']],
  ['Observation', 'subject.name co "ngstr"', ['first']],
  ['Observation', 'subject:Patient.name co "ngstr" or status eq amended', ['first', 'third']],
  ['Observation', 'not (patient.family eq lee) and code pr true', ['first']],
  ['Observation', 'subject.gender in http://hl7.org/fhir/ValueSet/administrative-gender', ['first', 'second', 'third']],
];

test.each(FOUND)('%s?_filter=%s', async (type, filter, found) => {
  expect(await find(type, filter)).toEqual(found);
});

test('a filter holds beside other parameters and beside another filter', async () => {
  expect(await find('Patient', 'family sw le', '&gender=male')).toEqual(['bob']);
  expect(await find('Patient', 'family sw le', '&_filter=gender%20pr%20false&_sort=-birthdate')).toEqual(['cid']);
  expect(await find('Patient', `_id re ${made.bob.id} or _id eq x`.replace('re', 'eq'))).toEqual(['bob']);
  expect(await find('Observation', `subject re Patient/${made.ann.id}`)).toEqual(['first']);
});

test('it finds nothing beyond the reach of its caller, by chains neither', async () => {
  const near = await project.member([
    { resourceType: 'Patient', criteria: 'Patient?gender=female' },
    { resourceType: 'Observation', criteria: 'Observation?status=final' },
  ]);
  expect(await find('Patient', 'not (gender eq female)', '', near)).toEqual([]);
  expect(await find('Observation', 'subject.family eq lee or status eq amended', '', near)).toEqual([]);
  const blind = await project.member([{ resourceType: 'Observation' }]);
  const answer = await callFhir(
    blind,
    'GET',
    `Observation?_filter=${encodeURIComponent('subject:Patient.family eq lee')}`,
  );
  expectIssue(answer, 403, 'forbidden');
});

const REFUSED: [type: string, filter: string, says: string][] = [
  ['Patient', 'family', 'operator'],
  ['Patient', 'family eq', 'operator'],
  ['Patient', 'family eq lee and', 'search parameter'],
  ['Patient', '(family eq lee', ')'],
  ['Patient', 'family eq lee)', 'its end'],
  ['Patient', 'family eq lee gender eq male', 'its end'],
  ['Patient', 'family ew lee', 'ew'],
  ['Patient', 'gender ne male', 'ne'],
  ['Patient', 'gender gt male', 'gt'],
  ['Patient', 'birthdate co 19', 'co'],
  ['Patient', 'birthdate ge gt1990', 'digit'],
  ['Patient', 'birthdate ge x', 'birthdate ge x'],
  ['Patient', 'gender pr maybe', 'pr'],
  ['Patient', 'favourite eq blue', 'favourite'],
  ['Patient', '_has:Observation:patient:code eq x', 'operator'],
  ['Patient', 'family eq "\\x"', 'JSON'],
  ['Patient', 'family eq "\\u0000"', 'JSON'],
  ['Patient', 'family co "a\\u0000"', 'JSON'],
  ['Patient', 'family eq ""', 'a value'],
  ['Observation', 'related[type eq x].target pr true', '[…]'],
  ['Observation', 'subject.favourite eq blue', 'favourite'],
  ['Observation', 'subject.family:exact eq lee', 'modifier'],
  ['Observation', 'code-value-quantity eq a$5', 'code-value-quantity'],
  ['Observation', 'code in urn:nowhere', 'urn:nowhere'],
  ['Patient', `${'('.repeat(12)}family eq lee${')'.repeat(12)}`, '10'],
  ['Patient', Array(51).fill('gender eq male').join(' or '), '50'],
  ['Patient', `family eq ${'x'.repeat(4001)}`, '4000'],
];

test.each(REFUSED)(
  'what it cannot mean is refused with the place, also of a lenient caller: %s, %s',
  async (type, filter, says) => {
    const path = `${type}?_filter=${encodeURIComponent(filter)}`;
    const answer = await callFhir(admin, 'GET', path, { headers: { prefer: 'handling=lenient' } });
    expectIssue(answer, 400, 'invalid', '_filter');
    expect(answer.body.issue[0].details.text).toContain(says);
  },
);

test('all filters of a search together have so many comparisons', async () => {
  const filters = Array(20).fill(`_filter=${encodeURIComponent('gender eq male or gender eq female or family co e')}`);
  const answer = await callFhir(admin, 'GET', `Patient?${filters.join('&')}`);
  expectIssue(answer, 400, 'invalid', '_filter');
  expect(answer.body.issue[0].details.text).toContain('50');
});
