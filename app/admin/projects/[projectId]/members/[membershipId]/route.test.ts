import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { anEmail, createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

type Member = Awaited<ReturnType<World['invite']>>;

const at = ({ id }: { id: string }) => `/members/${id}`;
const bearerOf = (world: World, { id, user }: Member) => signIn(world.projectId, id, user.reference);
const _whoAmI = async (bearer: string) => (await callApi(bearer, 'GET', '/auth/me')).status;

/** A second administrator, signed in. */
async function _addAdmin(world: World): Promise<Member & { bearer: string }> {
  const member = await world.invite({ admin: true });
  return { ...member, bearer: await bearerOf(world, member) };
}

const METHODS = [
  ['GET', undefined],
  ['POST', { resourceType: 'ProjectMembership' }],
  ['PATCH', [{ op: 'add', path: '/admin', value: true }]],
  ['DELETE', undefined],
] as const;
describe.each(METHODS)('%s', (method, body) => {
  test('no credentials: 401; no administrator: 403', async () => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await world.call(method, at(member), { body, bearer: null }), 401);
    expectOutcome(await world.call(method, at(member), { body, bearer: await bearerOf(world, member) }), 403);
  });

  test("another project's path: 403; another project's member in one's own path, an unknown or a malformed id: 404", async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const foreign = await other.invite();
    const path = `/admin/projects/${other.projectId}${at(foreign)}`;
    expectOutcome(await callApi(world.owner.bearer, method, path, { body }), 403);
    for (const id of [foreign.id, newId(), 'nonsense', '__proto__', `${newId()}'`]) {
      const sent = method === 'POST' ? { ...body, id } : body;
      expectOutcome(await world.call(method, `/members/${encodeURIComponent(id)}`, { body: sent }), 404);
    }
    expect((await other.call('GET', at(foreign))).body.meta.versionId).toBe('1');
  });

  test('a super-admin reaches every project', async () => {
    const [root, world] = [await createSuperAdmin(), await createWorld()];
    const member = await world.invite();
    const sent = method === 'POST' ? member : body;
    const answer = await callApi(root, method, `/admin/projects/${world.projectId}${at(member)}`, { body: sent });
    expect(answer.status).toBe(200);
  });
});

describe('read', () => {
  test('200 with ETag; project and author only in extended mode; 410 after removal', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answer = await world.call('GET', at(member), { headers: { 'x-medplum': 'extended' } });
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body.meta.project).toBe(world.projectId);
    expect((await world.call('GET', at(member))).body.meta.project).toBeUndefined();
    await world.call('DELETE', at(member));
    expectOutcome(await world.call('GET', at(member)), 410);
  });
});

describe('remove', () => {
  test('200 All OK; the profile stays; again: 410', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answer = await world.call('DELETE', at(member));
    expect(answer.body).toMatchObject({ resourceType: 'OperationOutcome', id: 'ok' });
    expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/${member.profile.reference}`)).status).toBe(200);
    expectOutcome(await world.call('DELETE', at(member)), 410);
  });

  test('a User of the project goes with the last membership, not before', async () => {
    const world = await createWorld();
    const email = anEmail();
    const one = await world.invite({ resourceType: 'Patient', email });
    const two = await world.invite({ resourceType: 'Patient', email, forceNewMembership: true });
    const user = () => callApi(world.owner.bearer, 'GET', `/fhir/R4/${one.user.reference}`);
    await world.call('DELETE', at(one));
    expect((await user()).status).toBe(200);
    await world.call('DELETE', at(two));
    expect((await user()).status).toBe(410);
    expect((await world.invite({ resourceType: 'Patient', email })).user.reference).not.toBe(one.user.reference);
  });

  test('a server-scoped User stays and is found again', async () => {
    const world = await createWorld();
    const email = anEmail();
    const one = await world.invite({ email });
    await world.call('DELETE', at(one));
    expect((await world.invite({ email })).user).toEqual(one.user);
  });
});
