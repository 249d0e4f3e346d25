import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { acceptedMember, auditOf, login, operateUser, spendLink } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makePerson, PASSWORD } from '#lib/testing/people.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

const NEW_PASSWORD = 'Amber-Lantern-52';

let root: string;
let world: World;
beforeAll(async () => {
  root = await createSuperAdmin();
  world = await createWorld();
});

const makeMember = (scope?: 'project' | 'server', of = world) => acceptedMember(of, scope);
const rescope = (userId: string, body: unknown, by = world.owner.bearer) => operateUser(by, userId, 'rescope', body);
const inProject = (id: string) => ({ scope: 'project', project: { reference: `Project/${id}` } });

describe.each(['rescope', 'update-email'])('$%s', (name) => {
  const body = name === 'rescope' ? { scope: 'global' } : { email: 'new@example.com' };

  test('401, 403 before any fault of the body, 404 for whom the caller does not decide about, 405', async () => {
    const [member, other] = [await makeMember(), await createWorld()];
    const foreign = await makeMember('project', other);
    const global = await makeMember('server');
    expectOutcome(await callApi(undefined, 'POST', `/fhir/R4/User/${member.userId}/$${name}`, { body }), 401);
    const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
    expectOutcome(await operateUser(bearer, member.userId, name, {}), 403);
    for (const id of [foreign.userId, global.userId, newId(), 'nonsense']) {
      expectOutcome(await operateUser(world.owner.bearer, id, name, body), 404);
    }
    expectOutcome(await callApi(root, 'GET', `/fhir/R4/User/${member.userId}/$${name}`), 405);
  });
});

describe('$rescope', () => {
  test('an own User becomes global and leaves behind what the administrators may know', async () => {
    const member = await makeMember();
    const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
    const parameter = [{ name: 'scope', valueCode: 'global' }];
    const answer = await rescope(member.userId, { resourceType: 'Parameters', parameter });
    expect([answer.status, answer.body.id, answer.body.project]).toEqual([200, member.userId, undefined]);
    expect(answer.body.emailVerified).toBe(false);
    expect((await callApi(bearer, 'GET', '/auth/me')).status).toBe(401);
    expect(await login(member.email, PASSWORD)).toBe(400);
    expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`)).status).toBe(410);
    const [mail] = await waitingMail(member.email);
    expect(mail!.template).toBe('rescoped');
    await spendLink(mail!.params.url, NEW_PASSWORD);
    expect(await login(member.email, NEW_PASSWORD)).toBe(200);
    for (const scope of [world.projectId, '00000000-0000-0000-0000-000000000000']) {
      expect(await auditOf(scope, `User/${member.userId}`)).toContain('user.rescope');
    }
    expectOutcome(await rescope(member.userId, { scope: 'global' }, root), 400, 'scope');
  });

  test('a link that was handed over dies with it', async () => {
    const member = await world.invite({ scope: 'project', sendEmail: false, returnLink: true });
    const userId = member.user.reference.slice(5);
    const { valueUrl } = (member.extension as { valueUrl: string }[])[0]!;
    expect((await rescope(userId, { scope: 'global' })).status).toBe(200);
    expectOutcome(await spendLink(valueUrl, PASSWORD), 400);
  });

  test('a super-admin moves both ways, and back again', async () => {
    const member = await makeMember('server');
    const there = await rescope(member.userId, inProject(world.projectId), root);
    expect([there.status, there.body.project]).toEqual([200, { reference: `Project/${world.projectId}` }]);
    expect(there.body.emailVerified).toBe(true);
    expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/User/${member.userId}`)).status).toBe(200);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    expect((await rescope(member.userId, { scope: 'global' }, root)).status).toBe(200);
    expect((await rescope(member.userId, inProject(world.projectId), root)).status).toBe(200);
  });

  test('a person who has been moved reads and renames their own User, wherever it is', async () => {
    const member = await makeMember('server');
    await rescope(member.userId, inProject(world.projectId), root);
    for (const scope of ['project', 'server'] as const) {
      if (scope === 'server') await rescope(member.userId, { scope: 'global' }, root);
      const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
      const own = await callApi(bearer, 'GET', `/fhir/R4/User/${member.userId}`);
      expect([scope, own.status]).toEqual([scope, 200]);
      const body = { ...own.body, firstName: `Ann ${scope}` };
      const put = await callApi(bearer, 'PUT', `/fhir/R4/User/${member.userId}`, { body });
      expect([put.status, put.body.firstName]).toEqual([200, `Ann ${scope}`]);
    }
  });

  test('409 for whom another project knows, for its owner, and for an address that is taken', async () => {
    const other = await createWorld();
    const shared = await makeMember('server');
    await other.invite({ email: shared.email, scope: 'server' });
    expectOutcome(await rescope(shared.userId, inProject(world.projectId), root), 409, 'project');
    expectOutcome(await rescope(other.owner.userId, inProject(other.projectId), root), 409, 'project');
    const { email } = await makePerson();
    const member = await world.invite({ email, scope: 'project' });
    expectOutcome(await rescope(member.user.reference.slice(5), { scope: 'global' }), 409, 'scope');
  });

  test('a membership does not come back to an account that another project has taken over', async () => {
    const other = await createWorld();
    const member = await makeMember('server');
    await world.call('DELETE', `/members/${member.id}`);
    expect((await rescope(member.userId, inProject(other.projectId), root)).status).toBe(200);
    expectOutcome(await world.call('POST', `/members/${member.id}/undo`, { body: { version: 1 } }), 409);
  });

  test.each([
    ['no scope', {}, ['scope']],
    ['an unknown scope', { scope: 'server' }, ['scope']],
    ['no project', { scope: 'project' }, ['project']],
    ['a bad reference', { scope: 'project', project: { reference: 'Patient/1' } }, ['project.reference']],
    ['a project too many', { scope: 'global', project: { reference: 'Project/1' } }, ['project']],
  ])('400 for %s', async (_, body, expressions) => {
    expectOutcome(await rescope((await makeMember()).userId, body, root), 400, ...expressions);
  });

  test('an unknown project is 404; another one, for an administrator, 403; without an address there is no global User', async () => {
    const member = await makeMember();
    for (const id of [newId(), 'nonsense']) expectOutcome(await rescope(member.userId, inProject(id), root), 404);
    for (const id of [newId(), (await createWorld()).projectId]) {
      expectOutcome(await rescope(member.userId, inProject(id)), 403);
    }
    const silent = await world.invite({ email: undefined, externalId: newId() });
    expectOutcome(await rescope(silent.user.reference.slice(5), { scope: 'global' }), 400, 'scope');
  });
});
