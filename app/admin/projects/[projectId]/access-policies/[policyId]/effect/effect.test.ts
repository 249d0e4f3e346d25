import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { counting } from '#lib/domain/sight/effect/count-records.ts';
import { comparing } from '#lib/domain/sight/effect/reckon-effect.ts';
import type { AccessEffect } from '#lib/protocol/policies/answers.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;

async function make(body: { resourceType: string; [name: string]: unknown }): Promise<string> {
  const made = await callFhir(project.admin, 'POST', body.resourceType, { body });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** Two male, three female, one without. */
beforeAll(async () => {
  project = await makeFhirProject();
  for (const gender of ['male', 'male', 'female', 'female', 'female', undefined]) {
    await make({ resourceType: 'Patient', ...(gender && { gender }) });
  }
});

async function policyOf(member: Caller): Promise<string> {
  const { body } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
  return body.accessPolicy.reference.slice('AccessPolicy/'.length);
}

async function ask(policyId: string, body: unknown, caller = project.admin) {
  const path = `/admin/projects/${project.projectId}/access-policies/${policyId}/effect`;
  return callApi(caller.authorization, 'POST', path, { body });
}

async function effect(policyId: string, resource: unknown[], caller = project.admin): Promise<AccessEffect> {
  const { status, text, body } = await ask(policyId, { resourceType: 'AccessPolicy', name: 'Test', resource }, caller);
  expect(status, text).toBe(200);
  return body;
}

const male = { resourceType: 'Patient', criteria: 'Patient?gender=male' };
const female = { resourceType: 'Patient', criteria: 'Patient?gender=female' };

describe('POST /admin/projects/[projectId]/access-policies/[policyId]/effect', () => {
  test('200 who is touched, and how many records of which types each gains and loses, as a search by them finds', async () => {
    const member = await project.member([male]);
    const policyId = await policyOf(member);
    const found = await effect(policyId, [{ ...female, readonly: true }, { resourceType: 'Observation' }]);
    expect(found).toMatchObject({ members: { count: 1, isExact: true }, types: ['Observation', 'Patient'], left: 0 });
    const [group] = found.groups;
    expect(group).toMatchObject({
      members: 1,
      first: [{ reference: `ProjectMembership/${member.membershipId}`, display: 'Caller' }],
      arePlacesChanged: false,
    });
    expect(group!.types).toMatchObject([
      {
        type: 'Observation',
        gains: ['read', 'search', 'create', 'change', 'delete'],
        loses: [],
        read: { gained: 0, lost: 0 },
      },
      {
        type: 'Patient',
        gains: [],
        loses: ['create', 'change', 'delete'],
        read: { gained: 3, lost: 2 },
        change: { gained: 0, lost: 2 },
      },
    ]);
    // Nothing was saved.
    expect((await callFhir(member, 'GET', 'Patient')).body.entry).toHaveLength(2);
  });

  test('200 nothing for a draft that says the same, in words of its own and at another moment', async () => {
    const rules = [{ resourceType: 'Patient', criteria: 'Patient?birthdate=le%now' }, male];
    const policyId = await policyOf(await project.member(rules));
    expect(await effect(policyId, rules)).toMatchObject({
      members: { count: 0 },
      types: [],
      groups: [],
      unchanged: 1,
    });
    const [group] = (await effect(policyId, [rules[0], { ...male, criteria: 'Patient?gender=male,male' }])).groups;
    expect(group?.types[0]?.read).toEqual({ gained: 0, lost: 0 });
  });

  test('200 hidden and read-only fields, constraints, addresses and every type that is there', async () => {
    const policyId = await policyOf(await project.member([{ resourceType: 'Patient', readonlyFields: ['name'] }]));
    const writeConstraint = [{ language: 'text/fhirpath', expression: '%after.active' }];
    const fields = await effect(policyId, [{ resourceType: 'Patient', hiddenFields: ['birthDate'], writeConstraint }]);
    expect(fields.groups[0]!.types).toMatchObject([
      {
        type: 'Patient',
        gains: [],
        loses: [],
        read: { gained: 0, lost: 0 },
        fields: { hides: ['birthDate'], shows: [], fixes: [], frees: ['name'] },
        isConstraintChanged: true,
      },
    ]);
    const every = await effect(policyId, [{ resourceType: '*', readonly: true }]);
    expect(every.types).toContain('ClientApplication');
    expect(every.groups[0]!.types.find(({ type }) => type === 'ClientApplication')!.read!.gained).toBeGreaterThan(0);
    const body = { resourceType: 'AccessPolicy', name: 'Test', ipAccessRule: [{ value: '*', action: 'block' }] };
    expect((await ask(policyId, body)).body.groups[0].arePlacesChanged).toBe(true);
  });

  test('200 members with the same rules and values are one group; others are counted with their own', async () => {
    const path = `/admin/projects/${project.projectId}`;
    const rules = [{ resourceType: 'Patient', criteria: 'Patient?gender=%gender' }];
    const policyId = await make({ resourceType: 'AccessPolicy', name: 'By gender', resource: rules });
    for (const gender of ['male', 'male', 'female']) {
      const member = await project.member();
      const url = `${path}/members/${member.membershipId}`;
      const { body } = await callApi(project.admin.authorization, 'GET', url);
      const access = [
        { policy: { reference: `AccessPolicy/${policyId}` }, parameter: [{ name: 'gender', valueString: gender }] },
      ];
      const saved = await callApi(project.admin.authorization, 'POST', url, { body: { ...body, access } });
      expect(saved.status, saved.text).toBe(200);
    }
    const draft = [{ resourceType: 'Patient' }];
    const { ms } = comparing;
    comparing.ms = -1;
    const some = await effect(policyId, draft);
    comparing.ms = ms;
    expect(some.members.isExact).toBe(false);
    expect(some.members.count).toBeLessThan(3);
    const { members, groups } = await effect(policyId, draft);
    expect(members).toEqual({ count: 3, isExact: true });
    expect(groups.map((group) => [group.members, group.types[0]!.read])).toEqual([
      [2, { gained: 4, lost: 0 }],
      [1, { gained: 3, lost: 0 }],
    ]);
  });

  test('200 what there is no time to count is not counted, and never a wrong number', async () => {
    const policyId = await policyOf(await project.member([male]));
    const before = counting.ms;
    counting.ms = 0;
    try {
      const { groups } = await effect(policyId, [female]);
      expect(groups[0]!.types[0]!.read).toEqual({ gained: null, lost: null });
    } finally {
      counting.ms = before;
    }
  });

  test('200 an administrator learns by no count of what their own policy hides', async () => {
    const policyId = await policyOf(await project.member([{ resourceType: 'Observation' }]));
    const gained = async (caller: Caller) => {
      const { groups } = await effect(policyId, [{ resourceType: 'Patient' }], caller);
      return groups[0]!.types.find(({ type }) => type === 'Patient')!.read!.gained;
    };
    expect(await gained(project.admin)).toBe(6);
    expect(await gained(await project.member([female], { admin: true }))).toBe(3);
    expect(await gained(await project.member([{ resourceType: 'Observation' }], { admin: true }))).toBe(null);
    const hidden = [{ resourceType: 'Patient', hiddenFields: ['gender'] }];
    expect(await gained(await project.member(hidden, { admin: true }))).toBe(null);
  });

  test('400 for what would be refused when it is saved, naming the field; 403, 404, 401', async () => {
    const member = await project.member([male]);
    const policyId = await policyOf(member);
    const draft = (rule: object) => ({ resourceType: 'AccessPolicy', name: 'Test', resource: [rule] });
    const wrong: [unknown, string][] = [
      [draft({ resourceType: 'Patient', criteria: 'Patient?nonsense=1' }), 'AccessPolicy.resource[0].criteria'],
      [draft({ resourceType: 'Nonsense' }), 'AccessPolicy.resource[0].resourceType'],
      [{ ...draft({ resourceType: 'Patient' }), id: newId() }, 'AccessPolicy.id'],
    ];
    for (const [body, name] of wrong) expectOutcome(await ask(policyId, body), 400, name);
    for (const body of [[], 'x', 1, null, { resourceType: 'Patient' }]) expectOutcome(await ask(policyId, body), 400);
    const good = draft({ resourceType: 'Patient' });
    expectOutcome(await ask(policyId, good, member), 403);
    expectOutcome(await ask(newId(), good), 404);
    expectOutcome(await ask('x', good), 404);
    const other = await makeFhirProject();
    expectOutcome(await ask(policyId, good, other.admin), 403);
    const path = `/admin/projects/${other.projectId}/access-policies/${policyId}/effect`;
    expectOutcome(await callApi(other.admin.authorization, 'POST', path, { body: good }), 404);
    expect((await callApi(undefined, 'POST', path, { body: good })).status).toBe(401);
  });
});

describe('POST /admin/projects/[projectId]/members/[membershipId]/effect', () => {
  async function askMember(member: Caller, body: unknown, caller = project.admin) {
    const path = `/admin/projects/${project.projectId}/members/${member.membershipId}/effect`;
    return callApi(caller.authorization, 'POST', path, { body });
  }

  test('200 what another access gives and takes, and another role', async () => {
    const member = await project.member([male]);
    const policy = { reference: `AccessPolicy/${await policyOf(await project.member([female]))}` };
    const { status, text, body } = await askMember(member, { access: [{ policy }] });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ members: { count: 1, isExact: true }, types: ['Patient'] });
    expect(body.groups[0].types[0]).toMatchObject({ read: { gained: 3, lost: 2 }, change: { gained: 3, lost: 2 } });
    const open = await askMember(member, {});
    expect(open.body.groups[0].types.find(({ type }: { type: string }) => type === 'Patient').read).toEqual({
      gained: 4,
      lost: 0,
    });
    const own = { reference: `AccessPolicy/${await policyOf(member)}` };
    expect((await askMember(member, { accessPolicy: own })).body).toMatchObject({
      members: { count: 0 },
      unchanged: 1,
    });
    expect((await askMember(member, { accessPolicy: own, admin: true })).body.types).toContain('AccessPolicy');
  });

  test('400 names what is wrong, policies that are not there as well; 403, 404', async () => {
    const member = await project.member([male]);
    const wrong: [unknown, string][] = [
      [{ accessPolicy: { reference: `AccessPolicy/${newId()}` } }, 'accessPolicy'],
      [{ access: [{ policy: { reference: 'Patient/1' } }] }, 'access[0].policy'],
      [{ access: [{}] }, 'access[0].policy'],
      [{ admin: 'yes' }, 'admin'],
      [{ nobody: 1 }, 'nobody'],
    ];
    for (const [body, name] of wrong) {
      const answer = await askMember(member, body);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.text).toContain(name);
    }
    expectOutcome(await askMember(member, {}, member), 403);
    expectOutcome(await askMember({ ...member, membershipId: newId() }, {}), 404);
  });
});
