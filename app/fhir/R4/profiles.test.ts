import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { cacheIsLive, startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import {
  bloodPressure,
  DEFINITIONS,
  makeComponent,
  makePatient,
  makePressure,
  makeProfile,
  OURS,
} from '#lib/testing/fhir/profiles.ts';

let project: FhirProject;
beforeAll(async () => {
  // As in a server: what was compiled is kept until PostgreSQL names it.
  await startInvalidation();
  project = await makeFhirProject(false, { strictMode: true });
  for (const body of DEFINITIONS) await store(body);
});

afterAll(stopInvalidation);

async function store(body: { resourceType: string }, of = project) {
  const answer = await callFhir(of.admin, 'POST', body.resourceType, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const race = (...extension: object[]) => ({ extension: [{ url: `${OURS}/race`, extension }] });
const category = (code: string) => ({
  url: 'category',
  valueCoding: { system: 'urn:oid:2.16.840.1.113883.6.238', code },
});
const words = { url: 'text', valueString: 'x' };

const RIGHT = [
  makePatient(),
  makePatient(race(category('2106-3'), category('2054-5'), words)),
  makePatient({
    extension: [{ url: 'urn:other', valueString: 'x' }],
    generalPractitioner: [{ reference: 'Practitioner/1' }],
  }),
  makePressure(),
  makePressure({ component: [...makePressure().component, { code: { text: 'other' }, valueString: 'x' }] }),
  makePressure({ effectiveDateTime: undefined, effectivePeriod: { start: '2024' } }),
];

const [systolic, diastolic] = makePressure().component;
const WRONG: [what: string, resource: object, expression: string, text: string][] = [
  ['too few', makePatient({ identifier: undefined }), 'Patient.identifier', 'Identifier is required'],
  ['too few within', makePatient({ identifier: [{ value: '1' }] }), 'Patient.identifier[0].system', 'required'],
  ['too many', makePatient({ photo: [{ title: 'x' }] }), 'Patient.photo', 'must not be present'],
  [
    'another target',
    makePatient({ generalPractitioner: [{ reference: 'Organization/1' }] }),
    'Patient.generalPractitioner[0].reference',
    'Practitioner',
  ],
  ['an expression', makePatient({ name: [{ text: 'x' }] }), 'Patient', 'our-1'],
  [
    'an extension twice',
    makePatient({ extension: [...race(words).extension, ...race(words).extension] }),
    'Patient.extension',
    'slice race',
  ],
  ['within an extension', makePatient(race(category('2106-3'))), 'Patient.extension[0].extension', 'slice text'],
  [
    'a code of another set',
    makePatient(race(category('1'), words)),
    'Patient.extension[0].extension[0].valueCoding',
    'Needs a code',
  ],
  [
    'what is in no slice',
    makePatient(race(words, { url: 'other', valueString: 'x' })),
    'Patient.extension[0].extension[1]',
    'none of the slices',
  ],
  ['no pattern', makePressure({ code: { text: 'x' } }), 'Observation.code', 'Must contain'],
  [
    'a slice missing',
    makePressure({ component: [systolic, makeComponent('1', 2)] }),
    'Observation.component',
    'slice diastolic',
  ],
  [
    'a slice twice',
    makePressure({ component: [systolic, systolic, diastolic] }),
    'Observation.component',
    'slice systolic',
  ],
  [
    'no fixed',
    makePressure({ component: [systolic, { ...diastolic, valueQuantity: { value: 1, system: 'urn:x', code: 'x' } }] }),
    'Observation.component[1].valueQuantity.code',
    'exactly',
  ],
  [
    'another type',
    makePressure({ component: [systolic, { code: diastolic?.code, valueString: 'x' }] }),
    'Observation.component[1].valueString',
    'type Quantity',
  ],
  ['what it is derived from: a slice', makePressure({ category: [{ text: 'x' }] }), 'Observation.category', 'slice vs'],
  [
    'what it is derived from: a type',
    makePressure({ effectiveDateTime: undefined, effectiveInstant: '2024-01-01T00:00:00Z' }),
    'Observation.effectiveInstant',
    'dateTime, Period',
  ],
];

describe('profiles of the project', () => {
  test.each(RIGHT.map((resource, index) => [index, resource] as const))('right: %i', async (_, resource) => {
    await store(resource);
    const { body } = await callFhir(project.admin, 'POST', `${resource.resourceType}/$validate`, { body: resource });
    expect(body.issue.filter(({ code }: { code: string }) => code !== 'invariant')).toMatchObject([
      { severity: 'information' },
    ]);
  });

  test.each(WRONG)('wrong: %s', async (_, resource, expression, text) => {
    const { resourceType, meta, ...rest } = resource as { resourceType: string; meta: { profile: string[] } };
    const answer = await callFhir(project.admin, 'POST', resourceType, { body: resource });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.issue).toMatchObject([{ severity: 'error', expression: [expression] }]);
    expect(answer.body.issue[0].details.text).toContain(text);
    const path = `${resourceType}/$validate?profile=${encodeURIComponent(meta.profile[0] ?? '')}`;
    const told = await callFhir(project.admin, 'POST', path, { body: { resourceType, ...rest } });
    expect(told.status).toBe(200);
    expect(told.body.issue[0]).toMatchObject({ severity: 'error', expression: [expression] });
  });

  test('a patch, an update and a conditional update are held against them as a create is', async () => {
    const { id } = await store(makePatient());
    const path = `Patient/${id}`;
    const patch = [{ op: 'remove', path: '/gender' }];
    const headers = { 'content-type': 'application/json-patch+json' };
    expectIssue(
      await callFhir(project.admin, 'PATCH', path, { body: patch, headers }),
      422,
      'required',
      'Patient.gender',
    );
    const body = makePatient({ id, gender: undefined });
    expectIssue(await callFhir(project.admin, 'PUT', path, { body }), 422, 'required', 'Patient.gender');
    expectIssue(await callFhir(project.admin, 'PUT', `Patient?_id=${id}`, { body }), 422, 'required', 'Patient.gender');
  });

  test('one that changes counts at once, and one that is deleted no more', async () => {
    const url = `${OURS}/changing`;
    const claiming = { resourceType: 'Patient', meta: { profile: [url] }, active: true };
    await store(claiming);
    const profile = await store(makeProfile('changing', 'Patient', [{ path: 'Patient.gender', min: 1 }]));
    const create = () => callFhir(project.admin, 'POST', 'Patient', { body: claiming });
    expectIssue(await create(), 422, 'required', 'Patient.gender');
    profile.differential.element[0].path = 'Patient.active';
    await callFhir(project.admin, 'PUT', `StructureDefinition/${profile.id}`, { body: profile });
    expect((await create()).status).toBe(201);
    profile.differential.element[0].path = 'Patient.name';
    await callFhir(project.admin, 'PUT', `StructureDefinition/${profile.id}`, { body: profile });
    expectIssue(await create(), 422, 'required', 'Patient.name');
    await callFhir(project.admin, 'DELETE', `StructureDefinition/${profile.id}`);
    expect((await create()).status).toBe(201);
  });

  test('another project has its own, and one that is not strict refuses nothing', async () => {
    const body = makePatient({ gender: undefined });
    const other = await makeFhirProject(false, { strictMode: true });
    expect((await callFhir(other.admin, 'POST', 'Patient', { body })).status).toBe(201);
    const lenient = await makeFhirProject();
    for (const definition of DEFINITIONS) await store(definition, lenient);
    expect((await callFhir(lenient.admin, 'POST', 'Patient', { body })).status).toBe(201);
    const { body: told } = await callFhir(lenient.admin, 'POST', 'Patient/$validate', { body });
    expect(told.issue[0]).toMatchObject({ severity: 'error', expression: ['Patient.gender'] });
  });

  test('who may not read definitions is held to them all the same', async () => {
    const limited = await project.member([{ resourceType: 'Patient' }]);
    expectIssue(
      await callFhir(limited, 'POST', 'Patient', { body: makePatient({ gender: undefined }) }),
      422,
      'required',
    );
    expect((await callFhir(limited, 'POST', 'Patient', { body: makePatient() })).status).toBe(201);
  });

  test('a create costs no statement more, with a profile that is known or without', async () => {
    await expect.poll(cacheIsLive).toBe(true);
    const count = async (body: object) => {
      const texts: string[] = [];
      const stop = watchStatements((text) => texts.push(text));
      await callFhir(project.admin, 'POST', 'Patient', { body });
      stop();
      return texts.filter((text) => !/listen|notify/i.test(text)).length;
    };
    const plain = { resourceType: 'Patient', active: true };
    await count(plain);
    await count(makePatient());
    expect(await count(makePatient())).toBe(await count(plain));
  });

  test('a snapshot says the same as the differential', async () => {
    const { differential, ...rest } = bloodPressure;
    const element = differential.element.map((each) => ({
      definition: 'x',
      min: 0,
      max: '*',
      base: { path: each.path, min: 0, max: '*' },
      ...each,
    }));
    const root = {
      id: 'Observation',
      path: 'Observation',
      definition: 'x',
      min: 0,
      max: '*',
      base: { path: 'Observation', min: 0, max: '*' },
    };
    await store({ ...rest, url: `${OURS}/snapshot`, snapshot: { element: [root, ...element] } } as never);
    const meta = { profile: [`${OURS}/snapshot`] };
    expect((await callFhir(project.admin, 'POST', 'Observation', { body: makePressure({ meta }) })).status).toBe(201);
    const body = makePressure({ meta, component: [systolic, systolic] });
    const answer = await callFhir(project.admin, 'POST', 'Observation', { body });
    expect([answer.status, answer.body.issue.length]).toEqual([422, 2]);
  });
});
