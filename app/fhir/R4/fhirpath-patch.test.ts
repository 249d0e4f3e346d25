import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Part = { name: string; [value: string]: unknown };
type Case = [name: string, before: object, operations: object[], after: object];

let admin: Caller;
beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
});

const text = (name: string, valueString: string): Part => ({ name, valueString });
const count = (name: string, valueInteger: number): Part => ({ name, valueInteger });
const operation = (type: string, path: string, ...part: Part[]) => ({
  name: 'operation',
  part: [{ name: 'type', valueCode: type }, text('path', path), ...part],
});
const add = (path: string, name: string, value: object) =>
  operation('add', path, text('name', name), { name: 'value', ...value });
const insert = (path: string, index: number, value: object) =>
  operation('insert', path, count('index', index), { name: 'value', ...value });
const replace = (path: string, value: object) => operation('replace', path, { name: 'value', ...value });
const remove = (path: string) => operation('delete', path);
const move = (path: string, source: number, destination: number) =>
  operation('move', path, count('source', source), count('destination', destination));
const patchOf = (...parameter: object[]) => ({ resourceType: 'Parameters', parameter });
const identifiers = (...values: number[]) => ({
  identifier: values.map((value) => ({ system: 'http://example.org', value: `value ${value}` })),
});
const third = { valueIdentifier: { system: 'http://example.org', value: 'value 3' } };
const contact = (...names: string[]) => ({
  contact: [
    {
      ...(names.includes('name') && { name: { text: 'a name' } }),
      ...(names.includes('gender') && { gender: 'male' }),
    },
  ],
});

async function made(fields: object, type = 'Patient'): Promise<Answer['body']> {
  const answer = await callFhir(admin, 'POST', type, { body: { resourceType: type, ...fields } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}
const patch = (id: string, body: unknown, headers: Record<string, string> = {}, type = 'Patient') =>
  callFhir(admin, 'PATCH', `${type}/${id}`, {
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/fhir+json', ...headers },
  });

/** As HL7's own cases for R4 have them (fhir-test-cases, patch), and what follows from the page. */
const CASES: Case[] = [
  ['nothing', { birthDate: '1920-01-01' }, [], { birthDate: '1920-01-01' }],
  [
    'a primitive replaced',
    { birthDate: '1920-01-01' },
    [replace('Patient.birthDate', { valueDate: '1930-01-01' })],
    { birthDate: '1930-01-01' },
  ],
  ['a primitive deleted', { birthDate: '1920-01-01' }, [remove('Patient.birthDate')], {}],
  ['a primitive added', {}, [add('Patient', 'birthDate', { valueDate: '1930-01-01' })], { birthDate: '1930-01-01' }],
  ['what is not there deleted', { active: true }, [remove('Patient.birthDate')], { active: true }],
  [
    'nested primitives replaced',
    contact('name', 'gender'),
    [
      replace('Patient.contact[0].gender', { valueCode: 'female' }),
      replace('Patient.contact[0].name.text', { valueString: 'the name' }),
    ],
    { contact: [{ name: { text: 'the name' }, gender: 'female' }] },
  ],
  ['a nested one deleted', contact('name', 'gender'), [remove('Patient.contact[0].gender')], contact('name')],
  ['with what is empty then', contact('name', 'gender'), [remove('Patient.contact[0].name.text')], contact('gender')],
  ['to the top', contact('name'), [remove('Patient.contact[0].name.text')], {}],
  [
    'a nested one added',
    contact('name'),
    [add('Patient.contact[0]', 'gender', { valueCode: 'male' })],
    contact('name', 'gender'),
  ],
  [
    'a data type added',
    {},
    [add('Patient', 'maritalStatus', { valueCodeableConcept: { text: 'married' } })],
    { maritalStatus: { text: 'married' } },
  ],
  [
    'and replaced as a whole',
    { maritalStatus: { id: '1', text: 'married' } },
    [replace('Patient.maritalStatus', { valueCodeableConcept: { id: '2', coding: [{ code: 'U' }] } })],
    { maritalStatus: { id: '2', coding: [{ code: 'U' }] } },
  ],
  ['and deleted', { maritalStatus: { text: 'married' } }, [remove('Patient.maritalStatus')], {}],
  [
    'an element without a type added by its parts',
    {},
    [
      add('Patient', 'contact', {
        part: [
          { name: 'name', valueHumanName: { text: 'a name' } },
          { name: 'telecom', valueContactPoint: { value: '1' } },
          { name: 'telecom', valueContactPoint: { value: '2' } },
        ],
      }),
    ],
    { contact: [{ name: { text: 'a name' }, telecom: [{ value: '1' }, { value: '2' }] }] },
  ],
  ['and deleted', contact('name'), [remove('Patient.contact[0]')], {}],
  [
    'items of a list exchanged',
    identifiers(1, 2),
    [
      replace('Patient.identifier[0].value', { valueString: 'value 2' }),
      replace('Patient.identifier[1].value', { valueString: 'value 1' }),
    ],
    identifiers(2, 1),
  ],
  ['inserted at the end', identifiers(1, 2), [insert('Patient.identifier', 2, third)], identifiers(1, 2, 3)],
  ['inserted between', identifiers(1, 2), [insert('Patient.identifier', 1, third)], identifiers(1, 3, 2)],
  ['inserted in front', identifiers(1, 2), [insert('Patient.identifier', 0, third)], identifiers(3, 1, 2)],
  ['inserted where there is none yet', {}, [insert('Patient.identifier', 0, third)], identifiers(3)],
  ['the first deleted', identifiers(1, 2, 3), [remove('Patient.identifier[0]')], identifiers(2, 3)],
  ['one between deleted', identifiers(1, 2, 3), [remove('Patient.identifier[1]')], identifiers(1, 3)],
  ['the last deleted', identifiers(1, 2, 3), [remove('Patient.identifier[2]')], identifiers(1, 2)],
  ['moved up', identifiers(1, 2, 3, 4), [move('Patient.identifier', 3, 1)], identifiers(1, 4, 2, 3)],
  ['moved to the front', identifiers(1, 2, 3, 4), [move('Patient.identifier', 3, 0)], identifiers(4, 1, 2, 3)],
  ['moved by one', identifiers(1, 2, 3, 4), [move('Patient.identifier', 3, 2)], identifiers(1, 2, 4, 3)],
  ['moved to the end', identifiers(1, 2, 3, 4), [move('Patient.identifier', 0, 3)], identifiers(2, 3, 4, 1)],
  [
    'moved twice',
    identifiers(1, 2, 3, 4),
    [move('Patient.identifier', 1, 0), move('Patient.identifier', 2, 1)],
    identifiers(2, 3, 1, 4),
  ],
  [
    'turned round',
    identifiers(1, 2, 3, 4),
    [move('Patient.identifier', 3, 0), move('Patient.identifier', 3, 1), move('Patient.identifier', 3, 2)],
    identifiers(4, 3, 2, 1),
  ],
  ['added to a list that is not there', {}, [add('Patient', 'identifier', third)], identifiers(3)],
  [
    'by a condition',
    {
      name: [
        { use: 'usual', given: ['A'] },
        { use: 'official', given: ['B', 'C'] },
      ],
    },
    [
      replace("Patient.name.where(use = 'official').given[1]", { valueString: 'D' }),
      insert("Patient.name.where(use = 'usual').given", 0, { valueString: 'E' }),
    ],
    {
      name: [
        { use: 'usual', given: ['E', 'A'] },
        { use: 'official', given: ['B', 'D'] },
      ],
    },
  ],
  [
    'an extension of a primitive, which keeps its value',
    { birthDate: '1920-01-01' },
    [add('Patient.birthDate', 'extension', { valueExtension: { url: 'urn:x', valueCode: 'y' } })],
    { birthDate: '1920-01-01', _birthDate: { extension: [{ url: 'urn:x', valueCode: 'y' }] } },
  ],
  [
    'and replaced there, with another type, and deleted',
    {
      birthDate: '1920-01-01',
      _birthDate: {
        extension: [
          { url: 'urn:x', valueCode: 'y' },
          { url: 'urn:z', valueCode: 'y' },
        ],
      },
    },
    [
      replace("Patient.birthDate.extension('urn:x').value", { valueBoolean: true }),
      remove("Patient.birthDate.extension.where(url = 'urn:z')"),
    ],
    { birthDate: '1920-01-01', _birthDate: { extension: [{ url: 'urn:x', valueBoolean: true }] } },
  ],
  [
    'of primitives that repeat, with what is beside them',
    { name: [{ given: ['A', 'B', 'C'], _given: [null, { id: 'b' }, null] }] },
    [
      move('Patient.name[0].given', 1, 0),
      insert('Patient.name[0].given', 1, { valueString: 'D', _valueString: { id: 'd' } }),
      remove('Patient.name[0].given[2]'),
    ],
    { name: [{ given: ['B', 'D', 'C'], _given: [{ id: 'b' }, { id: 'd' }, null] }] },
  ],
  [
    'a choice added, and its type changed',
    {},
    [
      add('Patient', 'deceased', { valueBoolean: true }),
      replace('Patient.deceased', { valueDateTime: '2026-01-01' }),
      add('Patient', 'multipleBirthInteger', { valueInteger: 2 }),
    ],
    { deceasedDateTime: '2026-01-01', multipleBirthInteger: 2 },
  ],
  [
    'within what is contained, and a resource added there',
    { contained: [{ resourceType: 'Organization', id: 'o', name: 'Old' }], managingOrganization: { reference: '#o' } },
    [
      replace("Patient.contained.where(id = 'o').name", { valueString: 'New' }),
      add('Patient', 'contained', { resource: { resourceType: 'Organization', id: 'p', name: 'P' } }),
      add('Patient', 'generalPractitioner', { valueReference: { reference: '#p' } }),
    ],
    {
      contained: [
        { resourceType: 'Organization', id: 'o', name: 'New' },
        { resourceType: 'Organization', id: 'p', name: 'P' },
      ],
      managingOrganization: { reference: '#o' },
      generalPractitioner: [{ reference: '#p' }],
    },
  ],
];

describe('a FHIRPath Patch', () => {
  test.each(CASES)('does: %s', async (_, before, operations, after) => {
    const { id, meta } = await made(before);
    const answer = await patch(id, patchOf(...operations));
    expect(answer.status, answer.text).toBe(200);
    const { meta: now, ...rest } = answer.body;
    expect(rest).toEqual({ resourceType: 'Patient', id, ...after });
    expect(now.versionId).toBe(JSON.stringify(before) === JSON.stringify(after) ? meta.versionId : '2');
  });

  const OK = add('Patient', 'active', { valueBoolean: true });
  test.each<[string, object[], string]>([
    [
      'an element that is missing',
      [OK, add("Patient.name.where(use = 'old').period", 'end', { valueDate: '2021' })],
      '[1]',
    ],
    ['several', [OK, replace('Patient.name.given', { valueString: 'x' })], '[1]'],
    ['what is there already', [OK, OK], '[1]'],
    ['what FHIR does not know', [add('Patient', 'favourite', { valueString: 'x' })], '[0]'],
    ['what every object has', [add('Patient', '__proto__', { valueString: 'x' })], '[0]'],
    ['the type of a choice that it cannot have', [add('Patient', 'deceased', { valueQuantity: { value: 1 } })], '[0]'],
    ['an index beyond the list', [insert('Patient.name', 3, { valueHumanName: { text: 'x' } })], '[0]'],
    ['a place beyond the list', [move('Patient.name', 0, 2)], '[0]'],
    ['what is no list', [insert('Patient.birthDate', 0, { valueDate: '2021' })], '[0]'],
    ['no path at all', [remove('Patient.name[')], '[0]'],
    ['a path that leaves its parentheses', [remove('Patient.name.first()) | (Patient.name.last()')], '[0]'],
    ['what is no element', [replace('1 + 1', { valueString: 'x' })], '[0]'],
    ['another resource', [remove('Patient.generalPractitioner.resolve().name')], '[0]'],
    ['the id', [replace('Patient.id', { valueId: 'x' })], '[0]'],
    ['the version', [replace('Patient.meta.versionId', { valueId: '9' })], '[0]'],
    ['the resource itself', [remove('Patient')], '[0]'],
    ['an operation that R4 has not', [operation('copy', 'Patient.name')], '[0]'],
    ['a part that it has not', [operation('delete', 'Patient.active', count('index', 0))], '[0]'],
    ['no value', [operation('replace', 'Patient.active')], '[0]'],
    ['two values', [replace('Patient.active', { valueBoolean: true, valueString: 'x' })], '[0]'],
    ['another parameter', [{ name: 'other', valueString: 'x' }], '[0]'],
    ['a path without end', [remove(`Patient${'.name'.repeat(300)}`)], '[0]'],
    ['a hundred and one operations', Array(101).fill(remove('Patient.photo')), ''],
  ])('is refused whole, naming the operation, for %s', async (_, operations, place) => {
    const { id } = await made({ name: [{ given: ['A', 'B'] }, { text: 'C' }], birthDate: '1920-01-01' });
    const answer = await patch(id, patchOf(...operations));
    expectIssue(answer, 400, 'invalid', `Parameters.parameter${place}`);
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).body.meta.versionId).toBe('1');
  });

  test('whose result is no resource is refused as that would be', async () => {
    const { id } = await made({});
    const answer = await patch(id, patchOf(add('Patient', 'birthDate', { valueString: 'yesterday' })));
    expectIssue(answer, 400, 'value', 'Patient.birthDate');
  });

  test('keeps its conditions: If-Match, and the one that a search finds', async () => {
    const body = patchOf(add('Patient', 'active', { valueBoolean: true }));
    const { id } = await made({ identifier: [{ system: 'urn:p', value: '1' }] });
    expect((await patch(id, body, { 'if-match': 'W/"7"' })).status).toBe(412);
    const headers = { 'content-type': 'application/fhir+json' };
    const found = await callFhir(admin, 'PATCH', 'Patient?identifier=urn:p|1', { body: JSON.stringify(body), headers });
    expect([found.status, found.body.id, found.body.active]).toEqual([200, id, true]);
    expect((await patch('nosuch', body)).status).toBe(404);
    const none = await callFhir(admin, 'PATCH', 'Patient?identifier=urn:p|2', { body: JSON.stringify(body), headers });
    expect(none.status).toBe(404);
  });

  test('of fifty at once each is done on what those before it have left', async () => {
    const { id } = await made({ active: true });
    const each = Array.from({ length: 50 }, (_, at) => ({ system: 'urn:race', value: String(at) }));
    const answers = await Promise.all(
      each.map((valueIdentifier) => patch(id, patchOf(add('Patient', 'identifier', { valueIdentifier })))),
    );
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
    const { identifier, meta } = (await callFhir(admin, 'GET', `Patient/${id}`)).body;
    expect(
      identifier.map(({ value }: { value: string }) => Number(value)).toSorted((a: number, b: number) => a - b),
    ).toEqual(each.map((_, at) => at));
    expect(meta.versionId).toBe('51');
  });

  test('holds nothing while its paths are looked for: whoever else writes does not wait for many of them', async () => {
    const [own, others] = [(await makeFhirProject()).admin, (await makeFhirProject()).admin];
    const name = Array.from({ length: 1000 }, (_, at) => ({ family: `N${at}`, given: ['A', 'B'] }));
    const slow = replace("Patient.descendants().where($this = 'N3')", { valueString: 'N3' });
    const ids: string[] = [];
    for (let at = 0; at < 24; at += 1)
      ids.push((await callFhir(own, 'POST', 'Patient', { body: { resourceType: 'Patient', name } })).body.id);
    let done = 0;
    const patching = ids.map(async (id) => {
      const headers = { 'content-type': 'application/fhir+json' };
      const body = JSON.stringify(patchOf(slow, slow, slow));
      const { status } = await callFhir(own, 'PATCH', `Patient/${id}`, { body, headers });
      done += 1;
      return status;
    });
    await callFhir(others, 'GET', 'Patient');
    const request = { method: 'POST', url: 'Patient' };
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ resource: { resourceType: 'Patient' }, request }],
    };
    const answer = await callFhir(others, 'POST', '', { body: bundle });
    expect([answer.status, done]).toEqual([200, 0]);
    expect(new Set(await Promise.all(patching))).toEqual(new Set([200]));
  });

  test('keeps decimals as they were written, its own and the others', async () => {
    const quantity = (value: string) => `{"value":${value},"unit":"kg"}`;
    const code = { text: 'Weight' };
    const body = `{"resourceType":"Observation","status":"final","code":${JSON.stringify(code)},"valueQuantity":${quantity('1.50')}}`;
    const headers = { 'content-type': 'application/fhir+json' };
    const { id } = (await callFhir(admin, 'POST', 'Observation', { body, headers })).body;
    const parts = `{"name":"code","valueCodeableConcept":{"text":"Height"}},{"name":"value","valueQuantity":${quantity('2.00')}}`;
    const given = `{"name":"operation","part":[{"name":"type","valueCode":"add"},{"name":"path","valueString":"Observation"},
      {"name":"name","valueString":"component"},{"name":"value","part":[${parts}]}]}`;
    const answer = await callFhir(admin, 'PATCH', `Observation/${id}`, {
      body: `{"resourceType":"Parameters","parameter":[${given}]}`,
      headers,
    });
    expect(answer.text).toContain('"value":1.50');
    expect(answer.text).toContain('"value":2.00');
  });

  test.each(['batch', 'transaction'])('is the resource of its entry in a %s', async (type) => {
    const { id } = await made({});
    const entry = [
      {
        request: { method: 'PATCH', url: `Patient/${id}` },
        resource: patchOf(add('Patient', 'birthDate', { valueDate: '1930-01-01' })),
      },
    ];
    const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type, entry } });
    expect(answer.body.entry?.[0].response.status, answer.text).toMatch(/^200/);
    expect((await callFhir(admin, 'GET', `Patient/${id}`)).body.birthDate).toBe('1930-01-01');
  });

  test('refers to what its transaction makes', async () => {
    const { id } = await made({});
    const fullUrl = 'urn:uuid:5f1c7a4e-9f0f-4f0e-8d43-0d6a4f0a3f11';
    const entry = [
      {
        request: { method: 'PATCH', url: `Patient/${id}` },
        resource: patchOf(add('Patient', 'managingOrganization', { valueReference: { reference: fullUrl } })),
      },
      {
        fullUrl,
        request: { method: 'POST', url: 'Organization' },
        resource: { resourceType: 'Organization', name: 'O' },
      },
    ];
    const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
    expect(answer.status, answer.text).toBe(200);
    const organization = `Organization/${answer.body.entry[1].resource.id}`;
    const { managingOrganization } = (await callFhir(admin, 'GET', `Patient/${id}`)).body;
    expect(managingOrganization).toEqual({ reference: organization });
  });

  test('is named by metadata and by its media type, and is no JSON Patch', async () => {
    const { patchFormat } = (await callFhir(undefined, 'GET', 'metadata')).body;
    expect(patchFormat).toEqual(['application/json-patch+json', 'application/fhir+json']);
    const { id } = await made({});
    expectIssue(await patch(id, [{ op: 'add', path: '/active', value: true }]), 400, 'invalid');
    const json = { 'content-type': 'application/json-patch+json' };
    expectIssue(await patch(id, patchOf(), json), 400, 'invalid');
    const xml = await patch(id, patchOf(), { 'content-type': 'application/xml-patch+xml' });
    expect([xml.status, xml.headers.get('accept-patch')]).toEqual([
      415,
      'application/json-patch+json, application/fhir+json',
    ]);
  });

  test('changes nothing that its caller may not change', async () => {
    const world = await makeFhirProject();
    const limited = await world.member([{ resourceType: 'Patient', criteria: 'Patient?active=true' }]);
    const { id } = (await callFhir(world.admin, 'POST', 'Patient', { body: { resourceType: 'Patient', active: true } }))
      .body;
    const body = JSON.stringify(patchOf(replace('Patient.active', { valueBoolean: false })));
    const headers = { 'content-type': 'application/fhir+json' };
    expect((await callFhir(limited, 'PATCH', `Patient/${id}`, { body, headers })).status).toBe(403);
    expect((await callFhir(world.admin, 'GET', `Patient/${id}`)).body.meta.versionId).toBe('1');
  });
});
