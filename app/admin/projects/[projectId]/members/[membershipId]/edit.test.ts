import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

type Member = Awaited<ReturnType<World['invite']>>;

const at = ({ id }: { id: string }) => `/members/${id}`;
const bearerOf = (world: World, { id, user }: Member) => signIn(world.projectId, id, user.reference);
const _whoAmI = async (bearer: string) => (await callApi(bearer, 'GET', '/auth/me')).status;

/** A second administrator, signed in. */
async function _addAdmin(world: World): Promise<Member & { bearer: string }> {
  const member = await world.invite({ admin: true });
  return { ...member, bearer: await bearerOf(world, member) };
}

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

  test('an empty list of access says nothing; one in the place of a policy, a date or active takes none away: 400', async () => {
    const world = await createWorld();
    const member = await world.invite();
    await patch(world, member, [{ op: 'add', path: '/active', value: false }]);
    for (const name of ['accessPolicy', 'active', 'period', 'suspendedUntil']) {
      const answer = await patch(world, member, [{ op: 'add', path: `/${name}`, value: [] }]);
      expectOutcome(answer, 400, `ProjectMembership.${name}`);
    }
    const kept = await patch(world, member, [{ op: 'add', path: '/access', value: [] }]);
    expect(kept.body).toMatchObject({ active: false, accessPolicy: { display: 'Default Practitioner Access Policy' } });
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
