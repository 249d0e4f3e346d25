import { beforeAll, expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { saveMembership } from '#lib/domain/memberships/save-membership.ts';
import { lockRow } from '#lib/domain/store/find-row.ts';
import { toResource } from '#lib/domain/store/row.ts';
import type { AccessEntry, AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const EXTENDED = { 'x-medplum': 'extended' };
const NORTH = 'Organization/north';
const SOUTH = 'Organization/south';
const AT_HOME: AccessPolicy = {
  resourceType: 'AccessPolicy',
  name: 'At home',
  compartment: { reference: '%organization' },
  resource: [{ resourceType: 'Patient', criteria: 'Patient?_compartment=%organization' }, { resourceType: 'Binary' }],
};

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

async function makePolicy(policy: AccessPolicy): Promise<string> {
  const made = await callFhir(admin, 'POST', 'AccessPolicy', { body: policy });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}
async function memberWith(access: AccessEntry[]): Promise<Caller> {
  const member = await project.member();
  await write({ requestId: 'test', remoteAddress: '', userAgent: '' }, async (w) => {
    const row = (await lockRow(w.tx, project.projectId, 'ProjectMembership', member.membershipId))!;
    await saveMembership(w, row, { ...toResource<ProjectMembership>(row), access }, undefined);
  });
  return member;
}
const entry = (policy: string, ...houses: string[]): AccessEntry => ({
  policy: { reference: policy },
  ...(houses.length > 0 && {
    parameter: houses.map((reference) => ({ name: 'organization', valueReference: { reference } })),
  }),
});
const create = (caller: Caller, meta?: object) =>
  callFhir(caller, 'POST', 'Patient', { body: { resourceType: 'Patient', ...(meta && { meta }) } });
async function accountsOf(path: string): Promise<string[]> {
  const headers = { ...EXTENDED, accept: 'application/fhir+json' };
  const { body } = await callFhir(admin, 'GET', path, { headers });
  return (body.meta.accounts ?? []).map(({ reference }: { reference: string }) => reference);
}

test('what a member writes is put into the compartment of their policy, and so they may write it', async () => {
  const policy = await makePolicy(AT_HOME);
  const nurse = await memberWith([entry(policy, NORTH)]);
  const other = await memberWith([entry(policy, SOUTH)]);
  const made = await create(nurse, { accounts: [{ reference: SOUTH }] });
  expect(made.status, made.text).toBe(201);
  expect(made.body.meta.accounts).toBeUndefined();
  const path = `Patient/${made.body.id}`;
  expect(await accountsOf(path)).toEqual([NORTH]);
  expect((await callFhir(nurse, 'GET', path)).status).toBe(200);
  expect((await callFhir(other, 'GET', path)).status).toBe(404);
  const binary = await callFhir(nurse, 'POST', 'Binary', { body: 'hi', headers: { 'content-type': 'text/plain' } });
  expect(binary.status, binary.text).toBe(201);
  expect(await accountsOf(`Binary/${binary.body.id}`)).toEqual([NORTH]);
  const shared = (await create(admin, { accounts: [{ reference: NORTH }, { reference: SOUTH }] })).body;
  const body = { ...shared, active: true };
  expect((await callFhir(other, 'PUT', `Patient/${shared.id}`, { body })).status).toBe(200);
  expect(await accountsOf(`Patient/${shared.id}`)).toEqual([NORTH, SOUTH]);
  const plain = await create(await project.member([{ resourceType: 'Patient' }]));
  expect(await accountsOf(`Patient/${plain.body.id}`)).toEqual([]);
});

test('a change puts it there, too, once; and a record with a hundred accounts takes no more', async () => {
  const policy = await makePolicy({ ...AT_HOME, resource: [{ resourceType: 'Patient' }] });
  const nurse = await memberWith([entry(policy, NORTH)]);
  const { id } = (await create(admin)).body;
  const put = () => callFhir(nurse, 'PUT', `Patient/${id}`, { body: { resourceType: 'Patient', id } });
  expect((await put()).headers.get('etag')).toBe('W/"2"');
  expect((await put()).headers.get('etag')).toBe('W/"2"');
  expect(await accountsOf(`Patient/${id}`)).toEqual([NORTH]);
  const accounts = Array.from({ length: 100 }, (_, at) => ({ reference: `Organization/o${at}` }));
  const full = (await create(admin, { accounts })).body;
  const body = { resourceType: 'Patient', id: full.id, active: true };
  const refused = await callFhir(nurse, 'PUT', `Patient/${full.id}`, { body });
  expectIssue(refused, 400, 'invalid', 'Resource.meta.accounts');
});

test('several values are several accounts, the last entry with one decides, and one without a value grants nothing', async () => {
  const house = await makePolicy({ ...AT_HOME, resource: [{ resourceType: 'Patient' }] });
  const own = await makePolicy({
    ...AT_HOME,
    compartment: { reference: '%profile' },
    resource: [{ resourceType: 'Patient' }],
  });
  const of = async (caller: Caller) => accountsOf(`Patient/${(await create(caller)).body.id}`);
  expect(await of(await memberWith([entry(house, NORTH, SOUTH)]))).toEqual([NORTH, SOUTH]);
  const both = await memberWith([entry(house, NORTH), entry(own)]);
  expect(await of(both)).toEqual([both.profile]);
  expect(await of(await memberWith([entry(own), entry(house, NORTH)]))).toEqual([NORTH]);
  const past = { ...entry(own), period: { end: '2020-01-01' } };
  expect(await of(await memberWith([entry(house, NORTH), past]))).toEqual([NORTH]);
  expect((await create(await memberWith([entry(house)]))).status).toBe(403);
  expect((await create(await memberWith([entry(house, 'https://example.org/Organization/1')]))).status).toBe(403);
  const byId = await makePolicy({
    ...AT_HOME,
    compartment: { reference: 'Group/%organization.id' },
    resource: [{ resourceType: 'Patient' }],
  });
  expect(await of(await memberWith([entry(byId, NORTH)]))).toEqual(['Group/north']);
});

test.each([
  '%now',
  'Organization',
  'Nothing/%organization',
  '%organization.id',
  'https://example.org/Organization/1',
  '%a%b',
])('the compartment %s is refused when it is saved', async (reference) => {
  const answer = await callFhir(admin, 'POST', 'AccessPolicy', { body: { ...AT_HOME, compartment: { reference } } });
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.issue[0].expression[0]).toMatch(/^AccessPolicy\.compartment/);
});
