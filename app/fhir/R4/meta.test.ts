import { beforeAll, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const OPEN = { system: 'urn:labels', code: 'open' };
const CLOSED = { system: 'urn:labels', code: 'closed' };

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

async function makePatient(meta?: object): Promise<string> {
  const made = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', ...(meta && { meta }) } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}
const parameters = (valueMeta: unknown) => ({ resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta }] });
const change = (how: 'add' | 'delete', id: string, meta: unknown, caller = admin, headers = {}) =>
  callFhir(caller, 'POST', `Patient/${id}/$meta-${how}`, { body: parameters(meta), headers });
async function metaOf(id: string) {
  const answer = await callFhir(admin, 'GET', `Patient/${id}/$meta`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.parameter[0].valueMeta;
}

test('labels are added once each, and deleted by system and code, as updates that are searched by, kept in history and audited', async () => {
  const profile = 'http://example.org/p';
  const id = await makePatient({ tag: [{ ...OPEN, display: 'As it was' }], profile: [profile] });
  const added = await change('add', id, { tag: [OPEN, CLOSED, CLOSED], security: [OPEN], profile: [profile] });
  expect(added.status, added.text).toBe(200);
  const tag = [{ ...OPEN, display: 'As it was' }, CLOSED];
  expect(added.body.parameter).toEqual([{ name: 'return', valueMeta: await metaOf(id) }]);
  expect(await metaOf(id)).toMatchObject({ versionId: '2', tag, security: [OPEN], profile: [profile] });
  expect(added.headers.get('etag')).toBe('W/"2"');
  const { body } = await callFhir(admin, 'GET', `Patient?_tag=urn:labels|closed&_id=${id}`);
  expect(body.total ?? body.entry.length).toBe(1);
  const same = await change('add', id, { tag: [OPEN] });
  expect(same.headers.get('etag')).toBe('W/"2"');
  const gone = await change('delete', id, { tag: [OPEN, { code: 'closed' }], profile: [profile, 'urn:none'] });
  expect(gone.status, gone.text).toBe(200);
  const { profile: none, ...left } = await metaOf(id);
  expect([left.versionId, left.tag, left.security, none]).toEqual(['3', [CLOSED], [OPEN], undefined]);
  expect((await callFhir(admin, 'GET', `Patient/${id}/_history`)).body.total).toBe(3);
  const audit = await callFhir(admin, 'GET', `AuditEvent?entity=Patient/${id}&_count=50`);
  expect(
    audit.body.entry.filter(({ resource }: { resource: { action: string } }) => resource.action === 'U'),
  ).toHaveLength(2);
});

test('who says where a record came from finds it by the whole of that', async () => {
  const source = 'http://source.example/feed/labs#17';
  const [id, other] = [await makePatient({ source }), await makePatient({ source: 'http://source.example/other' })];
  const without = await makePatient();
  const find = async (search: string) => {
    const { body } = await callFhir(
      admin,
      'GET',
      `Patient?${search}&_id=${[id, other, without].join()}&_total=accurate`,
    );
    const found = (body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id);
    expect(body.total).toBe(found.length);
    return found.toSorted();
  };
  const uri = encodeURIComponent(source);
  expect(await find(`_source=${uri}`)).toEqual([id]);
  expect(await find(`_source=${uri},http://source.example/other`)).toEqual([id, other].toSorted());
  expect(await find('_source=http://source.example/feed')).toEqual([]);
  expect(await find(`_source:not=${uri}`)).toEqual([other, without].toSorted());
  expect(await find('_source:missing=true')).toEqual([without]);
  // Every record may have one: what stands above each would be as much again in the index.
  const below = await callFhir(admin, 'GET', 'Patient?_source:below=http://source.example/');
  expectIssue(below, 400, 'invalid', '_source:below');
});

test('what the platform says in meta is not the caller’s to add or delete, and other elements are refused by name', async () => {
  const id = await makePatient();
  const meta = {
    project: 'x',
    author: { reference: 'Patient/1' },
    accounts: [{}],
    account: {},
    compartment: [],
    versionId: '9',
  };
  const answer = await change('add', id, { ...meta, lastUpdated: '2001-01-01T00:00:00Z', tag: [OPEN] });
  expect(answer.status, answer.text).toBe(200);
  const now = await metaOf(id);
  expect(Object.keys(now).sort()).toEqual(['lastUpdated', 'tag', 'versionId']);
  expect(now.versionId).toBe('2');
  expectIssue(await change('add', id, { source: 'urn:x' }), 400, 'invalid', 'meta.source');
  expectIssue(await change('delete', id, { tag: {} }), 400, 'invalid', 'meta.tag');
  expectIssue(await change('add', id, { tag: [null] }), 400, 'invalid', 'meta.tag[0]');
  expectIssue(await change('add', id, { tag: Array(201).fill(OPEN) }), 400, 'invalid', 'meta.tag');
  expectIssue(await change('add', id, 'x'), 400, 'invalid', 'meta');
  expectIssue(await change('add', id, { tag: [{ system: 5 }] }), 400, 'structure');
  expectIssue(await change('add', id, { tag: [{ code: 'a\0b' }] }), 400, 'structure');
  expectIssue(await change('add', id, { tag: [{ code: 'SUBSETTED' }] }), 422, 'business-rule', 'Patient.meta.tag');
  const empty = { resourceType: 'Parameters', parameter: [] };
  expectIssue(await callFhir(admin, 'POST', `Patient/${id}/$meta-add`, { body: empty }), 400, 'invalid', 'meta');
  expectIssue(await callFhir(admin, 'GET', `Patient/${id}/$meta?x=1`), 400, 'invalid', 'x');
  expect((await callFhir(admin, 'GET', `Patient/${id}/$meta-add`)).status).toBe(405);
  expect((await metaOf(id)).versionId).toBe('2');
});

test.each([['_tag', 'tag'] as const, ['_security', 'security'] as const])(
  'who is limited by %s brings nothing in or out of reach by it',
  async (param, label) => {
    const member = await project.member([{ resourceType: 'Patient', criteria: `Patient?${param}=urn:labels|open` }]);
    const [mine, theirs] = [await makePatient({ [label]: [OPEN] }), await makePatient({ [label]: [CLOSED] })];
    expectIssue(await change('add', theirs, { [label]: [OPEN] }, member), 404, 'not-found');
    expectIssue(await callFhir(member, 'GET', `Patient/${theirs}/$meta`), 404, 'not-found');
    expectIssue(await change('delete', mine, { [label]: [OPEN] }, member), 403, 'forbidden');
    expect((await change('add', mine, { [label]: [CLOSED] }, member)).status).toBe(200);
    expect((await metaOf(theirs)).versionId).toBe('1');
  },
);

test('is for who may update the resource, as it stands', async () => {
  const id = await makePatient();
  const reader = await project.member([{ resourceType: 'Patient', readonly: true }]);
  expectIssue(await change('add', id, { tag: [OPEN] }, reader), 403, 'forbidden');
  expect((await callFhir(reader, 'GET', `Patient/${id}/$meta`)).status).toBe(200);
  const other = await makeFhirProject();
  expectIssue(await change('add', id, { tag: [OPEN] }, other.admin), 404, 'not-found');
  expect((await change('add', id, { tag: [OPEN] }, admin, { 'if-match': 'W/"7"' })).status).toBe(412);
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) => change('add', id, { tag: [{ code: `c${at}` }] })),
  );
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  expect((await metaOf(id)).tag).toHaveLength(20);
  const request = { method: 'POST', url: `Patient/${id}/$meta-delete` };
  const batch = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: [{ request, resource: parameters({ tag: [{ code: 'c1' }] }) }],
  };
  expect((await callFhir(admin, 'POST', '', { body: batch })).body.entry[0].response.status).toContain('200');
  expect((await metaOf(id)).tag).toHaveLength(19);
  expect((await callFhir(admin, 'DELETE', `Patient/${id}`)).status).toBe(200);
  expectIssue(await change('add', id, { tag: [OPEN] }), 410, 'deleted');
  expectIssue(await change('add', 'no-such', { tag: [OPEN] }), 404, 'not-found');
});

test('what stands beside a canonical, or instead of one, belongs to no other after a change', async () => {
  const [a, b] = ['http://example.org/a', 'http://example.org/b'];
  const besides = { extension: [{ url: 'urn:besides', valueString: 'Text' }] };
  const found = async (meta: object, how: 'add' | 'delete', profile: string[]) => {
    const id = await makePatient(meta);
    expect((await change(how, id, { profile })).status).toBe(200);
    const { profile: now, _profile } = await metaOf(id);
    return { profile: now, _profile };
  };
  const instead = { profile: [null, a], _profile: [besides, null] };
  expect(await found(instead, 'add', [b])).toEqual({ ...instead, profile: [null, a, b] });
  expect(await found(instead, 'delete', [a])).toEqual({ _profile: [besides] });
  const behind = { profile: [a], _profile: [null, besides] };
  expect(await found(behind, 'add', [b])).toEqual({ ...behind, profile: [a, null, b] });
  expect(await found(behind, 'delete', [a])).toEqual({ _profile: [besides] });
  expect(await found({ _profile: [besides] }, 'add', [b])).toEqual({ profile: [null, b], _profile: [besides] });
});
