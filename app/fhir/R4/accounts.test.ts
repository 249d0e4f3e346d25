import { beforeAll, describe, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const NORTH = { reference: 'Organization/north' };
const SOUTH = { reference: 'Organization/south' };
const EXTENDED = { 'x-medplum': 'extended' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

let project: FhirProject;
let admin: Caller;
let member: Caller;
let north: Caller;
beforeAll(async () => {
  project = await makeFhirProject(false, { setting: [{ name: 'updateCreate', valueBoolean: true }] });
  admin = project.admin;
  member = await project.member([{ resourceType: '*' }]);
  north = await project.member([{ resourceType: 'Patient', criteria: 'Patient?_compartment=Organization/north' }]);
});

async function make(caller: Caller, meta?: object, more: object = {}) {
  const made = await callFhir(caller, 'POST', 'Patient', { body: { resourceType: 'Patient', meta, ...more } });
  expect(made.status, made.text).toBe(201);
  return made.body as { id: string; meta: Record<string, unknown> };
}
async function accountsOf(id: string, path = `Patient/${id}`): Promise<string[]> {
  const { body } = await callFhir(admin, 'GET', path, { headers: EXTENDED });
  const { account, accounts = [] } = body.meta;
  expect(account).toEqual(accounts[0]);
  return accounts.map(({ reference }: { reference: string }) => reference);
}
const patch = (caller: Caller, id: string, operations: object[]) =>
  callFhir(caller, 'PATCH', `Patient/${id}`, { body: JSON.stringify(operations), headers: JSON_PATCH });
const statusFor = async (caller: Caller, id: string) => (await callFhir(caller, 'GET', `Patient/${id}`)).status;

test('an administrator puts a resource into compartments by its accounts: it is read, found and shown there', async () => {
  const { id, meta } = await make(admin, { account: NORTH, accounts: [SOUTH, NORTH] });
  const other = await make(admin);
  expect(meta.accounts).toBeUndefined();
  expect(await accountsOf(id)).toEqual(['Organization/south', 'Organization/north']);
  expect([await statusFor(north, id), await statusFor(north, other.id)]).toEqual([200, 404]);
  const found = await callFhir(north, 'GET', 'Patient?_total=accurate');
  expect(found.body.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([id]);
  const asked = await callFhir(admin, 'GET', `Patient?_compartment=Organization/south&_id=${id},${other.id}`);
  expect(asked.body.entry.length).toBe(1);
  expect(asked.body.entry[0].resource.meta.accounts).toBeUndefined();
  const plain = await callFhir(admin, 'GET', `Patient/${id}`);
  expect([plain.body.meta.account, plain.body.meta.accounts]).toEqual([undefined, undefined]);
  const one = await make(admin, { account: NORTH });
  expect(await accountsOf(one.id)).toEqual(['Organization/north']);
  const both = await make(admin, { account: NORTH, accounts: [SOUTH] });
  expect(await accountsOf(both.id)).toEqual(['Organization/north', 'Organization/south']);
});

describe('what a member says of accounts is neither an error nor a way in', () => {
  const meta = { account: NORTH, accounts: [NORTH, { reference: 'nonsense' }] };

  test('in a create, an update, a patch, a Bundle, by condition, and by an id of their own', async () => {
    const made = await make(member, meta);
    expect(await accountsOf(made.id)).toEqual([]);
    const { id } = await make(admin, { accounts: [SOUTH] });
    const body = { resourceType: 'Patient', id, active: true, meta };
    expect((await callFhir(member, 'PUT', `Patient/${id}`, { body })).status).toBe(200);
    expect(await accountsOf(id)).toEqual(['Organization/south']);
    const put = [{ op: 'add', path: '/meta', value: meta }];
    expect((await patch(member, id, put)).status).toBe(200);
    const gone = [{ op: 'remove', path: '/meta/accounts' }];
    expect((await patch(member, id, gone)).status).toBe(200);
    expect(await accountsOf(id)).toEqual(['Organization/south']);
    const entry = [
      { resource: { ...body, active: false }, request: { method: 'PUT', url: `Patient/${id}` } },
      { resource: { resourceType: 'Patient', meta }, request: { method: 'POST', url: 'Patient' } },
    ];
    for (const type of ['transaction', 'batch']) {
      const bundle = await callFhir(member, 'POST', '', { body: { resourceType: 'Bundle', type, entry } });
      expect(bundle.status, bundle.text).toBe(200);
      expect(
        await accountsOf(bundle.body.entry[1].response.location.split('/')[1], toPath(bundle.body.entry[1])),
      ).toEqual([]);
    }
    expect(await accountsOf(id)).toEqual(['Organization/south']);
    const byCondition = await callFhir(member, 'PUT', `Patient?_id=${id}`, { body });
    expect(byCondition.status, byCondition.text).toBe(200);
    expect(await accountsOf(id)).toEqual(['Organization/south']);
    const chosen = { resourceType: 'Patient', id: 'chosen', meta };
    expect((await callFhir(member, 'PUT', 'Patient/chosen', { body: chosen })).status).toBe(201);
    expect(await accountsOf('chosen')).toEqual([]);
    expect(await statusFor(north, 'chosen')).toBe(404);
  });

  test('nor where they are in the compartment: their create is refused, as it would not be there', async () => {
    const body = { resourceType: 'Patient', meta: { accounts: [NORTH] } };
    expect((await callFhir(north, 'POST', 'Patient', { body })).status).toBe(403);
  });

  test('and who deletes and brings back leaves it where it was', async () => {
    const { id } = await make(admin, { accounts: [SOUTH] });
    expect((await callFhir(member, 'DELETE', `Patient/${id}`)).status).toBe(200);
    const body = { resourceType: 'Patient', id };
    expect((await callFhir(member, 'PUT', `Patient/${id}`, { body })).status).toBe(201);
    expect(await accountsOf(id)).toEqual(['Organization/south']);
  });

  test('on behalf of a member an administrator has the member’s rights', async () => {
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${member.membershipId}` };
    const made = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', meta }, headers });
    expect(made.status, made.text).toBe(201);
    expect(await accountsOf(made.body.id)).toEqual([]);
  });
});

function toPath({ response }: { response: { location: string } }): string {
  return /Patient\/[^/]+/.exec(response.location)![0];
}

test('who updates a resource without its accounts leaves them, and takes them away by a patch', async () => {
  const { id } = await make(admin, { accounts: [NORTH] });
  const body = { resourceType: 'Patient', id, active: true };
  expect((await callFhir(admin, 'PUT', `Patient/${id}`, { body })).status).toBe(200);
  expect(await statusFor(north, id)).toBe(200);
  const same = await callFhir(admin, 'PUT', `Patient/${id}`, { body: { ...body, meta: { accounts: [NORTH] } } });
  expect(same.headers.get('etag')).toBe('W/"2"');
  expect((await patch(admin, id, [{ op: 'add', path: '/meta/accounts/-', value: SOUTH }])).status).toBe(200);
  expect(await accountsOf(id)).toEqual(['Organization/north', 'Organization/south']);
  expect((await patch(admin, id, [{ op: 'remove', path: '/meta/accounts' }])).status).toBe(200);
  expect([await accountsOf(id), await statusFor(north, id)]).toEqual([[], 404]);
  expect(await accountsOf(id, `Patient/${id}/_history/3`)).toEqual(['Organization/north', 'Organization/south']);
});

test('labels are changed beside the accounts', async () => {
  const { id } = await make(admin, { accounts: [NORTH] });
  const valueMeta = { tag: [{ code: 'x' }], accounts: [SOUTH] };
  const body = { resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta }] };
  expect((await callFhir(member, 'POST', `Patient/${id}/$meta-add`, { body })).status).toBe(200);
  expect((await callFhir(admin, 'POST', `Patient/${id}/$meta-delete`, { body })).status).toBe(200);
  expect(await accountsOf(id)).toEqual(['Organization/north']);
});

test('an entry of a transaction names another as its account', async () => {
  const organization = { resourceType: 'Organization', name: 'New' };
  const entry = [
    {
      resource: {
        resourceType: 'Patient',
        meta: { accounts: [{ reference: 'urn:uuid:8f5d5f8e-3b1c-4f3e-9d3a-0c4a5e6f7a81' }] },
      },
      request: { method: 'POST', url: 'Patient' },
    },
    {
      fullUrl: 'urn:uuid:8f5d5f8e-3b1c-4f3e-9d3a-0c4a5e6f7a81',
      resource: organization,
      request: { method: 'POST', url: 'Organization' },
    },
  ];
  const done = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(done.status, done.text).toBe(200);
  const [patient, made] = done.body.entry.map(({ response }: { response: { location: string } }) => {
    return /(Patient|Organization)\/[^/]+/.exec(response.location)![0];
  });
  expect(await accountsOf('', patient)).toEqual([made]);
});

test.each([
  ['a reference to nowhere', [{ reference: 'north' }]],
  ['an address elsewhere', [{ reference: 'https://example.org/fhir/Organization/1' }]],
  ['a version', [{ reference: 'Organization/1/_history/2' }]],
  ['a reference without one', [{ display: 'North' }]],
  ['more than a hundred', Array.from({ length: 101 }, (_, at) => ({ reference: `Organization/o${at}` }))],
])('%s is 400, and names it', async (_name, accounts) => {
  const body = { resourceType: 'Patient', meta: { accounts } };
  expectIssue(await callFhir(admin, 'POST', 'Patient', { body }), 400, 'invalid', 'Resource.meta.accounts');
});

test('where fields hide what else puts it there, a compartment is searched by accounts all the same', async () => {
  const { id } = await make(admin);
  const observe = async (more: object) => {
    const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' }, ...more };
    const made = await callFhir(admin, 'POST', 'Observation', { body });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const byAccount = await observe({ meta: { accounts: [{ reference: `Patient/${id}` }] } });
  await observe({ subject: { reference: `Patient/${id}` } });
  const blind = await project.member([
    { resourceType: 'Patient' },
    { resourceType: 'Observation', hiddenFields: ['subject', 'performer'] },
  ]);
  const { body } = await callFhir(blind, 'GET', `Patient/${id}/Observation`);
  expect(body.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([byAccount]);
  const all = await callFhir(admin, 'GET', `Patient/${id}/Observation`);
  expect(all.body.entry.length).toBe(2);
});

test('a policy constrains changes by the accounts that a resource has', async () => {
  const { id } = await make(admin, { accounts: [NORTH] });
  const expression = "%before.meta.accounts.where(reference = 'Organization/north').exists()";
  const held = await project.member([
    { resourceType: 'Patient', writeConstraint: [{ language: 'text/fhirpath', expression }] },
  ]);
  const other = await make(admin);
  const put = (patient: string) =>
    callFhir(held, 'PUT', `Patient/${patient}`, { body: { resourceType: 'Patient', id: patient, active: true } });
  expect([(await put(id)).status, (await put(other.id)).status]).toEqual([200, 403]);
});

test('a Binary has accounts, and new bytes leave them', async () => {
  const body = { resourceType: 'Binary', contentType: 'text/plain', data: 'aGk=', meta: { accounts: [NORTH] } };
  const made = await callFhir(admin, 'POST', 'Binary', { body });
  expect(made.status, made.text).toBe(201);
  const path = `Binary/${made.body.id}`;
  const headers = { ...EXTENDED, accept: 'application/fhir+json' };
  const metaOf = async () => (await callFhir(admin, 'GET', path, { headers })).body.meta;
  expect((await metaOf()).accounts).toEqual([NORTH]);
  const bytes = { body: 'other', headers: { 'content-type': 'text/plain' } };
  expect((await callFhir(member, 'PUT', path, bytes)).status).toBe(200);
  expect((await metaOf()).accounts).toEqual([NORTH]);
});
