import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
const { made, make } = namedResources(() => admin);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  await make('doctor', { resourceType: 'Practitioner', name: [{ family: 'Grey', given: ['Meredith'] }] });
  await make('ann', {
    resourceType: 'Patient',
    active: true,
    gender: 'female',
    birthDate: '1980-02-29',
    name: [{ family: 'Ångström', given: ['Ann'] }],
    text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Ann</div>' },
    identifier: [{ system: 'urn:mrn', value: 'a|1' }],
    generalPractitioner: [{ reference: `Practitioner/${made.doctor.id}` }],
  });
  await make('bob', {
    resourceType: 'Patient',
    gender: 'male',
    birthDate: '1990',
    name: [{ family: 'Bobson' }],
    identifier: [{ system: 'urn:mrn', value: '2' }],
    generalPractitioner: [{ reference: `Practitioner/${made.doctor.id}` }, { reference: 'Practitioner/missing' }],
  });
  await make('nobody', { resourceType: 'Patient' });
});

async function search(path: string, caller = admin): Promise<Body> {
  const answer = await callFhir(caller, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function ids(bundle: Body, mode = 'match'): string[] {
  return (bundle.entry ?? [])
    .filter((entry: Body) => entry.search.mode === mode)
    .map((entry: Body) => entry.resource.id);
}

function link(bundle: Body, relation: string): string | undefined {
  return bundle.link.find((item: Body) => item.relation === relation)?.url.slice(FHIR_BASE.length + 1);
}

describe('a searchset', () => {
  test('has absolute addresses and modes, no total unless asked for, no entry when empty', async () => {
    const bundle = await search('Patient?family=bobson');
    expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'searchset' });
    expect(bundle).not.toHaveProperty('total');
    expect(bundle.entry).toEqual([
      { fullUrl: `${FHIR_BASE}/Patient/${made.bob.id}`, resource: made.bob, search: { mode: 'match' } },
    ]);
    expect(link(bundle, 'self')).toBe('Patient?family=bobson');
    const empty = await search('Patient?family=zzz&_total=accurate');
    expect(empty).not.toHaveProperty('entry');
    expect(empty.total).toBe(0);
  });

  test('counts without entries for _summary=count and _count=0', async () => {
    for (const query of ['_summary=count', '_count=0']) {
      const bundle = await search(`Patient?${query}`);
      expect([bundle.total, bundle.entry]).toEqual([3, undefined]);
    }
  });

  test('pages through links that keep every parameter', async () => {
    const first = await search('Patient?_count=2&_sort=birthdate&_lastUpdated=ge2020');
    expect(ids(first)).toEqual([made.ann.id, made.bob.id]);
    expect(link(first, 'previous')).toBeUndefined();
    const second = await search(link(first, 'next')!);
    expect(ids(second)).toEqual([made.nobody.id]);
    expect(link(second, 'next')).toBeUndefined();
    expect(ids(await search(link(second, 'first')!))).toEqual(ids(first));
  });

  test('tells nothing of a resource in the address of its next page', async () => {
    const next = decodeURIComponent(link(await search('Patient?_count=1&_sort=-name'), 'next')!);
    const cursor = /_cursor=([^&]+)/.exec(next)![1]!;
    expect(Buffer.from(cursor.replace('v1.', ''), 'base64url').toString('latin1')).not.toMatch(/bobson|ngstr/i);
  });

  test.each([
    ['', ['Patient', ['2026-02-31 00:00:00+00'], 'x']],
    ['', ['Patient', ['infinity'], 'x']],
    ['', ['Patient', [null], 'x']],
    ['', ['Patient', [], 'x']],
    ['', ['Observation', ['2026-02-01 00:00:00+00'], 'x']],
    ['', 'null'],
    ['&_sort=_lastUpdated', ['Patient _lastUpdated', ['x'], 'x']],
    ['&_sort=_id,-_lastUpdated', ['Patient _id -_lastUpdated', ['x', 'x'], 'x']],
    ['&_sort=_id', ['Patient _id', ['x', 'x'], 'x']],
  ])('400 for a cursor that is none of ours: %s %j', async (order, place) => {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
    const answer = await callFhir(admin, 'GET', `Patient?_cursor=${cursor}${order}`);
    expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['_cursor']]);
  });

  test.each(['_id', '-_lastUpdated', '_lastUpdated,_id'])('pages by %s', async (order) => {
    const found: string[] = [];
    for (let path: string | undefined = `Patient?_count=1&_sort=${order}`; path; ) {
      const bundle = await search(path);
      found.push(...ids(bundle));
      path = link(bundle, 'next');
    }
    expect(found).toEqual(ids(await search(`Patient?_sort=${order}`)));
    expect(found.length).toBe(3);
  });

  test('goes on by offset for those who began so, there and back', async () => {
    const second = await search('Patient?_count=1&_sort=birthdate&_offset=1');
    expect(ids(second)).toEqual([made.bob.id]);
    expect(ids(await search(link(second, 'next')!))).toEqual([made.nobody.id]);
    expect(ids(await search(link(second, 'previous')!))).toEqual([made.ann.id]);
  });

  test('a count over the limit is lowered, and self says so', async () => {
    expect(link(await search('Patient?_count=5000'), 'self')).toBe('Patient?_count=1000');
  });

  test('the newest come first by default', async () => {
    expect(ids(await search('Patient'))).toEqual([made.nobody.id, made.bob.id, made.ann.id]);
  });
});

describe('filters', () => {
  test.each([
    ['name=angstrom', ['ann']],
    ['name=ÅNG', ['ann']],
    ['family:exact=Ångström', ['ann']],
    ['name:contains=obs', ['bob']],
    ['identifier=urn:mrn|a%5C%7C1', ['ann']],
    ['identifier=urn:mrn%7C2', ['bob']],
    ['identifier=urn:mrn|', ['ann', 'bob']],
    ['identifier=2,nothing', ['bob']],
    ['gender=male,female', ['ann', 'bob']],
    ['gender%3Anot=male', ['ann', 'nobody']],
    ['gender:missing=true', ['nobody']],
    ['birthdate=ge1985', ['bob']],
    ['birthdate=1980-02', ['ann']],
    ['gender=female&birthdate=lt1981', ['ann']],
    ['gender=female&gender=male', []],
    ['_format=json&_pretty=true&gender=male', ['bob']],
    ['general-practitioner=Practitioner/missing', ['bob']],
  ])('%s', async (query, names) => {
    expect(new Set(ids(await search(`Patient?${query}`)))).toEqual(new Set(names.map((name) => made[name].id)));
  });

  test('the offset of an instant survives a plus that was not encoded', async () => {
    const instant = '2099-01-01T00:00:00+02:00';
    expect(ids(await search(`Patient?_lastUpdated=lt${instant}`)).length).toBe(3);
    expect(ids(await search(`Patient?_lastUpdated=gt${encodeURIComponent(instant)}`)).length).toBe(0);
  });

  test('an absolute reference below our base is a local one', async () => {
    const bundle = await search(`Patient?general-practitioner=${FHIR_BASE}/Practitioner/${made.doctor.id}`);
    expect(ids(bundle).length).toBe(2);
  });

  test.each([
    'nosuch=1',
    'name:nosuch=a',
    'gender:exact=male',
    'birthdate=soon',
    'birthdate=xx1980',
    'active=yes',
    '_count=-1',
    '_count=abc',
    '_offset=10001',
    '_sort=nosuch',
    '_total=bogus',
    '_summary=all',
    '_include=Patient:nosuch',
    'organization.nosuch=x',
    '_has:Observation:nosuch:code=x',
    'NAME=a',
  ])('400 for %s, naming the parameter', async (query) => {
    const answer = await callFhir(admin, 'GET', `Patient?${query}`);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.issue[0].code).toBe('invalid');
    expect(answer.body.issue[0].expression[0]).toBe(query.split('=')[0]);
  });

  test('404 for an unknown type, 401 without credentials', async () => {
    expect((await callFhir(admin, 'GET', 'Patients?name=x')).status).toBe(404);
    expect((await callFhir(undefined, 'GET', 'Patient')).status).toBe(401);
  });
});

describe('what costs too much', () => {
  const list = (name: string, count: number) => `${name}=${Array.from({ length: count }, (_, n) => `v${n}`).join(',')}`;

  test('a thousand values in all, not in each parameter', async () => {
    expect((await callFhir(admin, 'GET', `Patient?${list('identifier', 1000)}`)).status).toBe(200);
    for (const query of [list('identifier', 1001), `${list('name', 600)}&${list('identifier:not', 401)}`]) {
      const answer = await callFhir(admin, 'GET', `Patient?${query}`);
      expect([answer.status, answer.text.includes('at most 1000 values')]).toEqual([400, true]);
    }
  });

  test('a form is at most 256 KiB', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `name=${'x'.repeat(256 * 1024)}`;
    expect((await callFhir(admin, 'POST', 'Patient/_search', { body, headers })).status).toBe(413);
  });
});

describe('POST _search', () => {
  test('merges the form with the query', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await callFhir(admin, 'POST', 'Patient/_search?gender=female', {
      body: 'name=%C3%A5ng&_count=5',
      headers,
    });
    expect([answer.status, ids(answer.body)]).toEqual([200, [made.ann.id]]);
    expect(link(answer.body, 'self')).toBe('Patient?gender=female&name=%C3%A5ng&_count=5');
  });

  test('needs no body, and takes no JSON', async () => {
    expect((await callFhir(admin, 'POST', 'Patient/_search')).status).toBe(200);
    expect((await callFhir(admin, 'POST', 'Patient/_search', { body: { name: 'x' } })).status).toBe(415);
  });
});

describe('parts of resources', () => {
  test('_elements keeps what is asked for and what is mandatory, and marks the rest as missing', async () => {
    const { resource } = (await search('Patient?family=bobson&_elements=gender,name.family')).entry[0];
    expect(Object.keys(resource).sort()).toEqual(['gender', 'id', 'meta', 'name', 'resourceType']);
    expect(resource.meta.tag).toEqual([{ system: expect.any(String), code: 'SUBSETTED' }]);
    expect(resource.meta.versionId).toBe('1');
  });

  test('_summary=text keeps the narrative, data everything else, true the summary', async () => {
    const keys = async (summary: string) =>
      Object.keys((await search(`Patient?family=angstrom&_summary=${summary}`)).entry[0].resource);
    expect((await keys('text')).sort()).toEqual(['id', 'meta', 'resourceType', 'text']);
    expect(await keys('data')).not.toContain('text');
    expect(await keys('true')).toContain('birthDate');
    expect(await keys('true')).not.toContain('text');
    expect(await keys('false')).toContain('text');
  });
});

test('a long text is found by its end for as long as it has it', async () => {
  const set = { resourceType: 'ValueSet', status: 'draft', description: `${'lorem ipsum '.repeat(100)}zebra` };
  const made = (await callFhir(admin, 'POST', 'ValueSet', { body: set })).body;
  const found = async () => ids(await search('ValueSet?description:contains=Zebra'));
  expect(await found()).toEqual([made.id]);
  await callFhir(admin, 'PUT', `ValueSet/${made.id}`, { body: { ...made, description: 'short' } });
  expect(await found()).toEqual([]);
  const answer = await callFhir(admin, 'GET', `ValueSet?description:contains=${'x'.repeat(201)}`);
  expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['description:contains']]);
});

test('a document and a message are found by what stands first in them', async () => {
  const composition = {
    resourceType: 'Composition',
    id: 'letter',
    status: 'final',
    type: { text: 'Letter' },
    date: '2026-01-01',
    author: [{ display: 'Ann' }],
    title: 'Letter',
  };
  const header = { resourceType: 'MessageHeader', id: 'head', eventUri: 'urn:event', source: { endpoint: 'urn:from' } };
  const post = async (type: string, resource: object, id: string) => {
    const identifier = { system: 'urn:documents', value: id };
    const entry = [
      { fullUrl: `https://example.org/${id}`, resource },
      { fullUrl: 'https://example.org/Patient/1', resource: { resourceType: 'Patient', id: 'letter' } },
    ];
    const body = { resourceType: 'Bundle', type, identifier, timestamp: '2026-01-01T00:00:00Z', entry };
    const answer = await callFhir(admin, 'POST', 'Bundle', { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id as string;
  };
  const document = await post('document', composition, 'a');
  const other = await post('document', { ...composition, id: 'other' }, 'b');
  const message = await post('message', header, 'c');
  const found = async (query: string) =>
    (await search(`Bundle?${query}`)).entry?.map(({ resource }: { resource: Body }) => resource.id).toSorted() ?? [];
  expect(await found('composition=Composition/letter')).toEqual([document]);
  expect(await found('composition=letter,other')).toEqual([document, other].toSorted());
  expect(await found('composition:Composition=letter')).toEqual([document]);
  expect(await found('composition=Patient/letter')).toEqual([]);
  expect(await found('composition=head')).toEqual([]);
  expect(await found('message=MessageHeader/head')).toEqual([message]);
  expect(await found('composition:missing=true')).toEqual([message]);
  for (const asked of ['composition.type=x', 'composition:Composition.title=x', '_has:Bundle:composition:type=x'])
    expect(
      (await callFhir(admin, 'GET', `${asked.startsWith('_has') ? 'Composition' : 'Bundle'}?${asked}`)).status,
    ).toBe(400);
});

describe('included resources', () => {
  test('are a thousand of a kind at most, and the page says that there are more', async () => {
    const { admin: importer } = await makeFhirProject();
    const doctor = (await callFhir(importer, 'POST', 'Practitioner', { body: { resourceType: 'Practitioner' } })).body;
    const generalPractitioner = [{ reference: `Practitioner/${doctor.id}` }];
    const body = { resourceType: 'Patient', generalPractitioner };
    const page = async () => search('Practitioner?_revinclude=Patient:general-practitioner', importer);
    const fill = (count: number) =>
      Promise.all(Array.from({ length: count }, () => callFhir(importer, 'POST', 'Patient', { body })));
    await fill(1000);
    const whole = await page();
    expect([ids(whole, 'include').length, ids(whole, 'outcome').length]).toEqual([1000, 0]);
    await fill(1);
    const cut = await page();
    expect([ids(cut, 'include').length, ids(cut, 'outcome').length]).toEqual([1000, 1]);
    expect(cut.entry.at(-1).resource).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ severity: 'warning' }],
    });
  });

  test('_include brings each target once, skips what is missing, and does not count', async () => {
    const bundle = await search('Patient?_include=Patient:general-practitioner&_total=accurate');
    expect(ids(bundle, 'include')).toEqual([made.doctor.id]);
    expect([bundle.total, ids(bundle).length]).toEqual([3, 3]);
    const none = await search('Patient?_include=Patient:general-practitioner:Organization');
    expect(ids(none, 'include')).toEqual([]);
  });

  test('_revinclude brings those that refer to a match', async () => {
    const bundle = await search('Practitioner?_revinclude=Patient:general-practitioner');
    expect(new Set(ids(bundle, 'include'))).toEqual(new Set([made.ann.id, made.bob.id]));
  });

  test('what the caller may not read of the other type is not brought along', async () => {
    const patients = { resourceType: 'Patient' } as const;
    const none = await project.member([patients]);
    const other = await project.member([patients, { resourceType: 'Practitioner', criteria: 'Practitioner?_id=x' }]);
    for (const caller of [none, other]) {
      const bundle = await search('Patient?_include=Patient:general-practitioner', caller);
      expect([ids(bundle).length, ids(bundle, 'include').length]).toEqual([3, 0]);
    }
  });

  test('by canonical parameters: by address with and without version, and by id', async () => {
    const survey = { resourceType: 'Questionnaire', status: 'active', url: 'http://example.org/survey' };
    const make = async (body: object): Promise<string> =>
      (await callFhir(admin, 'POST', (body as Body).resourceType, { body })).body.id;
    const first = await make({ ...survey, version: '1' });
    const second = await make({ ...survey, version: '2' });
    const plain = await make({ resourceType: 'Questionnaire', status: 'active' });
    const answer = (questionnaire: string) =>
      make({ resourceType: 'QuestionnaireResponse', status: 'completed', questionnaire });
    const toSecond = await answer('http://example.org/survey|2');
    const toAny = await answer('http://example.org/survey');
    const relative = await answer(`Questionnaire/${plain}`);
    const absolute = await answer(`${FHIR_BASE}/Questionnaire/${plain}`);
    const included = async (path: string) => ids(await search(path), 'include').sort();
    const including = (id: string) =>
      included(`QuestionnaireResponse?_id=${id}&_include=QuestionnaireResponse:questionnaire`);
    expect(await including(toSecond)).toEqual([second]);
    expect(await including(toAny)).toEqual([first, second].sort());
    expect(await including(relative)).toEqual([plain]);
    expect(await including(absolute)).toEqual([plain]);
    const answersTo = (id: string) =>
      included(`Questionnaire?_id=${id}&_revinclude=QuestionnaireResponse:questionnaire`);
    expect(await answersTo(first)).toEqual([toAny]);
    expect(await answersTo(second)).toEqual([toSecond, toAny].sort());
    expect(await answersTo(plain)).toEqual([relative, absolute].sort());
  });

  test('whether the reference is relative or an address of this server', async () => {
    const subject = { reference: `${FHIR_BASE}/Patient/${made.ann.id}` };
    const body = { resourceType: 'Flag', status: 'active', code: { text: 'x' }, subject };
    const flag = (await callFhir(admin, 'POST', 'Flag', { body })).body.id;
    expect(ids(await search(`Flag?subject=Patient/${made.ann.id}`))).toEqual([flag]);
    expect(ids(await search('Flag?_include=Flag:subject'), 'include')).toEqual([made.ann.id]);
    expect(ids(await search(`Patient?_id=${made.ann.id}&_revinclude=Flag:patient`), 'include')).toEqual([flag]);
  });
});
