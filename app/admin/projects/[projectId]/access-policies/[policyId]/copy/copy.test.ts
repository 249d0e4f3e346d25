import { expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { registerProject } from '#lib/domain/projects/register-project.ts';
import { createRow } from '#lib/domain/store/create-row.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeMember, makeClient } from '#lib/testing/people.ts';
import { createWorld, START_CTX, signIn, type World } from '#lib/testing/world.ts';

const RESOURCE = [{ resourceType: 'Patient', readonly: true, hiddenFields: ['name'] }];

async function makePolicy(world: World): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name: 'Ward', resource: RESOURCE };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** Another project that the owner of this one administers, too. */
async function another({ owner: { userId, email } }: World): Promise<{ projectId: string; bearer: string }> {
  const input = { userId, firstName: 'Olga', lastName: 'Owner', email, projectName: 'Production' };
  const { projectId, membershipId } = await write(START_CTX, (_, ctx) => registerProject(ctx, input));
  return { projectId, bearer: await signIn(projectId, membershipId, `User/${userId}`) };
}

/** A project of somebody else's, in which the owner of this one is a member without its administration. */
async function joined(world: World): Promise<string> {
  const { projectId } = await createWorld();
  const user = { reference: `User/${world.owner.userId}` };
  await write(START_CTX, async (w) => {
    const fields = { resourceType: 'Practitioner', name: [{ family: 'Owner' }] };
    const { id } = await createRow(w, projectId, fields as Resource, { author: undefined });
    const profile = { reference: `Practitioner/${id}` };
    await insertMembership(w, projectId, { user, profile }, { author: undefined });
  });
  return projectId;
}

const copy = (world: World, id: string, project: string) =>
  world.call('POST', `/access-policies/${id}/copy`, { body: { project } });

test('201: a policy is copied to another project of the caller’s as a new one, and both audit logs say so', async () => {
  const world = await createWorld();
  const other = await another(world);
  const id = await makePolicy(world);
  const answer = await copy(world, id, other.projectId);
  expect(answer.status, answer.text).toBe(201);
  const { reference, display } = answer.body.policy;
  expect(display).toBe('Ward');
  const there = await callApi(other.bearer, 'GET', `/fhir/R4/${reference}`);
  expect(there.body).toMatchObject({ name: 'Ward', resource: RESOURCE });
  expect(there.body.id).not.toBe(id);
  const here = await world.call('GET', '/audit?action=access-policy.copy');
  expect(here.body.rows, here.text).toHaveLength(1);
  const log = await callApi(other.bearer, 'GET', `/admin/projects/${other.projectId}/audit?target=${reference}`);
  expect(log.text).toContain('access-policy.create');
});

test('400: to the project that it is in, and without a project', async () => {
  const world = await createWorld();
  const id = await makePolicy(world);
  expectOutcome(await copy(world, id, world.projectId), 400, 'project');
  expectOutcome(await world.call('POST', `/access-policies/${id}/copy`, { body: {} }), 400, 'project');
});

test('403: where the caller is a member and no administrator, and of programs, which have not signed in', async () => {
  const world = await createWorld();
  const id = await makePolicy(world);
  expectOutcome(await copy(world, id, await joined(world)), 403, 'project');
  const { basic, membershipId } = await makeClient(world.projectId);
  await changeMember({ projectId: world.projectId, membershipId }, { admin: true });
  const body = { project: (await another(world)).projectId };
  const answer = await world.call('POST', `/access-policies/${id}/copy`, { body, bearer: basic });
  expectOutcome(answer, 403);
});

test('404: a project of others is as one that is not there, and so is a policy of another project', async () => {
  const [world, others] = await Promise.all([createWorld(), createWorld()]);
  const id = await makePolicy(world);
  const foreign = await copy(world, id, others.projectId);
  const none = await copy(world, id, '018f0000-0000-7000-8000-000000000000');
  expectOutcome(foreign, 404);
  expect(foreign.body).toEqual(none.body);
  const theirs = await makePolicy(others);
  const other = await another(world);
  expectOutcome(await copy(world, theirs, other.projectId), 404);
});

test('what a policy is based on is there what has the same name, and else the copy is refused and says of which', async () => {
  const world = await createWorld();
  const other = await another(world);
  const base = await makePolicy(world);
  const body = { resourceType: 'AccessPolicy', name: 'Night', basedOn: [{ reference: `AccessPolicy/${base}` }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  const refused = await copy(world, made.body.id, other.projectId);
  expectOutcome(refused, 400, 'AccessPolicy.basedOn[0]');
  expect(refused.body.issue[0].details.text).toContain('Ward');
  const there = (await copy(world, base, other.projectId)).body.policy.reference;
  const copied = await copy(world, made.body.id, other.projectId);
  expect(copied.status, copied.text).toBe(201);
  const stored = await callApi(other.bearer, 'GET', `/fhir/R4/${copied.body.policy.reference}`);
  expect(stored.body.basedOn).toEqual([{ reference: there }]);
  expect((await copy(world, base, other.projectId)).status).toBe(201);
  expectOutcome(await copy(world, made.body.id, other.projectId), 400, 'AccessPolicy.basedOn[0]');
});
