import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { resource } from '#lib/infra/db/schema/fhir/resource.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { acceptedMember, auditOf, login, operateUser } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { PASSWORD } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

function undo(world: World, id: string, version: number, headers: Record<string, string> = {}) {
  return world.call('POST', `/members/${id}/undo`, { body: { version }, headers });
}

function patch(world: World, id: string, path: string, value: unknown) {
  return world.call('PATCH', `/members/${id}`, { body: [{ op: 'add', path, value }] });
}

test('a change of role and access is taken back, in a new version', async () => {
  const world = await createWorld();
  const member = await world.invite();
  const promoted = await patch(world, member.id, '/admin', true);
  expect(promoted.body.accessPolicy).not.toEqual(member.accessPolicy);
  const undone = await undo(world, member.id, 1, { 'if-match': 'W/"2"' });
  expect(undone.status, undone.text).toBe(200);
  expect(undone.headers.get('etag')).toBe('W/"3"');
  expect(undone.body.admin).toBeUndefined();
  expect(undone.body.accessPolicy).toEqual(member.accessPolicy);
  const [key] = await db().select().from(membershipKey).where(eq(membershipKey.membershipId, member.id));
  expect(key?.admin).toBe(false);
  expectOutcome(await undo(world, member.id, 2, { 'if-match': 'W/"2"' }), 412);
});

test('a deactivation is taken back; an activation too, which ends the sessions', async () => {
  const world = await createWorld();
  const member = await world.invite({ password: PASSWORD });
  await patch(world, member.id, '/active', false);
  expect((await undo(world, member.id, 1)).body.active).toBeUndefined();
  const bearer = await signIn(world.projectId, member.id, member.user.reference);
  expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(200);
  expect((await undo(world, member.id, 2)).body.active).toBe(false);
  expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(401);
});

test('a removed member comes back with the same id, rights and profile, and can sign in again', async () => {
  const world = await createWorld();
  const member = await world.invite({ admin: true, password: PASSWORD, externalId: undefined });
  const before = await signIn(world.projectId, member.id, member.user.reference);
  await world.call('DELETE', `/members/${member.id}`);
  const restored = await undo(world, member.id, 1);
  expect(restored.status, restored.text).toBe(200);
  expect(restored.body).toMatchObject({ id: member.id, admin: true, profile: member.profile, user: member.user });
  expect(restored.body.meta.versionId).toBe('3');
  expect((await callApi(before, 'GET', '/auth/me')).status).toBe(401);
  const bearer = await signIn(world.projectId, member.id, member.user.reference);
  expect((await callApi(bearer, 'GET', '/auth/me')).body.membership).toMatchObject({ id: member.id, admin: true });
  const found = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?user=${member.user.reference}`);
  expect(found.body.entry).toHaveLength(1);
  const events = await db()
    .select()
    .from(auditEvent)
    .where(and(eq(auditEvent.projectId, world.projectId), eq(auditEvent.target, `ProjectMembership/${member.id}`)));
  expect(events.map((event) => event.action)).toEqual(
    expect.arrayContaining(['membership.restore', 'membership.undo']),
  );
  expectOutcome(
    await world.call('POST', '/invite', {
      body: { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: member.user.display },
    }),
    409,
  );
});

test('a further membership of a person comes back beside the first', async () => {
  const world = await createWorld();
  const first = await world.invite({ password: PASSWORD });
  const second = await world.invite({ email: first.user.display, forceNewMembership: true });
  await world.call('DELETE', `/members/${second.id}`);
  expect((await undo(world, second.id, 1)).status).toBe(200);
  await world.call('DELETE', `/members/${first.id}`);
  expect((await undo(world, first.id, 1)).status).toBe(200);
});

describe('an account of the project’s own ends with its last membership', () => {
  test('nobody signs in with it meanwhile, and it comes back with its address and its password', async () => {
    const world = await createWorld();
    const member = await acceptedMember(world);
    const user = () => callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`);
    const before = await user();
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    await world.call('DELETE', `/members/${member.id}`);
    expectOutcome(await user(), 410);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
    const restored = await undo(world, member.id, 1);
    expect(restored.status, restored.text).toBe(200);
    expect({ ...(await user()).body, meta: undefined }).toEqual({ ...before.body, meta: undefined });
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    expect(await auditOf(world.projectId, `User/${member.userId}`)).toContain('user.restore');
  });

  test('an invitation that was open waits to be sent again', async () => {
    const world = await createWorld();
    const patient = await world.invite({ resourceType: 'Patient' });
    await world.call('DELETE', `/members/${patient.id}`);
    expect((await undo(world, patient.id, 1)).status).toBe(200);
    const { rows } = (await world.call('GET', `/invites?membership=${patient.id}`)).body;
    expect(rows).toMatchObject([{ status: 'expired', email: patient.user.display }]);
    expect((await world.call('POST', `/members/${patient.id}/resendinvite`, { body: {} })).status).toBe(200);
  });

  test('409 when another account has its address by now, and nothing has changed', async () => {
    const world = await createWorld();
    const patient = await world.invite({ resourceType: 'Patient' });
    await world.call('DELETE', `/members/${patient.id}`);
    await world.invite({ resourceType: 'Patient', email: patient.user.display });
    const taken = await undo(world, patient.id, 1);
    expectOutcome(taken, 409);
    expect(taken.text).toContain('Another account');
    expectOutcome(await callApi(world.owner.bearer, 'GET', `/fhir/R4/${patient.user.reference}`), 410);
  });

  test('409 when it moved to another project, and ended there: its password was chosen there', async () => {
    const [world, other, root] = [await createWorld(), await createWorld(), await createSuperAdmin()];
    const member = await acceptedMember(world);
    const further = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: member.email };
    const moved = await operateUser(root, member.userId, 'rescope', { scope: 'global' });
    expect(moved.status, moved.text).toBe(200);
    await world.call('DELETE', `/members/${member.id}`);
    const project = { reference: `Project/${other.projectId}` };
    expect((await operateUser(root, member.userId, 'rescope', { scope: 'project', project })).status).toBe(200);
    const there = await other.call('POST', '/invite', { body: { ...further, scope: 'project' } });
    expect(there.body.user.reference).toBe(`User/${member.userId}`);
    await other.call('DELETE', `/members/${there.body.id}`);
    expectOutcome(await undo(world, member.id, 1), 409);
    expect((await undo(other, there.body.id, 1)).status).toBe(200);
  });
});

test('409 with the reason when the profile or a policy is gone, or the person is a member again', async () => {
  const world = await createWorld();
  const remove = (id: string) => world.call('DELETE', `/members/${id}`);
  const again = await world.invite();
  await remove(again.id);
  await world.invite({ email: again.user.display });
  expect((await undo(world, again.id, 1)).text).toContain('already a member');
  const bare = await world.invite();
  await remove(bare.id);
  expect((await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/${bare.profile.reference}`)).status).toBeLessThan(300);
  const lost = await undo(world, bare.id, 1);
  expectOutcome(lost, 409);
  expect(lost.text).toContain(bare.profile.reference);
});

test('after thirty days it is too late', async () => {
  const world = await createWorld();
  const member = await world.invite();
  await world.call('DELETE', `/members/${member.id}`);
  const lastUpdated = new Date(Date.now() - 31 * 86_400_000);
  await db()
    .update(resource)
    .set({ lastUpdated })
    .where(and(eq(resource.projectId, world.projectId), eq(resource.id, member.id)));
  const late = await undo(world, member.id, 1);
  expectOutcome(late, 409);
  expect(late.text).toContain('thirty days');
});

test('an undo that would take the last administrator away is refused, and one’s own needs force', async () => {
  const world = await createWorld();
  await patch(world, world.owner.membershipId, '/userName', 'olga');
  const second = await world.invite({ password: PASSWORD });
  await patch(world, second.id, '/admin', true);
  const bearer = await signIn(world.projectId, second.id, second.user.reference);
  const self = await world.call('POST', `/members/${second.id}/undo`, { body: { version: 1 }, bearer });
  expectOutcome(self, 409);
  const forced = await world.call('POST', `/members/${second.id}/undo?force=true`, { body: { version: 1 }, bearer });
  expect(forced.status, forced.text).toBe(200);
});

test('400 for a version that is none, 404 for nobody’s, 403 and 401 for others', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const member = await world.invite();
  for (const version of [1, 2, 99]) expectOutcome(await undo(world, member.id, version), 400, 'version');
  expectOutcome(await world.call('POST', `/members/${member.id}/undo`, { body: {} }), 400, 'version');
  await world.call('DELETE', `/members/${member.id}`);
  expectOutcome(await undo(world, member.id, 2), 400, 'version');
  expectOutcome(await undo(other, member.id, 1), 404);
  expectOutcome(await undo(other, 'nonsense', 1), 404);
  const body = { version: 1 };
  expectOutcome(await world.call('POST', `/members/${member.id}/undo`, { body, bearer: null }), 401);
  expectOutcome(await world.call('POST', `/members/${member.id}/undo`, { body, bearer: other.owner.bearer }), 403);
});
