import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { anEmail, createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

type Member = Awaited<ReturnType<World['invite']>>;

const at = ({ id }: { id: string }) => `/members/${id}`;
const bearerOf = (world: World, { id, user }: Member) => signIn(world.projectId, id, user.reference);
const whoAmI = async (bearer: string) => (await callApi(bearer, 'GET', '/auth/me')).status;

/** A second administrator, signed in. */
async function addAdmin(world: World): Promise<Member & { bearer: string }> {
  const member = await world.invite({ admin: true });
  return { ...member, bearer: await bearerOf(world, member) };
}

describe('immediate effect on live tokens, with the session cache on', () => {
  beforeAll(startInvalidation);
  afterAll(stopInvalidation);

  test('promotion and demotion', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await bearerOf(world, member);
    const asAdmin = async () => (await world.call('GET', '', { bearer })).status;
    expect(await asAdmin()).toBe(403);
    for (const value of [true, false]) {
      await world.call('PATCH', at(member), { body: [{ op: 'add', path: '/admin', value }] });
      expect(await asAdmin()).toBe(value ? 200 : 403);
    }
  });

  test('deactivation ends the login for good: 401, also after reactivation; a new one works', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await bearerOf(world, member);
    expect(await whoAmI(bearer)).toBe(200);
    const set = (active: boolean) =>
      world.call('PATCH', at(member), { body: [{ op: 'add', path: '/active', value: active }] });
    expect((await set(false)).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(401);
    expect((await set(true)).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(401);
    expect(await whoAmI(await bearerOf(world, member))).toBe(200);
  });

  test('removal: 401 and not 400', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await bearerOf(world, member);
    expect((await world.call('DELETE', at(member))).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(401);
  });
});

describe('guards', () => {
  const reasonOf = (answer: { body: { issue: { details: { coding?: { code: string }[] } }[] } }) =>
    answer.body.issue[0]?.details.coding?.[0]?.code;
  const demote = [{ op: 'replace', path: '/admin', value: false }];
  const deactivate = [{ op: 'add', path: '/active', value: false }];

  test('the owner: removal 400; demotion and deactivation 409, through POST as well', async () => {
    const world = await createWorld();
    const admin = await addAdmin(world);
    const owner = { id: world.owner.membershipId };
    const as = (method: string, body?: unknown) =>
      world.call(method, `${at(owner)}?force=true`, { body, bearer: admin.bearer });
    expectOutcome(await as('DELETE'), 400);
    for (const ops of [demote, deactivate]) {
      const answer = await as('PATCH', ops);
      expectOutcome(answer, 409);
      expect(reasonOf(answer)).toBe('owner');
    }
    const current = (await world.call('GET', at(owner))).body;
    expectOutcome(await as('POST', { ...current, admin: false }), 409);
  });

  test('the last active administrator: 409, until there is another one', async () => {
    const root = await createSuperAdmin();
    const made = await callApi(root, 'POST', '/admin/Project', {
      body: { resourceType: 'Project', name: 'Ownerless' },
    });
    const base = `/admin/projects/${made.body.id}`;
    const add = async () => {
      const body = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: anEmail(), admin: true };
      return (await callApi(root, 'POST', `${base}/invite`, { body })).body;
    };
    const one = await add();
    for (const ops of [demote, deactivate]) {
      const answer = await callApi(root, 'PATCH', `${base}${at(one)}`, { body: ops });
      expectOutcome(answer, 409);
      expect(reasonOf(answer)).toBe('last-admin');
    }
    expectOutcome(await callApi(root, 'DELETE', `${base}${at(one)}`), 409);
    await add();
    expect((await callApi(root, 'PATCH', `${base}${at(one)}`, { body: demote })).status).toBe(200);
  });

  test('oneself: 409 without force, 200 with it', async () => {
    const world = await createWorld();
    const admin = await addAdmin(world);
    const refused = await world.call('PATCH', at(admin), { body: demote, bearer: admin.bearer });
    expectOutcome(refused, 409);
    expect(reasonOf(refused)).toBe('self-demotion');
    const meant = await world.call('PATCH', `${at(admin)}?force=true`, { body: demote, bearer: admin.bearer });
    expect(meant.status).toBe(200);
    expectOutcome(await world.call('GET', at(admin), { bearer: admin.bearer }), 403);
  });

  test('an administrator with a narrow policy cannot lift it from itself: 403; another administrator can', async () => {
    const world = await createWorld();
    const body = { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Patient' }] };
    const policy = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body })).body;
    const member = await world.invite({ admin: true, accessPolicy: { reference: `AccessPolicy/${policy.id}` } });
    const bearer = await bearerOf(world, member);
    const lift = [{ op: 'remove', path: '/accessPolicy' }];
    expectOutcome(await world.call('PATCH', at(member), { body: lift, bearer }), 403);
    expect((await world.call('PATCH', at(member), { body: lift })).status).toBe(200);
  });

  test('two demotions of the last two administrators at once: one is refused', async () => {
    const root = await createSuperAdmin();
    const made = await callApi(root, 'POST', '/admin/Project', { body: { resourceType: 'Project', name: 'Race' } });
    const base = `/admin/projects/${made.body.id}`;
    const add = async () => {
      const body = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: anEmail(), admin: true };
      return (await callApi(root, 'POST', `${base}/invite`, { body })).body;
    };
    const pair = [await add(), await add()];
    const demoted = pair.map((member) => callApi(root, 'PATCH', `${base}${at(member)}`, { body: demote }));
    const statuses = (await Promise.all(demoted)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
  });

  test('twenty changes of one member at once: each on top of the last, none lost', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.call('PATCH', at(member), { body: [{ op: 'add', path: '/userName', value: `n${index}` }] }),
      ),
    );
    const versions = answers.map(({ body }) => Number(body.meta.versionId)).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  });
});
