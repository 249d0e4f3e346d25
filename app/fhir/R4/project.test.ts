import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

let project: FhirProject;
let admin: Caller;
let superAdmin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  superAdmin = (await makeFhirProject(true)).admin;
});

describe('ProjectMembership', () => {
  test('is read and not written: 405 names the admin endpoint, 403 for who is no administrator', async () => {
    const read = await callFhir(admin, 'GET', `ProjectMembership/${admin.membershipId}`);
    expect([read.status, read.body.admin]).toEqual([200, true]);
    const member = await project.member();
    const calls: [string, string, string][] = [
      ['POST', 'ProjectMembership', 'invite'],
      ['PUT', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['PATCH', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['DELETE', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['DELETE', `ProjectMembership?_id=${admin.membershipId}`, '/members/'],
      ['PUT', `ProjectMembership?_id=${admin.membershipId}`, '/members/'],
    ];
    for (const [method, path, text] of calls) {
      const call =
        method === 'PATCH'
          ? { body: '[]', headers: { 'content-type': 'application/json-patch+json' } }
          : { body: read.body };
      const answer = await callFhir(admin, method, path, call);
      expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.body.issue[0].details.text).toContain(text);
      expect((await callFhir(member, method, path, call)).status).toBe(403);
    }
  });
});

describe('Project', () => {
  const own = () => callFhir(admin, 'GET', `Project/${project.projectId}`);

  test('an administrator sees the own one, without what is the server’s', async () => {
    const { status, body } = await own();
    expect([status, body.name]).toEqual([200, 'Test']);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['superAdmin', 'strictMode', 'systemSecret']));
    expect((await callFhir(admin, 'GET', 'Project')).body.entry.length).toBe(1);
    const other = await makeFhirProject();
    expect((await callFhir(other.admin, 'GET', `Project/${project.projectId}`)).status).toBe(404);
    expect((await callFhir(superAdmin, 'GET', `Project/${project.projectId}`)).body.name).toBe('Test');
    expect((await callFhir(superAdmin, 'GET', 'Project/not-a-uuid')).status).toBe(404);
  });

  test('an administrator changes the description, and not the features, the owner or its rank', async () => {
    const { body } = await own();
    const changed = {
      ...body,
      description: 'New',
      features: ['x'],
      superAdmin: true,
      strictMode: false,
      active: false,
    };
    const put = await callFhir(admin, 'PUT', `Project/${project.projectId}`, { body: changed });
    expect([put.status, put.body.description, put.body.features]).toEqual([200, 'New', body.features]);
    const stored = (await callFhir(superAdmin, 'GET', `Project/${project.projectId}`)).body;
    expect([stored.superAdmin, stored.strictMode, stored.active]).toEqual([undefined, undefined, undefined]);
  });

  test('403 names the owner when an administrator changes or removes it, and nothing else of the request is done', async () => {
    const world = await createWorld();
    const path = `/fhir/R4/Project/${world.projectId}`;
    const ben = await world.invite({ admin: true });
    const { body } = await callApi(world.owner.bearer, 'GET', path);
    const type = { 'content-type': 'application/json-patch+json' };
    const description = { op: 'add', path: '/description', value: 'New' };
    const tries = [
      ['PATCH', [description, { op: 'replace', path: '/owner', value: ben.user }], type],
      ['PATCH', [description, { op: 'remove', path: '/owner' }], type],
      ['PUT', { ...body, owner: ben.user, description: 'New' }, {}],
    ] as const;
    for (const [method, change, headers] of tries) {
      const answer = await callApi(world.owner.bearer, method, path, { body: change, headers });
      expect([answer.status, answer.body.issue[0].expression]).toEqual([403, ['Project.owner']]);
    }
    const same = await callApi(world.owner.bearer, 'PUT', path, { body: { ...body, description: 'Newer' } });
    expect([same.status, same.body.owner, body.description]).toEqual([200, body.owner, undefined]);
  });

  test('400 for a name that would break a line, or turn the text after it', async () => {
    for (const name of ['Two\nlines', 'Tab\there', 'moc.\u202eelpmaxe', 'x'.repeat(129)]) {
      const { status, body } = await callFhir(admin, 'PUT', `Project/${project.projectId}`, {
        body: { ...(await own()).body, name },
      });
      expect([name, status, body.issue[0].expression]).toEqual([name, 400, ['Project.name']]);
    }
  });

  test('400 for secrets and for a default policy of another project', async () => {
    const { body } = await own();
    const put = (more: object) =>
      callFhir(admin, 'PUT', `Project/${project.projectId}`, { body: { ...body, ...more } });
    const secret = await put({ secret: [{ name: 'a', valueString: 'b' }] });
    expect([secret.status, secret.body.issue[0].expression]).toEqual([400, ['Project.secret']]);
    const foreign = (await callFhir((await makeFhirProject()).admin, 'GET', 'AccessPolicy')).body.entry[0].resource.id;
    const policy = await put({
      defaultAccessPolicies: [{ profileType: 'Patient', accessPolicy: { reference: `AccessPolicy/${foreign}` } }],
    });
    expect([policy.status, policy.body.issue[0].expression]).toEqual([
      400,
      ['Project.defaultAccessPolicies[0].accessPolicy'],
    ]);
  });

  test('made by a super-admin only, never deleted, never made a root', async () => {
    const body = { resourceType: 'Project', name: 'Fresh' };
    const made = await callFhir(superAdmin, 'POST', 'Project', { body });
    expect([made.status, made.body.name]).toEqual([201, 'Fresh']);
    expect((await callFhir(admin, 'POST', 'Project', { body })).status).toBe(403);
    expect((await callFhir(superAdmin, 'POST', 'Project', { body: { resourceType: 'Project' } })).status).toBe(400);
    expect((await callFhir(admin, 'DELETE', `Project/${project.projectId}`)).status).toBe(405);
    const read = await callFhir(superAdmin, 'GET', `Project/${made.body.id}`);
    const put = await callFhir(superAdmin, 'PUT', `Project/${made.body.id}`, {
      body: { ...read.body, superAdmin: true, features: ['bots', 'cron'] },
    });
    expect([put.status, put.body.features, put.body.superAdmin]).toEqual([200, ['bots', 'cron'], undefined]);
  });

  test('switching one off ends its callers’ sessions', async () => {
    const doomed = await makeFhirProject();
    const read = await callFhir(superAdmin, 'GET', `Project/${doomed.projectId}`);
    expect((await callFhir(doomed.admin, 'GET', 'Patient')).status).toBe(200);
    await callFhir(superAdmin, 'PUT', `Project/${doomed.projectId}`, { body: { ...read.body, active: false } });
    expect((await callFhir(doomed.admin, 'GET', 'Patient')).status).toBe(401);
  });
});

describe('AccessPolicy', () => {
  const policy = (rule: object) => ({ resourceType: 'AccessPolicy', name: 'P', resource: [rule] });

  test('a change of it reaches its members with the next request', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    expect((await callFhir(member, 'GET', 'Patient')).status).toBe(200);
    const membership = (await callFhir(admin, 'GET', `ProjectMembership/${member.membershipId}`)).body;
    const path = membership.accessPolicy.reference;
    const stored = (await callFhir(admin, 'GET', path)).body;
    await callFhir(admin, 'PUT', path, { body: { ...stored, resource: [{ resourceType: 'Practitioner' }] } });
    expect((await callFhir(member, 'GET', 'Patient')).status).toBe(403);
  });

  test.each([
    [{ resourceType: 'Patient', criteria: 'Patient?nosuch=1' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Patient', criteria: 'Patient?organization.nosuch=ann' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Patient', criteria: 'Practitioner?_id=1' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: '*', criteria: '*?_tag=x' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Nonsense' }, 'AccessPolicy.resource[0].resourceType'],
  ])('400 for %j', async (rule, expression) => {
    const answer = await callFhir(admin, 'POST', 'AccessPolicy', { body: policy(rule) });
    expect([answer.status, answer.body.issue[0].expression]).toEqual([400, [expression]]);
  });

  test('409 while a membership or the project uses it, and gone after', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    const path = (await callFhir(admin, 'GET', `ProjectMembership/${member.membershipId}`)).body.accessPolicy.reference;
    const used = await callFhir(admin, 'DELETE', path);
    expect(used.status).toBe(409);
    expect(used.body.issue[0].details.text).toContain(`ProjectMembership/${member.membershipId}`);
    const fallback = (await callFhir(admin, 'GET', `Project/${project.projectId}`)).body.defaultAccessPolicies[0];
    expect((await callFhir(admin, 'DELETE', fallback.accessPolicy.reference)).status).toBe(409);
    const free = (await callFhir(admin, 'POST', 'AccessPolicy', { body: policy({ resourceType: 'Patient' }) })).body;
    expect((await callFhir(admin, 'DELETE', `AccessPolicy/${free.id}`)).status).toBe(200);
    expect((await callFhir(admin, 'PUT', `AccessPolicy/${free.id}`, { body: free })).status).toBe(410);
  });

  test('an administrator whom it limits cannot widen it', async () => {
    const limited = await project.member([{ resourceType: 'Patient' }], { admin: true });
    const path = (await callFhir(admin, 'GET', `ProjectMembership/${limited.membershipId}`)).body.accessPolicy
      .reference;
    const stored = (await callFhir(limited, 'GET', path)).body;
    const wider = { ...stored, resource: [{ resourceType: '*' }] };
    expect((await callFhir(limited, 'PUT', path, { body: wider })).status).toBe(403);
    expect((await callFhir(admin, 'PUT', path, { body: wider })).status).toBe(200);
  });

  test('leaves an audit row with before and after', async () => {
    const made = (await callFhir(admin, 'POST', 'AccessPolicy', { body: policy({ resourceType: 'Patient' }) })).body;
    await callFhir(admin, 'PUT', `AccessPolicy/${made.id}`, { body: { ...made, name: 'Q' } });
    const rows = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `AccessPolicy/${made.id}`));
    expect(rows.map(({ action, actor }) => [action, actor]).sort()).toEqual([
      ['access-policy.create', admin.profile],
      ['access-policy.update', admin.profile],
    ]);
    expect(rows.find(({ action }) => action.endsWith('update'))).toMatchObject({
      before: { name: 'P' },
      after: { name: 'Q' },
    });
  });
});
