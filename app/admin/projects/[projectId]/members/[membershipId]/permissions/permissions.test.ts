import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { MemberPermissions, Permissions } from '#lib/protocol/policies/answers.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;

beforeAll(async () => {
  project = await makeFhirProject();
});

const pathOf = ({ membershipId }: Pick<Caller, 'membershipId'>) =>
  `/admin/projects/${project.projectId}/members/${membershipId}/permissions`;

async function permissions(member: Caller): Promise<MemberPermissions> {
  const { status, text, body } = await callApi(project.admin.authorization, 'GET', pathOf(member));
  expect(status, text).toBe(200);
  return body;
}

const RULES = [
  {
    resourceType: 'Patient',
    criteria: 'Patient?organization=Organization/1',
    readonly: true,
    hiddenFields: ['address'],
  },
  { resourceType: 'Observation' },
  { resourceType: 'Observation', criteria: 'Observation?performer=%nobody' },
  {
    resourceType: 'Task',
    writeConstraint: [{ language: 'text/fhirpath', expression: "%after.status != 'secret-status'" }],
  },
];

const TASKS = 'read, search, create, change and delete Tasks';

describe('GET /admin/projects/[projectId]/members/[membershipId]/permissions', () => {
  test('200 each type and interaction as requests go, with the rules in words, and those that grant nothing', async () => {
    const member = await project.member(RULES);
    const body = await permissions(member);
    expect(body).toMatchObject({ state: 'open', isUnlimited: false, isPlaced: false, left: 0, admin: false });
    const types = new Map(body.types.map((each) => [each.type, each]));
    const [patient, observation, task] = ['Patient', 'Observation', 'Task'].map((type) => types.get(type)!);
    expect(patient!.interactions).toMatchObject({ read: 'some', search: 'some', create: 'none', delete: 'none' });
    expect(patient!.rules).toMatchObject([
      {
        by: 'policy',
        index: 0,
        policy: { display: 'Test' },
        text: 'read and search Patients whose organization is Organization/1; without seeing address',
        interactions: ['read', 'vread', 'history', 'search'],
        hidden: ['address'],
        readonly: [],
      },
    ]);
    expect(observation!.interactions).toMatchObject({ read: 'all', create: 'all', delete: 'all' });
    expect(task!.interactions).toMatchObject({ read: 'all', create: 'some', update: 'some', delete: 'all' });
    expect(types.get('SearchParameter')!.rules).toMatchObject([{ by: 'role' }]);
    expect(types.has('Encounter')).toBe(false);
    expect(body.idle).toMatchObject([{ index: 2, text: expect.stringContaining('whose performer is %nobody') }]);
    expect((await callFhir(member, 'GET', 'Observation')).status).toBe(200);
    expect((await callFhir(member, 'GET', 'Encounter')).status).toBe(403);
    expect((await callFhir(member, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).status).toBe(403);
  });

  test('200 of a policy that is given for several patients, each rule once, with all of them', async () => {
    const resource = [{ resourceType: 'Observation', criteria: 'Observation?subject=%patient' }];
    const policy = await callFhir(project.admin, 'POST', 'AccessPolicy', {
      body: { resourceType: 'AccessPolicy', name: 'Carer', resource },
    });
    const member = await project.member();
    const path = `/admin/projects/${project.projectId}/members/${member.membershipId}`;
    const access = ['a', 'b'].map((id) => ({
      policy: { reference: `AccessPolicy/${policy.body.id}` },
      parameter: [{ name: 'patient', valueReference: { reference: `Patient/${id}` } }],
    }));
    const { body: membership } = await callApi(project.admin.authorization, 'GET', path);
    const saved = await callApi(project.admin.authorization, 'POST', path, { body: { ...membership, access } });
    expect(saved.status, saved.text).toBe(200);
    const { types } = await permissions(member);
    expect(types.find(({ type }) => type === 'Observation')!.rules.map(({ text }) => text)).toEqual([
      'read, search, create, change and delete Observations whose subject is Patient/a or Patient/b',
    ]);
  });

  test('200 of who is limited by nothing, and of an administrator, what the role adds', async () => {
    const body = await permissions(await project.member());
    expect(body.isUnlimited).toBe(true);
    expect(body.types.find(({ type }) => type === '*')!.rules).toMatchObject([{ by: 'none', policy: null }]);
    const admin = await permissions(project.admin);
    const policies = admin.types.find(({ type }) => type === 'AccessPolicy');
    expect(policies).toMatchObject({ interactions: { update: 'all' }, rules: [{ by: 'role' }] });
  });

  test('403 for members, 404 for one of another project and none, 401 without a token', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    const other = await makeFhirProject();
    expectOutcome(await callApi(member.authorization, 'GET', pathOf(member)), 403);
    expectOutcome(await callApi(project.admin.authorization, 'GET', pathOf(other.admin)), 404);
    expectOutcome(await callApi(project.admin.authorization, 'GET', pathOf({ membershipId: newId() })), 404);
    expectOutcome(await callApi(project.admin.authorization, 'GET', pathOf({ membershipId: 'x' })), 404);
    expect((await callApi(undefined, 'GET', pathOf(member))).status).toBe(401);
  });
});

describe('GET /auth/me/permissions', () => {
  test('200 the same in words, without which policies they are, what else these say, and how a change is judged', async () => {
    const member = await project.member(RULES);
    const { status, text, body } = await callApi(member.authorization, 'GET', '/auth/me/permissions');
    expect(status, text).toBe(200);
    const own: Permissions = body;
    const types = new Map(own.types.map((each) => [each.type, each.rules.map((rule) => rule.text)]));
    expect(types.get('Patient')).toEqual([
      'read and search Patients whose organization is Organization/1; without seeing address',
    ]);
    expect(types.get('Task')).toEqual([`${TASKS}; a change only as the policy wants it`]);
    expect(own.idle).toEqual([]);
    expect(
      own.types.flatMap(({ rules }) => rules).every(({ policy, index }) => policy === null && index === null),
    ).toBe(true);
    for (const hidden of ['"Test"', 'AccessPolicy/', 'secret-status', '%nobody']) expect(text).not.toContain(hidden);
    expect((await callApi(undefined, 'GET', '/auth/me/permissions')).status).toBe(401);
  });
});
