import { beforeAll, describe, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { makeProfile, OURS } from '#lib/testing/fhir/profiles.ts';

let project: FhirProject;
let lenient: FhirProject;
beforeAll(async () => {
  project = await makeFhirProject(false, { strictMode: true });
  lenient = await makeFhirProject();
});

const create = (body: object, of = project) =>
  callFhir(of.admin, 'POST', (body as { resourceType: string }).resourceType, { body });

async function store(body: object, of = project) {
  const answer = await create(body, of);
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

const claiming = (name: string, more: object = {}) => ({
  resourceType: 'Patient',
  meta: { profile: [`${OURS}/${name}`] },
  active: true,
  ...more,
});

async function timed<T>(run: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  return [await run(), performance.now() - begun];
}

const rule = (key: string, expression: string) => ({
  path: 'Patient',
  constraint: [{ key, severity: 'error', human: 'x', expression }],
});

describe('a hostile profile', () => {
  test.each([
    ['a path that is none', [{ path: 'Patient..x' }], 0],
    ['a path of another type', [{ path: 'Patient' }, { path: 'Observation.code' }], 1],
    ['a path without end', [{ path: `Patient${'.contact'.repeat(30)}` }], 0],
    ['a max that is no number', [{ path: 'Patient.name', max: 'x' }], 0],
  ])('%s is refused where it stands, and kept for nothing by a project that is not strict', async (_, elements, at) => {
    const profile = makeProfile(`bad${at}${elements.length}`, 'Patient', elements);
    const { status, body } = await create(profile);
    expect([400, 422]).toContain(status);
    expect(body.issue[0].expression[0]).toMatch(/^StructureDefinition/);
    await store(profile, lenient);
    const answer = await callFhir(lenient.admin, 'POST', `Patient/$validate?profile=${profile.url}`, {
      body: claiming('x'),
    });
    expect(answer.body.issue).toContainEqual(expect.objectContaining({ severity: 'error', code: 'not-supported' }));
  });

  test('10,000 elements are too many, and 4,000 are quick', async () => {
    const elements = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        path: 'Patient.extension',
        sliceName: `s${index}`,
        type: [{ code: 'Extension', profile: [`urn:x:${index}`] }],
      }));
    expectIssue(await create(makeProfile('many', 'Patient', elements(10_000))), 422, 'business-rule');
    await store(makeProfile('most', 'Patient', elements(3999)));
    const extension = Array.from({ length: 2000 }, (_, index) => ({ url: `urn:y:${index}`, valueBoolean: true }));
    const [answer, ms] = await timed(() => create(claiming('most', { extension })));
    expectIssue(answer, 422, 'too-costly');
    expect(ms).toBeLessThan(5000);
  });

  test('profiles, extensions and bases that name each other end', async () => {
    const profile = [`${OURS}/turn`];
    const turn = [{ path: 'Extension.extension', sliceName: 'again', min: 1, type: [{ code: 'Extension', profile }] }];
    await store(makeProfile('turn', 'Extension', turn));
    await store(
      makeProfile('turning', 'Patient', [
        { path: 'Patient.extension', sliceName: 'turn', type: [{ code: 'Extension', profile }] },
      ]),
    );
    let extension: object = { url: `${OURS}/turn`, valueBoolean: true };
    for (let depth = 0; depth < 40; depth += 1) extension = { url: `${OURS}/turn`, extension: [extension] };
    const answer = await create(claiming('turning', { extension: [extension] }));
    expect([answer.status, answer.body.issue.length]).toEqual([422, 1]);
    for (const [name, base] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      await store(
        makeProfile(name, 'Patient', [{ path: 'Patient.name', min: 1 }], { baseDefinition: `${OURS}/${base}` }),
      );
    }
    await store(claiming('a'));
    await store(
      makeProfile('self', 'Questionnaire', [
        { path: 'Questionnaire.item', min: 1 },
        { path: 'Questionnaire.item.item', contentReference: '#Questionnaire.item' },
      ]),
    );
    const item = [{ linkId: '1', type: 'string' }];
    await store({ ...claiming('self'), active: undefined, resourceType: 'Questionnaire', status: 'draft', item });
  });

  test.each([
    ['a pattern that goes back and forth', "name.family.matches('(a+)+$')"],
    [
      'everything times everything',
      `descendants().where(${'%resource.descendants().where('.repeat(6)}true${')'.repeat(6)}.exists()).exists()`,
    ],
    ['a list that grows', "repeat($this | $this.contact | 'x').exists()"],
  ])('%s is ended in time, and others go on meanwhile', async (what, expression) => {
    const name = what.replaceAll(/\W/g, '');
    const of = await makeFhirProject(false, { strictMode: true });
    await store(makeProfile(name, 'Patient', [rule('our-1', expression)]), of);
    const family = `${'a'.repeat(60)}!`;
    const contact = Array.from({ length: 50 }, () => ({ name: { family } }));
    const body = claiming(name, { name: [{ family }], contact });
    const [[answer, ms], [other, quick]] = await Promise.all([
      timed(() => create(body, of)),
      timed(() => create(claiming('none'))),
    ]);
    if (answer.status !== 201) expect(answer.status).toBe(422);
    expect(ms).toBeLessThan(8000);
    expect([other.status, quick < 3000]).toEqual([201, true]);
  });

  test('after one that was ended the project’s others are told to come back, and are judged then', async () => {
    const of = await makeFhirProject(false, { strictMode: true });
    await store(makeProfile('endless', 'Patient', [rule('our-1', "name.family.matches('(a+)+$')")]), of);
    await store(makeProfile('cheap', 'Patient', [rule('our-2', 'name.exists()')]), of);
    const cheap = claiming('cheap', { name: [{ family: 'x' }] });
    await store(cheap, of);
    expectIssue(await create(claiming('endless', { name: [{ family: `${'a'.repeat(60)}!` }] }), of), 422, 'too-costly');
    const later = await create(cheap, of);
    expectIssue(later, 429, 'throttled');
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThan(0);
    await store({ ...cheap, meta: undefined }, of);
    await expect.poll(async () => (await create(cheap, of)).status, { timeout: 30_000, interval: 500 }).toBe(201);
  });

  test('an expression that cannot be evaluated, or asks somebody else, is not judged, and told so', async () => {
    const expressions = ['((', 'name.resolve().exists()', "gender.memberOf('urn:x')", 'nothing()'];
    const elements = expressions.map((expression, index) => rule(`our-${index}`, expression));
    await store(
      makeProfile('unjudged', 'Patient', [
        { path: 'Patient', constraint: elements.flatMap(({ constraint }) => constraint) },
      ]),
    );
    const { body, status } = await callFhir(project.admin, 'POST', 'Patient/$validate', {
      body: claiming('unjudged', { gender: 'male', name: [{ text: 'x' }] }),
    });
    const told = body.issue.filter(({ severity }: { severity: string }) => severity === 'information');
    expect([status, told.length]).toEqual([200, expressions.length]);
    await store(claiming('unjudged', { gender: 'male', name: [{ text: 'x' }] }));
  });
});

test('elements of a profile that have extensions instead of a value', async () => {
  const extension = [{ url: 'urn:x', valueBoolean: true }];
  const type = [{ code: 'Extension', profile: [null], _profile: [{ extension }] }];
  const constraint = [{ key: 'our-1', severity: 'error', _human: { extension }, _expression: { extension } }];
  const elements = [
    { path: 'Patient', constraint },
    { path: 'Patient.extension', sliceName: 'a', type, min: 1 },
  ];
  const profile = makeProfile('extended', 'Patient', elements);
  await store(profile, lenient);
  const answer = await callFhir(lenient.admin, 'POST', `Patient/$validate?profile=${profile.url}`, {
    body: claiming('extended'),
  });
  expect(answer.status, answer.text).toBe(200);
  const slicing = { rules: 'open', discriminator: [{ type: 'value', _path: { extension } }] };
  const sliced = makeProfile('told', 'Patient', [
    { path: 'Patient.name', slicing },
    { path: 'Patient.name', sliceName: 'a' },
  ]);
  expectIssue(
    await create(sliced),
    422,
    'business-rule',
    'StructureDefinition.differential.element[0].slicing.discriminator[0]',
  );
  await store(sliced, lenient);
  const told = await callFhir(lenient.admin, 'POST', `Patient/$validate?profile=${sliced.url}`, {
    body: claiming('told'),
  });
  expect(told.body.issue[0]).toMatchObject({ severity: 'error', code: 'not-supported' });
});

describe('a hostile resource', () => {
  test('a megabyte of elements under a profile and expressions', async () => {
    await store(
      makeProfile('wide', 'Patient', [
        rule('our-1', 'name.given.count() > 1'),
        {
          path: 'Patient.name.given',
          constraint: [{ key: 'our-2', severity: 'error', human: 'x', expression: '$this.length() > 0' }],
        },
      ]),
    );
    const given = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
    const [answer, ms] = await timed(() => create(claiming('wide', { name: [{ given }] })));
    expectIssue(answer, 422, 'too-costly');
    expect(ms).toBeLessThan(8000);
  });

  test('a list of thousands under a pattern of thousands', async () => {
    const coding = (system: string) => Array.from({ length: 5000 }, (_, index) => ({ system, code: `c${index}` }));
    const patternCodeableConcept = { coding: [...coding('urn:a'), { code: 'none' }] };
    await store(makeProfile('patterned', 'Patient', [{ path: 'Patient.maritalStatus', patternCodeableConcept }]));
    const body = claiming('patterned', { maritalStatus: { coding: coding('urn:b').reverse() } });
    const [answer, ms] = await timed(() => create(body));
    expect([answer.status, ms < 5000]).toEqual([422, true]);
    const same = { maritalStatus: { coding: coding('urn:a').reverse() } };
    const [slow, took] = await timed(() => create(claiming('patterned', same)));
    expectIssue(slow, 422, 'too-costly');
    expect(took).toBeLessThan(5000);
  });

  test('many claims', async () => {
    const profile = Array.from({ length: 1000 }, (_, index) => `urn:x:${index}`);
    expectIssue(
      await create({ resourceType: 'Patient', meta: { profile } }),
      422,
      'too-costly',
      'Patient.meta.profile',
    );
  });

  test('a megabyte of what the engine judges', async () => {
    const action = Array.from({ length: 5000 }, () => ({
      operation: { encodeRequestUrl: true, targetId: 'a', url: 'b' },
    }));
    const body = { resourceType: 'TestScript', url: 'urn:x', name: 'x', status: 'draft', setup: { action } };
    const [answer, ms] = await timed(() => create(body));
    expect([201, 400]).toContain(answer.status);
    expect(ms).toBeLessThan(8000);
  });
});
