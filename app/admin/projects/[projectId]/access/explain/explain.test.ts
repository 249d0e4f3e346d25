import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;

async function ask(body: object, authorization = project.admin.authorization, projectId = project.projectId) {
  return callApi(authorization, 'POST', `/admin/projects/${projectId}/access/explain`, { body });
}

const of = ({ membershipId }: Caller) => ({ membership: `ProjectMembership/${membershipId}` });

async function make(gender: string, more: object = {}): Promise<string> {
  const { body } = await callFhir(project.admin, 'POST', 'Patient', {
    body: { resourceType: 'Patient', gender, ...more },
  });
  return body.id;
}

beforeAll(async () => {
  project = await makeFhirProject();
});

const POLICIES: Record<string, AccessPolicyRule[] | undefined> = {
  'no policy': undefined,
  'every type': [{ resourceType: '*' }],
  'another type': [{ resourceType: 'Observation' }],
  'read only': [{ resourceType: 'Patient', readonly: true }],
  'create and nothing else': [{ resourceType: 'Patient', interaction: ['create'] }],
  'read some, change all': [
    { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['read'] },
    { resourceType: 'Patient', interaction: ['update', 'delete', 'search'] },
  ],
  'of criteria': [{ resourceType: 'Patient', criteria: 'Patient?gender=female' }],
  'read all, change some': [
    { resourceType: 'Patient', readonly: true },
    { resourceType: 'Patient', criteria: 'Patient?gender=female' },
  ],
  'hidden fields': [{ resourceType: 'Patient', hiddenFields: ['birthDate'], readonlyFields: ['active'] }],
  'a constraint': [
    {
      resourceType: 'Patient',
      writeConstraint: [{ language: 'text/fhirpath', expression: "%after.gender = 'female'" }],
    },
  ],
  'a rule that is over': [{ resourceType: 'Patient', criteria: 'Patient?no-such-parameter=1' }],
};

const BODIES = { female: { gender: 'female' }, male: { gender: 'male' } };

type Op = { name: string; asked: object; real: (caller: Caller) => Promise<Answer> };

/** What is asked of an own resource, so that no request stands in the way of another. */
async function operations(): Promise<Op[]> {
  const ops: Op[] = [];
  const resourceType = 'Patient';
  for (const gender of ['female', 'male'] as const) {
    const id = await make(gender);
    const doomed = await make(gender);
    const at = (interaction: string, more: object = {}) => ({ interaction, resourceType, id, ...more });
    const path = `Patient/${id}`;
    const resource = { resourceType, id, ...BODIES[gender === 'female' ? 'male' : 'female'] };
    ops.push(
      { name: `read ${gender}`, asked: at('read'), real: (who) => callFhir(who, 'GET', path) },
      {
        name: `vread ${gender}`,
        asked: at('vread', { versionId: '1' }),
        real: (who) => callFhir(who, 'GET', `${path}/_history/1`),
      },
      {
        name: `vread none ${gender}`,
        asked: at('vread', { versionId: '9' }),
        real: (who) => callFhir(who, 'GET', `${path}/_history/9`),
      },
      { name: `history ${gender}`, asked: at('history'), real: (who) => callFhir(who, 'GET', `${path}/_history`) },
      {
        name: `update ${gender} to nothing else`,
        asked: at('update', { resource: { resourceType, id, gender } }),
        real: (who) => callFhir(who, 'PUT', path, { body: { resourceType, id, gender } }),
      },
      {
        name: `create ${gender}`,
        asked: { interaction: 'create', resourceType, resource: { resourceType, gender } },
        real: (who) => callFhir(who, 'POST', 'Patient', { body: { resourceType, gender } }),
      },
      {
        name: `delete ${gender}`,
        asked: { interaction: 'delete', resourceType, id: doomed },
        real: (who) => callFhir(who, 'DELETE', `Patient/${doomed}`),
      },
      {
        name: `update ${gender} to the other`,
        asked: at('update', { resource }),
        real: (who) => callFhir(who, 'PUT', path, { body: resource }),
      },
    );
  }
  ops.push({
    name: 'search',
    asked: { interaction: 'search', resourceType, query: 'birthdate=1980' },
    real: (who) => callFhir(who, 'GET', 'Patient?birthdate=1980'),
  });
  return ops;
}

describe('POST /admin/projects/[projectId]/access/explain', () => {
  test.each(Object.keys(POLICIES))('of every interaction as the request itself is answered: %s', async (name) => {
    const member = await project.member(POLICIES[name]);
    const different: unknown[] = [];
    for (const { name: op, asked, real } of await operations()) {
      const told = await ask({ ...of(member), ...asked });
      expect(told.status, told.text).toBe(200);
      const { status, body } = await real(member);
      const text = status < 400 ? undefined : body.issue[0].details.text;
      if (told.body.status !== status) different.push([op, told.body.status, status, told.body.text]);
      if (text !== undefined && told.body.text !== text) different.push([op, told.body.text, text]);
    }
    expect(different).toEqual([]);
  });

  test('nothing of what is explained is done, and no read is noted in the member’s name', async () => {
    const id = await make('female');
    const settings = `/admin/projects/${project.projectId}/settings`;
    await callApi(project.admin.authorization, 'POST', settings, {
      body: [{ name: 'auditReads', valueBoolean: true }],
    });
    const member = await project.member();
    const resource = { resourceType: 'Patient', gender: 'male' };
    const count = async () => (await callFhir(project.admin, 'GET', 'Patient?_summary=count')).body.total;
    const before = await count();
    await ask({ ...of(member), interaction: 'create', resourceType: 'Patient', resource });
    await ask({ ...of(member), interaction: 'update', resourceType: 'Patient', id, resource });
    await ask({ ...of(member), interaction: 'delete', resourceType: 'Patient', id });
    await ask({ ...of(member), interaction: 'read', resourceType: 'Patient', id });
    const { body } = await callFhir(project.admin, 'GET', `Patient/${id}`);
    expect(body).toMatchObject({ gender: 'female', meta: { versionId: '1' } });
    expect(await count()).toBe(before);
    const rows = await db().execute(
      sql`select from audit_event where project_id = ${project.projectId} and actor_membership = ${member.membershipId}`,
    );
    expect(rows).toHaveLength(0);
  });

  test('names the rule that decided, in words with its parameters, and the fields', async () => {
    const { body: policy } = await callFhir(project.admin, 'POST', 'AccessPolicy', {
      body: {
        resourceType: 'AccessPolicy',
        name: 'Ward',
        resource: [
          { resourceType: 'Patient', criteria: 'Patient?gender=%gender', interaction: ['read'] },
          { resourceType: 'Patient', readonly: true, hiddenFields: ['birthDate', 'address'] },
        ],
      },
    });
    const member = await project.member([]);
    const access = [
      { policy: { reference: `AccessPolicy/${policy.id}` }, parameter: [{ name: 'gender', valueString: 'female' }] },
    ];
    const path = `/admin/projects/${project.projectId}/members/${member.membershipId}`;
    const { body: membership } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
    const { accessPolicy: _whole, ...rest } = membership;
    const put = await callApi(project.admin.authorization, 'POST', path, { body: { ...rest, access } });
    expect(put.status, put.text).toBe(200);
    const [female, male] = [await make('female'), await make('male')];
    const asked = { ...of(member), interaction: 'read', resourceType: 'Patient' };
    const first = (await ask({ ...asked, id: female })).body;
    expect(first).toMatchObject({ outcome: 'allow', rule: 0, hidden: ['birthDate', 'address'] });
    expect(first.rules[0]).toEqual({
      policy: { reference: `AccessPolicy/${policy.id}`, display: 'Ward' },
      index: 0,
      text: 'May read the current version of Patients whose gender is female',
      covers: true,
      holds: true,
    });
    const second = (await ask({ ...asked, id: male })).body;
    expect(second).toMatchObject({ outcome: 'allow', rule: 1, hidden: ['birthDate', 'address'] });
    expect(second.rules.map(({ holds }: { holds: boolean }) => holds)).toEqual([false, true]);
    expect((await ask(asked)).body).toMatchObject({ outcome: 'allow' });
    const written = (await ask({ ...asked, interaction: 'update', id: male })).body;
    expect(written).toMatchObject({ outcome: 'deny', status: 403, rule: null });
    expect(written.conjuncts.at(-1)).toMatchObject({ name: 'rules', isMet: false });
  });

  test('of a search, which of the first records are seen, by which rule, and what is hidden of each', async () => {
    const family = `Rows${newId().slice(0, 8)}`;
    const [female, male] = [await make('female', { name: [{ family }] }), await make('male', { name: [{ family }] })];
    const member = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['birthDate'] },
    ]);
    const { body } = await ask({
      ...of(member),
      interaction: 'search',
      resourceType: 'Patient',
      query: `family=${family}&_sort=_lastUpdated`,
    });
    expect(body).toMatchObject({ outcome: 'rows', status: 200 });
    expect(body.rows).toEqual([
      { reference: `Patient/${female}`, isSeen: true, rule: 0, hidden: ['birthDate'] },
      { reference: `Patient/${male}`, isSeen: false, rule: null, hidden: [] },
    ]);
  });

  test('which constraints of a change failed', async () => {
    const member = await project.member(POLICIES['a constraint']);
    const id = await make('female');
    const resource = { resourceType: 'Patient', gender: 'male' };
    const { body } = await ask({ ...of(member), interaction: 'update', resourceType: 'Patient', id, resource });
    expect(body).toMatchObject({ outcome: 'deny', status: 403 });
    expect(body.constraints).toMatchObject([{ index: 0, constraint: 0, expression: "%after.gender = 'female'" }]);
    expect(body.conjuncts.at(-1)).toMatchObject({ name: 'constraints', isMet: false });
  });

  test('a draft alone, in the place of the one that it changes, and in the place of all', async () => {
    const resource = [{ resourceType: 'Patient', readonly: true }];
    const draft = { resourceType: 'AccessPolicy', name: 'Draft', resource };
    const asked = { interaction: 'delete', resourceType: 'Patient' };
    expect((await ask({ ...asked, policy: draft })).body).toMatchObject({ outcome: 'deny', status: 403 });
    expect((await ask({ ...asked, interaction: 'read', policy: draft })).body).toMatchObject({ outcome: 'allow' });
    const member = await project.member([{ resourceType: 'Patient' }]);
    expect((await ask({ ...of(member), ...asked })).body.outcome).toBe('allow');
    expect((await ask({ ...of(member), ...asked, policy: draft })).body.outcome).toBe('deny');
    const { body } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
    const id = body.accessPolicy.reference.slice('AccessPolicy/'.length);
    const told = (await ask({ ...of(member), ...asked, policy: { ...draft, id } })).body;
    expect(told).toMatchObject({
      outcome: 'deny',
      rules: [{ policy: { reference: `AccessPolicy/${id}`, display: 'Draft' } }],
    });
  });

  test('the scope of a token and the address are judged beside the rules', async () => {
    const places = [
      { value: '203.0.113.0/24', action: 'allow' as const },
      { value: '*', action: 'block' as const },
    ];
    const member = await project.member([{ resourceType: 'Patient' }], {}, { ipAccessRule: places });
    const id = await make('female');
    const asked = { ...of(member), interaction: 'update', resourceType: 'Patient', id };
    const scoped = (await ask({ ...asked, scope: 'user/Patient.rs' })).body;
    expect(scoped).toMatchObject({ outcome: 'deny', status: 403 });
    expect(scoped.conjuncts).toContainEqual(expect.objectContaining({ name: 'scope', isMet: false }));
    expect(scoped.conjuncts).toContainEqual(expect.objectContaining({ name: 'address', isMet: null }));
    const from = async (address: string) => (await ask({ ...asked, address })).body.status;
    expect([await from('203.0.113.9'), await from('198.51.100.1')]).toEqual([200, 403]);
  });

  test('a membership that is not active, or names a policy that is not there, may nothing', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    const asked = { ...of(member), interaction: 'read', resourceType: 'Patient' };
    const { body } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
    await db().execute(
      sql`update resource set deleted = true where project_id = ${project.projectId} and id = ${body.accessPolicy.reference.slice(13)}`,
    );
    const broken = (await ask(asked)).body;
    expect(broken).toMatchObject({ outcome: 'deny', status: 400, conjuncts: [{ name: 'policies', isMet: false }] });
    const other = await project.member();
    const path = `/admin/projects/${project.projectId}/members/${other.membershipId}`;
    const { body: membership } = await callFhir(project.admin, 'GET', `ProjectMembership/${other.membershipId}`);
    expect(
      (await callApi(project.admin.authorization, 'POST', path, { body: { ...membership, active: false } })).status,
    ).toBe(200);
    const told = (await ask({ ...asked, ...of(other) })).body;
    expect(told).toMatchObject({ outcome: 'deny', status: 401, conjuncts: [{ name: 'membership', isMet: false }] });
  });

  test('400 for what is not understood, by its name', async () => {
    const member = of(project.admin);
    const asked = { ...member, interaction: 'read', resourceType: 'Patient' };
    const faults: [object, string][] = [
      [{ interaction: 'read', resourceType: 'Patient' }, 'membership'],
      [{ ...asked, interaction: 'patch' }, 'interaction'],
      [{ ...asked, resourceType: 'Nothing' }, 'resourceType'],
      [{ ...asked, query: 'name=x' }, 'query'],
      [{ ...asked, versionId: '1' }, 'versionId'],
      [{ ...asked, id: 'x', resource: { resourceType: 'Patient' } }, 'resource'],
      [{ ...asked, interaction: 'search', id: 'x' }, 'id'],
      [{ ...asked, parameter: [] }, 'parameter'],
      [{ ...asked, address: 'x' }, 'address'],
      [{ ...asked, resourceType: 'Binary', interaction: 'update', id: 'x' }, 'resourceType'],
      [{ ...asked, more: 1 }, ''],
      [{ ...asked, interaction: 'search', query: '_count=5' }, 'query'],
    ];
    for (const [body, expression] of faults) {
      const answer = await ask(body);
      expect(answer.status, answer.text).toBe(400);
      if (expression) expect(answer.body.issue[0].expression).toEqual([expression]);
    }
    const wrong = { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Patient', criteria: 'Patient?x=1' }] };
    expectOutcome(await ask({ ...asked, policy: wrong }), 400, 'AccessPolicy.resource[0].criteria');
  });

  test('404 for a membership or record of another project, or of none', async () => {
    const other = await makeFhirProject();
    const asked = { interaction: 'read', resourceType: 'Patient' };
    expectOutcome(await ask({ ...of(other.admin), ...asked }), 404);
    expectOutcome(await ask({ ...of(project.admin), ...asked, id: newId() }), 404);
    const { body } = await callFhir(other.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } });
    expectOutcome(await ask({ ...of(project.admin), ...asked, id: body.id }), 404);
  });

  test('403 for who is no administrator of the project', async () => {
    const member = await project.member();
    const other = await makeFhirProject();
    const asked = { ...of(member), interaction: 'read', resourceType: 'Patient' };
    for (const { authorization } of [member, other.admin]) expectOutcome(await ask(asked, authorization), 403);
  });

  test('an administrator whom a policy limits asks about types, and about no record, whatever the type', async () => {
    const id = await make('male');
    const member = await project.member();
    const limits: AccessPolicyRule[][] = [
      [{ resourceType: 'Patient', criteria: 'Patient?gender=female' }, { resourceType: 'Observation' }],
      [{ resourceType: '*' }, { resourceType: 'Patient', hiddenFields: ['birthDate'] }],
      [{ resourceType: '*', interaction: ['read'] }],
    ];
    for (const rules of limits) {
      const { authorization } = await project.member(rules, { admin: true });
      const ofType = { ...of(member), interaction: 'read', resourceType: 'Patient' };
      expect((await ask(ofType, authorization)).body).toMatchObject({ outcome: 'allow' });
      const ofRecords = [
        { ...ofType, id },
        { ...ofType, interaction: 'search', query: 'birthdate=1980' },
        { ...ofType, interaction: 'search', resourceType: 'Observation', query: '' },
        { ...ofType, interaction: 'create', resource: { resourceType: 'Patient' } },
      ];
      for (const asked of ofRecords) expectOutcome(await ask(asked, authorization), 403);
    }
  });

  test('nor does one who had all of it once, or will: what is not in force shows no record', async () => {
    const id = await make('male');
    const { id: all } = (
      await callFhir(project.admin, 'POST', 'AccessPolicy', {
        body: { resourceType: 'AccessPolicy', name: 'All', resource: [{ resourceType: '*' }] },
      })
    ).body;
    const member = await project.member();
    for (const period of [{ end: '2020-01-31' }, { start: '2099-01-01' }, { end: '2099-01-01' }]) {
      const limited = await project.member([{ resourceType: 'Task' }], { admin: true });
      const path = `/admin/projects/${project.projectId}/members/${limited.membershipId}`;
      const value = [{ policy: { reference: `AccessPolicy/${all}` }, period }];
      const body = [{ op: 'add', path: '/access', value }];
      expect((await callApi(project.admin.authorization, 'PATCH', path, { body })).status).toBe(200);
      const asked = { ...of(member), interaction: 'read', resourceType: 'Patient', id };
      expectOutcome(await ask(asked, limited.authorization), 403);
    }
  });
});
