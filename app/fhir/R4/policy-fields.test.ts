import { beforeAll, describe, expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
/** Sees no birth dates and no addresses, changes no telecom; of the VIPs not even a name. */
let clerk: Caller;
let ann: string;
let vip: string;
let doctor: string;

const SECRET = 'Geheimgasse';
const of = (family: string, more: object = {}) => ({
  resourceType: 'Patient',
  name: [{ family }],
  birthDate: '1980-05-06',
  _birthDate: { extension: [{ url: 'urn:why', valueString: SECRET }] },
  address: [{ city: SECRET }],
  deceasedDateTime: '2020-01-01',
  telecom: [{ system: 'phone', value: '1' }],
  generalPractitioner: [{ reference: `Practitioner/${doctor}` }],
  ...more,
});
const make = async (body: object) =>
  (await callFhir(admin, 'POST', (body as { resourceType: string }).resourceType, { body })).body.id;
const asText = (answer: { body: unknown }) => JSON.stringify(answer.body);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  doctor = await make({ resourceType: 'Practitioner' });
  ann = await make(of('Ann'));
  vip = await make(of('Star', { meta: { tag: [{ code: 'vip' }] } }));
  const common = ['birthDate', 'address', 'deceased[x]', 'generalPractitioner'];
  clerk = await project.member([
    {
      resourceType: 'Patient',
      criteria: 'Patient?_tag=vip',
      hiddenFields: [...common, 'name'],
      readonlyFields: ['telecom'],
    },
    { resourceType: 'Patient', hiddenFields: common, readonlyFields: ['telecom'] },
    { resourceType: 'Practitioner', readonly: true },
    { resourceType: 'Subscription' },
  ]);
});

describe('a hidden field', () => {
  const doors: [string, string, (() => object)?][] = [
    ['GET', 'Patient/ANN'],
    ['GET', 'Patient/ANN/_history'],
    ['GET', 'Patient/ANN/_history/1'],
    ['GET', 'Patient/_history'],
    ['GET', '_history'],
    ['GET', 'Patient'],
    ['GET', '?_type=Patient,Practitioner'],
    ['GET', 'Patient?_elements=birthDate,address'],
    ['GET', 'Patient?_summary=true'],
    ['GET', 'Patient?_summary=data'],
    ['GET', 'Patient/ANN/$everything'],
    ['GET', 'Patient/ANN/Patient'],
    ['GET', 'Practitioner?_revinclude=*'],
    ['GET', 'Patient?_include=*'],
    [
      'POST',
      '',
      () => ({ resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: 'Patient' } }] }),
    ],
    [
      'POST',
      'Patient/ANN/$meta-add',
      () => ({ resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta: { tag: [{ code: 'x' }] } }] }),
    ],
  ];
  test.each(doors)('is nowhere in what %s %s answers', async (method, path, body) => {
    const answer = await callFhir(clerk, method, path.replace('ANN', ann), { body: body?.() });
    expect([answer.status, asText(answer)]).toEqual([
      200,
      expect.not.stringMatching(/1980-05|Geheimgasse|deceased|generalPractitioner/),
    ]);
    expect(asText(await callFhir(admin, 'GET', `Patient/${ann}`))).toMatch(/1980.*Geheimgasse/);
  });

  test.each([
    'birthdate=1980',
    'birthdate:missing=true',
    'address-city=x',
    'death-date=2020',
    '_sort=birthdate',
    '_sort=-birthdate',
    '_filter=birthdate eq 1980-05-06',
    '_filter=not (birthdate ge 1980)',
    'general-practitioner=Practitioner/x',
    'general-practitioner:Practitioner.active=true',
  ])('that is hidden of all is nothing to ask by: Patient?%s is 403', async (query) => {
    for (const path of [`Patient?${query}`, `Patient?name=Ann&${query}`]) {
      expect((await callFhir(clerk, 'GET', path)).status).toBe(403);
    }
  });

  test('does not lead from a chain, a _has, a _revinclude or an _include', async () => {
    expect((await callFhir(clerk, 'GET', 'Practitioner?_has:Patient:general-practitioner:name=Ann')).status).toBe(403);
    for (const path of [
      `Practitioner?_id=${doctor}&_revinclude=Patient:general-practitioner`,
      `Practitioner?_id=${doctor}&_revinclude=*`,
    ]) {
      expect((await callFhir(clerk, 'GET', path)).body.entry).toHaveLength(1);
    }
    expect(
      (await callFhir(clerk, 'GET', `Patient?_id=${ann}&_include=Patient:general-practitioner`)).body.entry,
    ).toHaveLength(1);
  });

  test('of some is as if it were not there: by its value these are not found, by its absence they are', async () => {
    const ids = async (query: string) =>
      ((await callFhir(clerk, 'GET', `Patient?_total=accurate&${query}`)).body.entry ?? [])
        .map((entry: { resource: { id: string } }) => entry.resource.id)
        .sort();
    expect(await ids('name=Star')).toEqual([]);
    expect(await ids('name=Ann')).toEqual([ann]);
    expect(await ids('name:missing=true')).toEqual([vip]);
    expect(await ids('name:missing=false')).toEqual([ann]);
    expect(await ids('_filter=name eq Star')).toEqual([]);
    expect(await ids('_filter=not (name eq Ann)')).toEqual([vip]);
    expect((await callFhir(clerk, 'GET', 'Patient?_sort=name')).status).toBe(403);
  });

  test('is no condition of a write', async () => {
    const body = { resourceType: 'Patient', name: [{ family: 'New' }] };
    const headers = { 'if-none-exist': 'birthdate=1980-05-06' };
    expect((await callFhir(clerk, 'POST', 'Patient', { body, headers })).status).toBe(403);
    expect((await callFhir(clerk, 'PUT', 'Patient?birthdate=1980-05-06', { body })).status).toBe(403);
    expect((await callFhir(clerk, 'DELETE', 'Patient?address-city=Geheimgasse')).status).toBe(403);
    const entry = [{ request: { method: 'PUT', url: 'Patient?birthdate=1980-05-06' }, resource: body }];
    const answer = await callFhir(clerk, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
    expect(answer.status).toBe(403);
    const referring = { ...body, link: [{ type: 'seealso', other: { reference: 'Patient?birthdate=1980-05-06' } }] };
    const linked = [{ request: { method: 'POST', url: 'Patient' }, resource: referring }];
    expect(
      (await callFhir(clerk, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry: linked } }))
        .status,
    ).toBe(403);
  });

  test('is no criteria of a subscription', async () => {
    const body = {
      resourceType: 'Subscription',
      status: 'requested',
      reason: 'x',
      criteria: 'Patient?birthdate=1980',
      channel: { type: 'websocket' },
    };
    const answer = await callFhir(clerk, 'POST', 'Subscription', { body });
    expect([answer.status, answer.body.issue[0].expression]).toEqual([403, ['Subscription.criteria']]);
    expect(
      (await callFhir(clerk, 'POST', 'Subscription', { body: { ...body, criteria: 'Patient?_tag=y' } })).status,
    ).toBe(201);
  });
});

describe('a write', () => {
  const stored = async (id: string) => (await callFhir(admin, 'GET', `Patient/${id}`)).body;
  const patchJson = (id: string, operations: object[]) =>
    callFhir(clerk, 'PATCH', `Patient/${id}`, {
      body: JSON.stringify(operations),
      headers: { 'content-type': 'application/json-patch+json' },
    });

  test('keeps what its writer does not see, and what is read-only for them', async () => {
    const id = await make(of('Bea'));
    const before = await stored(id);
    const seen = (await callFhir(clerk, 'GET', `Patient/${id}`)).body;
    const put = await callFhir(clerk, 'PUT', `Patient/${id}`, {
      body: { ...seen, gender: 'female', birthDate: '1999-01-01', telecom: [{ value: '2' }] },
    });
    expect([put.status, asText(put)]).toEqual([200, expect.not.stringMatching(/1980-05|1999-01|Geheim/)]);
    const { meta: _, ...rest } = before;
    expect(await stored(id)).toMatchObject({ ...rest, gender: 'female' });
    const testing = (value: string) => patchJson(id, [{ op: 'test', path: '/birthDate', value }]);
    expect((await testing('1980-05-06')).status).toBe((await testing('1999-01-01')).status);
    expect(
      (
        await patchJson(id, [
          { op: 'add', path: '/deceasedBoolean', value: false },
          { op: 'add', path: '/active', value: true },
        ])
      ).status,
    ).toBe(200);
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ request: { method: 'PUT', url: `Patient/${id}` }, resource: { ...seen, gender: 'other' } }],
    };
    const many = await callFhir(clerk, 'POST', '', { body: bundle });
    expect([many.status, asText(many)]).toEqual([200, expect.not.stringMatching(/1980-05|Geheim/)]);
    expect(await stored(id)).toMatchObject({ ...rest, gender: 'other' });
    expect((await stored(id)).deceasedBoolean).toBeUndefined();
  });

  test('of what is seen, sent back, changes nothing', async () => {
    const id = await make(of('Cy'));
    const seen = (await callFhir(clerk, 'GET', `Patient/${id}`)).body;
    expect((await callFhir(clerk, 'PUT', `Patient/${id}`, { body: seen })).body.meta.versionId).toBe('1');
  });

  test('of a new resource is without both, by itself and in a transaction', async () => {
    const body = of('Dee');
    const alone = await callFhir(clerk, 'POST', 'Patient', { body });
    const entry = [{ request: { method: 'POST', url: 'Patient' }, resource: body }];
    const many = await callFhir(clerk, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
    const ids = [alone.body.id, many.body.entry[0].response.location.split('/').at(-3)];
    for (const id of ids) {
      const found = await stored(id);
      expect(Object.keys(found).sort()).toEqual(['id', 'meta', 'name', 'resourceType']);
    }
  });
});

describe('is refused when it is saved, with the field and the reason:', () => {
  test.each([
    [{ resourceType: 'Patient', hiddenFields: ['nosuch'] }, 'hiddenFields[0]', 'no element'],
    [{ resourceType: 'Patient', hiddenFields: ['name.family'] }, 'hiddenFields[0]', 'at the top'],
    [{ resourceType: 'Patient', hiddenFields: ['name[x]'] }, 'hiddenFields[0]', 'no element'],
    [{ resourceType: 'Patient', readonlyFields: ['meta'] }, 'readonlyFields[0]', 'told apart'],
    [{ resourceType: '*', hiddenFields: ['text'] }, 'hiddenFields', 'one type'],
    [{ resourceType: 'CodeSystem', hiddenFields: ['concept'] }, 'hiddenFields', 'as a whole'],
    [{ resourceType: 'Bot', hiddenFields: ['code'] }, 'hiddenFields', 'as a whole'],
    [{ resourceType: 'Observation', hiddenFields: ['code'] }, 'hiddenFields[0]', 'without code'],
    [{ resourceType: 'Observation', readonlyFields: ['status'] }, 'readonlyFields[0]', 'without status'],
  ])('%j', async (rule, field, reason) => {
    const body = { resourceType: 'AccessPolicy', name: 'x', resource: [rule] };
    const answer = await callFhir(admin, 'POST', 'AccessPolicy', { body });
    expect([answer.status, answer.body.issue?.[0].expression]).toEqual([400, [`AccessPolicy.resource[0].${field}`]]);
    expect(answer.body.issue[0].details.text).toContain(reason);
  });

  test('what nobody writes by the rule may be hidden', async () => {
    const body = {
      resourceType: 'AccessPolicy',
      name: 'x',
      resource: [{ resourceType: 'Observation', readonly: true, hiddenFields: ['code', 'value[x]'] }],
    };
    expect((await callFhir(admin, 'POST', 'AccessPolicy', { body })).status).toBe(201);
  });
});
