import { beforeAll, expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let policy: string;
let member: Caller & { membershipId?: string };

beforeAll(async () => {
  project = await makeFhirProject();
  const resource = [{ resourceType: 'Patient', readonly: true }];
  const made = await callFhir(project.admin, 'POST', 'AccessPolicy', {
    body: { resourceType: 'AccessPolicy', name: 'Locum', resource },
  });
  policy = `AccessPolicy/${made.body.id}`;
  member = await project.member([{ resourceType: 'Observation' }]);
});

async function give(period: object) {
  return change([{ op: 'add', path: '/access', value: [{ policy: { reference: policy }, period }] }]);
}

function change(body: object[]) {
  const path = `/admin/projects/${project.projectId}/members/${member.membershipId}`;
  return callApi(project.admin.authorization, 'PATCH', path, { body });
}

test('a policy is given from one day until another: before and after it a session that is open has nothing by it', async () => {
  const status = async () => (await callFhir(member, 'GET', 'Patient')).status;
  expect(await status()).toBe(403);
  expect((await give({ start: '2020-01-01', end: '2999-12-31' })).status).toBe(200);
  expect(await status()).toBe(200);
  expect((await give({ end: '2020-01-01' })).status).toBe(200);
  expect(await status()).toBe(403);
  expect((await give({ start: '2999-01-01' })).status).toBe(200);
  expect(await status()).toBe(403);
  expect((await callFhir(member, 'GET', 'Observation')).status).toBe(200);
});

test('who has nothing but what is over has nothing: no policy in force is not no policy', async () => {
  const access = [{ policy: { reference: policy }, period: { end: '2020-01-01' } }];
  const patch = [
    { op: 'remove', path: '/accessPolicy' },
    { op: 'add', path: '/access', value: access },
  ];
  expect((await change(patch)).status).toBe(200);
  const seen = await Promise.all(['Patient', 'Observation'].map((type) => callFhir(member, 'GET', type)));
  expect(seen.map(({ status }) => status)).toEqual([403, 403]);
});

test.each([
  [{ start: '2020-02-01', end: '2020-01-01' }, 'end'],
  [{ start: '0000-01-01' }, 'start'],
])('dates that cannot be are refused by their name: %o', async (period, at) => {
  const answer = await give(period);
  expect([answer.status, answer.body.issue[0].expression]).toEqual([400, [`ProjectMembership.access[0].period.${at}`]]);
});
