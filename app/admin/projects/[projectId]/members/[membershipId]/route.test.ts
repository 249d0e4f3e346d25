import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
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

describe('update with the full resource', () => {
  test('200: changes what may change, and silently keeps project, user and who invited', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const foreign = {
      project: { reference: 'Project/x' },
      user: { reference: 'User/x' },
      invitedBy: { reference: 'User/x' },
    };
    const answer = await world.call('POST', at(member), { body: { ...member, ...foreign, userName: 'ann' } });
    expect(answer.status).toBe(200);
    const { project, user, invitedBy } = member;
    expect(answer.body).toMatchObject({ project, user, invitedBy, userName: 'ann', meta: { versionId: '2' } });
  });

  test('identical content: 200 and the same version', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answer = await world.call('POST', at(member), { body: member });
    expect([answer.status, answer.body.meta.versionId]).toEqual([200, '1']);
  });

  test('another resourceType, another id, or none: 403', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const wrong = [
      { ...member, resourceType: 'Patient' },
      { ...member, id: newId() },
      { ...member, id: undefined },
      {},
    ];
    for (const body of wrong) expectOutcome(await world.call('POST', at(member), { body }), 403);
  });

  test.each([
    ['an array', []],
    ['no body', undefined],
    ['malformed JSON', '{'],
  ])('%s: 400', async (_, body) => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await world.call('POST', at(member), { body }), 400);
  });

  test.each([
    ['a policy that is not there', { accessPolicy: { reference: 'AccessPolicy/none' } }, 'accessPolicy'],
    ['admin as text', { admin: 'yes' }, 'ProjectMembership.admin'],
    [
      'access without a policy',
      { access: [{ parameter: [{ name: 'x', valueString: 'y' }] }] },
      'ProjectMembership.access[0].policy',
    ],
    ['an unknown element', { colour: 'red' }, 'ProjectMembership.colour'],
    ['a profile that is not there', { profile: { reference: 'Practitioner/none' } }, 'ProjectMembership.profile'],
    ['no profile', { profile: undefined }, 'ProjectMembership.profile'],
  ])('%s: 400', async (_, fields, expression) => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await world.call('POST', at(member), { body: { ...member, ...fields } }), 400, expression);
    expect((await world.call('GET', at(member))).body.meta.versionId).toBe('1');
  });

  test('a stale If-Match: 412; the current one: 200; nonsense: 400; no JSON: 415', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const send = (match: string) =>
      world.call('POST', at(member), { body: { ...member, userName: match }, headers: { 'if-match': match } });
    expectOutcome(await send('W/"9"'), 412);
    expectOutcome(await send('nonsense'), 400);
    expect((await send('W/"1"')).status).toBe(200);
    expectOutcome(await send('W/"1"'), 412);
    const headers = { 'content-type': 'text/plain' };
    expectOutcome(await world.call('POST', at(member), { body: 'x', headers }), 415);
  });
});

describe('JSON Patch', () => {
  const patch = (world: World, member: { id: string }, ops: unknown, headers = {}) =>
    world.call('PATCH', at(member), {
      body: ops,
      headers: { 'content-type': 'application/json-patch+json', ...headers },
    });

  test('the published sample: replace of an absent admin makes an administrator, on the default policy of that role', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answer = await patch(world, member, [{ op: 'replace', path: '/admin', value: true }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ admin: true, accessPolicy: { display: 'Default Admin Access Policy' } });
    const back = await patch(world, member, [{ op: 'replace', path: '/admin', value: false }]);
    expect(back.body.accessPolicy.display).toBe('Default Practitioner Access Policy');
  });

  test('a policy that somebody chose stays through a change of role', async () => {
    const world = await createWorld();
    const body = { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Patient' }] };
    const policy = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body })).body;
    const member = await world.invite({ accessPolicy: { reference: `AccessPolicy/${policy.id}` } });
    const answer = await patch(world, member, [{ op: 'add', path: '/admin', value: true }]);
    expect(answer.body.accessPolicy).toEqual(member.accessPolicy);
  });

  test.each(['application/json', 'application/fhir+json'])('%s is as good', async (type) => {
    const world = await createWorld();
    const member = await world.invite();
    const ops = [{ op: 'add', path: '/userName', value: 'ann' }];
    expect((await patch(world, member, ops, { 'content-type': type })).body.userName).toBe('ann');
  });

  test.each([
    ['/id', 'x'],
    ['/resourceType', 'User'],
    ['/meta/versionId', '9'],
    ['/project/reference', 'Project/x'],
    ['/user', { reference: 'User/x' }],
    ['/__proto__/admin', true],
    ['/constructor/prototype/admin', true],
    ['admin', true],
    ['', {}],
  ])('%j: 400, nothing changed', async (path, value) => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await patch(world, member, [{ op: 'replace', path, value }]), 400);
    expect((await world.call('GET', at(member))).body).toEqual(member);
  });

  test.each([
    ['no array', { op: 'add' }],
    ['an empty array', []],
    ['an unknown op', [{ op: 'merge', path: '/admin', value: true }]],
    ['a result that is not valid', [{ op: 'add', path: '/admin', value: 'yes' }]],
    ['access without a policy', [{ op: 'add', path: '/access', value: [{}] }]],
    ['a policy that is not there', [{ op: 'add', path: '/accessPolicy', value: { reference: 'AccessPolicy/none' } }]],
    ['moving the user away', [{ op: 'move', from: '/user', path: '/invitedBy' }]],
  ])('%s: 400', async (_, ops) => {
    const world = await createWorld();
    expectOutcome(await patch(world, await world.invite(), ops), 400);
  });

  test('a failing test: 412; a stale If-Match: 412', async () => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await patch(world, member, [{ op: 'test', path: '/userName', value: 'x' }]), 412);
    const ops = [{ op: 'add', path: '/userName', value: 'x' }];
    expectOutcome(await patch(world, member, ops, { 'if-match': 'W/"7"' }), 412);
    expectOutcome(await patch(world, member, 'x', { 'content-type': 'text/plain' }), 415);
  });
});

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
