import { beforeAll, describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { createSuperAdmin, createWorld } from '#lib/testing/world.ts';

let root: string;
beforeAll(async () => {
  root = await createSuperAdmin();
});

const create = (body: unknown, headers = {}, authorization: string | undefined = root) =>
  callApi(authorization, 'POST', '/admin/Project', { body, headers });

describe('201', () => {
  test('a project with its version in the headers, strict by default, bots on, and four default policies that exist', async () => {
    const made = await create({ resourceType: 'Project', name: '  Clinic  ' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      resourceType: 'Project',
      name: 'Clinic',
      strictMode: true,
      features: ['bots', 'cron'],
    });
    expect(made.body.meta).toMatchObject({ versionId: '1' });
    expect(made.headers.get('etag')).toBe('W/"1"');
    expect(made.headers.get('location')).toBe(`http://localhost:3999/fhir/R4/Project/${made.body.id}/_history/1`);
    const types = made.body.defaultAccessPolicies.map((item: { profileType: string }) => item.profileType);
    expect(types.sort()).toEqual(['Admin', 'Patient', 'Practitioner', 'RelatedPerson']);
  });

  test('with the trailing slash', async () => {
    const made = await callApi(root, 'POST', '/admin/Project/', { body: { resourceType: 'Project', name: 'Slash' } });
    expect(made.status).toBe(201);
  });

  test('the super-admin reaches it by its id', async () => {
    const made = await create({ resourceType: 'Project', name: 'Reached', strictMode: false });
    const read = await callApi(root, 'GET', `/admin/projects/${made.body.id}`);
    expect(read.body).toEqual({ project: { id: made.body.id, name: 'Reached', secret: [] } });
    expect(made.body.strictMode).toBe(false);
  });
});

describe('400', () => {
  test.each([
    ['no body', undefined, []],
    ['an array', [], []],
    ['another type', { resourceType: 'Patient', name: 'x' }, ['Project.resourceType']],
    ['no type and no name', {}, ['Project.name', 'Project.resourceType']],
    ['a blank name', { resourceType: 'Project', name: '  ' }, ['Project.name']],
    ['a name that is no text', { resourceType: 'Project', name: 5 }, ['Project.name']],
    ['a long name', { resourceType: 'Project', name: 'x'.repeat(129) }, ['Project.name']],
    ['strictMode as text', { resourceType: 'Project', name: 'x', strictMode: 'yes' }, ['Project.strictMode']],
    ['superAdmin', { resourceType: 'Project', name: 'x', superAdmin: true }, ['Project.superAdmin']],
    ['secrets', { resourceType: 'Project', name: 'x', secret: [{ name: 'a', valueString: 'b' }] }, ['Project.secret']],
    [
      'an owner that is not there',
      { resourceType: 'Project', name: 'x', owner: { reference: 'User/nobody' } },
      ['Project.owner'],
    ],
  ])('%s', async (_, body, expressions) => {
    expectOutcome(await create(body), 400, ...expressions);
  });

  test('an unknown property, as structure', async () => {
    const answer = await create({ resourceType: 'Project', name: 'x', colour: 'red' });
    expectOutcome(answer, 400);
    expect(answer.body.issue[0].code).toBe('structure');
  });

  test('malformed JSON', async () => {
    expectOutcome(await create('{"resourceType":'), 400);
  });
});

test('401 without credentials, with WWW-Authenticate', async () => {
  const answer = await callApi(undefined, 'POST', '/admin/Project', { body: {} });
  expectOutcome(answer, 401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
});

test('403 for a project administrator, before anything is validated', async () => {
  const world = await createWorld();
  expectOutcome(await create('{', {}, world.owner.bearer), 403);
});

describe('a super-admin client that has a policy', () => {
  const body = { resourceType: 'Project', name: 'Theirs' };

  test('that lets it create projects does that, and administers none', async () => {
    const superAdmins = await makeFhirProject(true);
    const { authorization } = await superAdmins.member([{ resourceType: 'Project', interaction: ['create'] }]);
    const made = await create(body, {}, authorization);
    expect(made.status).toBe(201);
    expectOutcome(await callApi(authorization, 'GET', `/admin/projects/${made.body.id}`), 403);
    const invite = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: 'a@example.com' };
    expectOutcome(
      await callApi(authorization, 'POST', `/admin/projects/${made.body.id}/invite`, { body: invite }),
      403,
    );
    expect((await callApi(authorization, 'GET', '/auth/me')).body.membership.admin).toBeFalsy();
  });

  test.each([
    ['every type', { resourceType: '*' }, 403],
    ['every type, as an administrator', { resourceType: '*' }, 200, true],
    ['to read every type, as an administrator', { resourceType: '*', readonly: true }, 403, true],
    ['no project', { resourceType: 'Patient' }, 403],
    ['to read projects', { resourceType: 'Project', readonly: true }, 403],
    ['some projects', { resourceType: 'Project', criteria: 'Project?name=Ours' }, 403],
    ['projects but for a field', { resourceType: 'Project', hiddenFields: ['secret'] }, 403],
    ['projects, whole', { resourceType: 'Project' }, 200],
    ['policies', { resourceType: 'AccessPolicy' }, 403],
  ])('that lets it have %s', async (_, rule, status, admin = false) => {
    const superAdmins = await makeFhirProject(true);
    const { authorization } = await superAdmins.member([rule], { admin });
    const { projectId } = await createWorld();
    expect((await callApi(authorization, 'GET', `/admin/projects/${projectId}`)).status).toBe(status);
  });
});

test('a super-admin whom a policy limits does not lift that, nor sends mail as an administrator, though they have every record', async () => {
  const superAdmins = await makeFhirProject(true);
  const rules = [{ resourceType: 'AccessPolicy' }, { resourceType: '*' }];
  const { authorization, membershipId } = await superAdmins.member(rules);
  const { accessPolicy } = (
    await callApi(superAdmins.admin.authorization, 'GET', `/fhir/R4/ProjectMembership/${membershipId}`)
  ).body;
  const { body } = await callApi(authorization, 'GET', `/fhir/R4/${accessPolicy.reference}`);
  const wider = { ...body, resource: [{ resourceType: 'Project' }, ...rules] };
  expectOutcome(await callApi(authorization, 'PUT', `/fhir/R4/${accessPolicy.reference}`, { body: wider }), 403);
  const mail = { to: 'a@example.com', subject: 'x', text: 'y' };
  expectOutcome(await callApi(authorization, 'POST', '/email/v1/send', { body: mail }), 403);
  // Another's they change, as their policy says.
  const other = await callApi(authorization, 'POST', '/fhir/R4/AccessPolicy', { body: { ...wider, id: undefined } });
  expect(other.status, other.text).toBe(201);
  const path = `/fhir/R4/${accessPolicy.reference}`;
  expect((await callApi(superAdmins.admin.authorization, 'PUT', path, { body: wider })).status).toBe(200);
});

test('405 for another method, 404 for an unknown path, both as outcomes', async () => {
  expectOutcome(await callApi(root, 'GET', '/admin/Project'), 405);
  expectOutcome(await callApi(root, 'GET', '/admin/nosuch/thing'), 404);
});

test('415 for a body that is no JSON', async () => {
  expectOutcome(await create('<x/>', { 'content-type': 'application/xml' }), 415);
});
