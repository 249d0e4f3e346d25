import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { makeProfile, OURS } from '#lib/testing/fhir/profiles.ts';

const WARDS = 'http://example.org/wards';
const UNKNOWN = 'http://example.org/fhir/ValueSet/nowhere';

let project: FhirProject;
let system: { id: string };
beforeAll(async () => {
  await startInvalidation();
  project = await makeFhirProject(false, { strictMode: true });
  system = await store(codeSystem('icu', 'er'));
  await store(valueSet('all', { system: WARDS, filter: [{ property: 'concept', op: 'is-a', value: 'care' }] }));
  await store(valueSet('listed', { system: WARDS, concept: [{ code: 'icu' }] }));
  await store(valueSet('within', { valueSet: [`${WARDS}/all`] }));
  for (const [name, path, strength, set] of [
    ['ward', 'Encounter.class', 'required', `${WARDS}/all`],
    ['kind', 'Encounter.type', 'required', `${WARDS}/within`],
    ['service', 'Encounter.serviceType', 'extensible', `${WARDS}/all`],
    ['secret', 'Encounter.class', 'required', `${WARDS}/listed`],
    ['lost', 'Encounter.priority', 'required', UNKNOWN],
  ] as const)
    await store(makeProfile(name, 'Encounter', [{ path, binding: { strength, valueSet: set } }]));
});
afterAll(stopInvalidation);

function codeSystem(...codes: string[]) {
  const concept = [{ code: 'care', concept: codes.map((code) => ({ code })) }, { code: 'kitchen' }];
  return { resourceType: 'CodeSystem', url: WARDS, status: 'active', content: 'complete', concept };
}
const valueSet = (name: string, ...include: object[]) => ({
  resourceType: 'ValueSet',
  url: `${WARDS}/${name}`,
  status: 'active',
  compose: { include },
});
async function store(body: { resourceType: string }) {
  const answer = await callFhir(project.admin, 'POST', body.resourceType, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const coding = (code: string, of = WARDS) => ({ system: of, code });
const encounter = (profile: string | undefined, fields: object = {}) => ({
  resourceType: 'Encounter',
  ...(profile !== undefined && { meta: { profile: [`${OURS}/${profile}`] } }),
  status: 'finished',
  class: coding('icu'),
  ...fields,
});
const create = (body: { resourceType: string }, caller = project.admin) =>
  callFhir(caller, 'POST', body.resourceType, { body });
const validate = async (body: { resourceType: string }, caller = project.admin) =>
  (await callFhir(caller, 'POST', `${body.resourceType}/$validate`, { body })).body.issue.filter(
    ({ code }: { code: string }) => code !== 'invariant',
  );

describe('a required binding to a set that describes its codes', () => {
  test.each([
    ['a code of it', encounter('ward'), undefined],
    ['a code that the system has, and the set not', encounter('ward', { class: coding('kitchen') }), 'Encounter.class'],
    ['a code of another system', encounter('ward', { class: coding('icu', 'urn:x') }), 'Encounter.class'],
    ['one of several codings', encounter('kind', { type: [{ coding: [coding('x'), coding('er')] }] }), undefined],
    ['none of them', encounter('kind', { type: [{ coding: [coding('x')] }] }), 'Encounter.type[0]'],
    ['words alone', encounter('kind', { type: [{ text: 'x' }] }), 'Encounter.type[0]'],
  ])('is held: %s', async (_, body, expression) => {
    const answer = await create(body);
    if (expression === undefined) expect(answer.status, answer.text).toBe(201);
    else expectIssue(answer, 422, 'code-invalid', expression);
  });

  test('is held of what a transaction writes, too', async () => {
    const bundleOf = (...codes: string[]) => ({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: codes.map((code) => ({
        request: { method: 'POST', url: 'Encounter' },
        resource: encounter('ward', { class: coding(code) }),
      })),
    });
    const refused = await callFhir(project.admin, 'POST', '', { body: bundleOf('icu', 'kitchen') });
    expectIssue(refused, 422, 'code-invalid');
    const done = await callFhir(project.admin, 'POST', '', { body: bundleOf('icu', 'er') });
    expect(done.status, done.text).toBe(200);
  });

  test('means the same for who may not read the terminology', async () => {
    const limited = await project.member([{ resourceType: 'Encounter' }]);
    expect((await create(encounter('ward'), limited)).status).toBe(201);
    expectIssue(await create(encounter('ward', { class: coding('kitchen') }), limited), 422, 'code-invalid');
  });

  test.each([
    ['what describes its codes', 'ward', { class: coding('icu') }, { class: coding('kitchen') }],
    ['what lists them', 'secret', { class: coding('icu') }, { class: coding('kitchen') }],
    ['what names another', 'kind', { type: [{ coding: [coding('er')] }] }, { type: [{ coding: [coding('x')] }] }],
  ])('tells nobody in $validate what is in a set that they may not read: %s', async (_, profile, inside, outside) => {
    const told = async (fields: object, caller: Caller) =>
      (await validate(encounter(profile, fields), caller)).map((issue: object) => JSON.stringify(issue));
    const policies = [
      [{ resourceType: 'Encounter' }],
      [{ resourceType: 'Encounter' }, { resourceType: 'CodeSystem' }],
      [
        { resourceType: 'Encounter' },
        { resourceType: 'CodeSystem' },
        { resourceType: 'ValueSet', criteria: 'ValueSet?status=draft' },
      ],
    ];
    for (const policy of policies) {
      const blind = await project.member(policy);
      expect(await told(inside, blind)).toEqual(await told(outside, blind));
      expect((await told(inside, blind)).join()).toContain('Not checked against');
    }
    const seeing = await project.member([
      { resourceType: 'Encounter' },
      { resourceType: 'CodeSystem' },
      { resourceType: 'ValueSet', criteria: 'ValueSet?status=active' },
    ]);
    expect((await told(outside, seeing)).join()).toContain('code-invalid');
    expect((await told(inside, seeing)).join()).not.toContain('code-invalid');
  });

  test('that cannot be expanded is a warning, and refuses nothing', async () => {
    const body = encounter('lost', { priority: { coding: [coding('x')] } });
    expect((await create(body)).status).toBe(201);
    expect(await validate(body)).toContainEqual(
      expect.objectContaining({ severity: 'warning', expression: ['Encounter.priority'] }),
    );
  });

  test('follows its code system', async () => {
    const body = encounter('ward', { class: coding('new') });
    expectIssue(await create(body), 422, 'code-invalid');
    const changed = { ...codeSystem('icu', 'er', 'new'), id: system.id };
    expect((await callFhir(project.admin, 'PUT', `CodeSystem/${system.id}`, { body: changed })).status).toBe(200);
    expect((await create(body)).status).toBe(201);
  });
});

test('an extensible binding refuses nothing, and $validate advises', async () => {
  const body = encounter('service', { serviceType: { coding: [coding('kitchen')] } });
  expect((await create(body)).status).toBe(201);
  expect(await validate(body)).toContainEqual(
    expect.objectContaining({ severity: 'warning', code: 'code-invalid', expression: ['Encounter.serviceType'] }),
  );
  expect(await validate(encounter('service', { serviceType: { coding: [coding('icu')] } }))).toHaveLength(1);
});

describe('the claims of what is within', () => {
  const wrong = encounter('ward', { class: coding('kitchen') });
  const bundle = (...resources: object[]) => ({
    resourceType: 'Bundle',
    type: 'collection',
    entry: resources.map((resource, at) => ({ fullUrl: `http://example.org/Encounter/${at}`, resource })),
  });

  test('a contained resource is held against its profiles', async () => {
    const list = (contained: object) => ({
      resourceType: 'List',
      status: 'current',
      mode: 'working',
      contained: [{ ...contained, id: 'e' }],
      entry: [{ item: { reference: '#e' } }],
    });
    expect((await create(list(encounter('ward')))).status).toBe(201);
    expectIssue(await create(list(wrong)), 422, 'code-invalid', 'List.contained[0].class');
    expect((await validate(list(wrong)))[0].expression).toEqual(['List.contained[0].class']);
  });

  test('so is an entry of a Bundle that is stored, within another, too', async () => {
    expect((await create(bundle(encounter('ward'), encounter(undefined)))).status).toBe(201);
    expectIssue(await create(bundle(encounter('ward'), wrong)), 422, 'code-invalid', 'Bundle.entry[1].resource.class');
    const inner = 'Bundle.entry[0].resource.entry[0].resource.class';
    expectIssue(await create(bundle(bundle(wrong))), 422, 'code-invalid', inner);
  });
});
