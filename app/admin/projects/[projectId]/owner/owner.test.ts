import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { acceptedMember, auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

const give = (world: World, membership: unknown, bearer?: string) =>
  world.call('POST', '/owner', { body: { membership }, ...(bearer && { bearer }) });

/** An administrator who has come in, with an account above projects. */
async function administrator(world: World, scope: 'server' | 'project' = 'server') {
  const member = await acceptedMember(world, scope);
  const body = [{ op: 'add', path: '/admin', value: true }];
  expect((await world.call('PATCH', `/members/${member.id}`, { body })).status).toBe(200);
  return { ...member, bearer: await signIn(world.projectId, member.id, `User/${member.userId}`) };
}

const ownerOf = async (world: World) =>
  (await callApi(world.owner.bearer, 'GET', `/fhir/R4/Project/${world.projectId}`)).body.owner?.reference;

describe('POST /admin/projects/[projectId]/owner', () => {
  test('the next owner has it at once, who had it may be demoted, both are told, and the log says it', async () => {
    const world = await createWorld();
    const next = await administrator(world);
    const answer = await give(world, next.id.toUpperCase());
    expect([answer.status, answer.body.owner.reference]).toEqual([200, `User/${next.userId}`]);
    expect(await ownerOf(world)).toBe(`User/${next.userId}`);
    expect(await auditOf(world.projectId, `Project/${world.projectId}`)).toContain('project.owner');
    for (const email of [world.owner.email, next.email]) {
      expect((await waitingMail(email)).map(({ template }) => template)).toContain('owner-changed');
    }
    expect((await give(world, world.owner.membershipId)).status).toBe(403);
    const demote = { body: [{ op: 'add', path: '/admin', value: false }] };
    expect((await world.call('PATCH', `/members/${next.id}`, demote)).status).toBe(409);
    const old = { ...demote, bearer: next.bearer };
    expect((await world.call('PATCH', `/members/${world.owner.membershipId}`, old)).status).toBe(200);
  });

  test('to oneself, or again: 200, and nothing is told twice', async () => {
    const world = await createWorld();
    expect((await give(world, world.owner.membershipId)).status).toBe(200);
    expect(await auditOf(world.projectId, `Project/${world.projectId}`)).not.toContain('project.owner');
  });

  test('of many at once one hands it over: the rest are not the owner any more', async () => {
    const world = await createWorld();
    const [one, two] = [await administrator(world), await administrator(world)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => give(world, (n % 2 ? one : two).id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(19);
  });

  test('only the owner: no other administrator, no member, no program of the project, nobody of another; the super-admin', async () => {
    const world = await createWorld();
    const next = await administrator(world);
    const member = await acceptedMember(world, 'server');
    const program = await makeClient(world.projectId, {}, { admin: true });
    const other = await createWorld();
    const bearers = [
      next.bearer,
      await signIn(world.projectId, member.id, `User/${member.userId}`),
      program.basic,
      other.owner.bearer,
    ];
    for (const bearer of bearers) expectOutcome(await give(world, next.id, bearer), 403);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
    const call = { headers, body: { membership: next.id }, bearer: next.bearer };
    expectOutcome(await world.call('POST', '/owner', call), 403);
    expect((await give(world, next.id, await createSuperAdmin())).status).toBe(200);
  });

  test('a sign-in that is long ago does not do it', async () => {
    const world = await createWorld();
    const next = await administrator(world);
    await db()
      .update(login)
      .set({ authTime: new Date(0) })
      .where(eq(login.projectId, world.projectId));
    expectOutcome(await give(world, next.id), 403);
    expect(await ownerOf(world)).toBe(`User/${world.owner.userId}`);
  });

  test('409 for whoever could leave the project without an owner', async () => {
    const world = await createWorld();
    const plain = await acceptedMember(world, 'server');
    const invited = await world.invite({ admin: true, scope: 'server' });
    const local = await administrator(world, 'project');
    const ending = await administrator(world);
    const dated = [{ op: 'add', path: '/period', value: { end: '2999' } }];
    expect((await world.call('PATCH', `/members/${ending.id}`, { body: dated })).status).toBe(200);
    const { membershipId: program } = await makeClient(world.projectId, {}, { admin: true });
    for (const id of [plain.id, invited.id, local.id, ending.id, program]) {
      expectOutcome(await give(world, id), 409, 'membership');
    }
  });

  test('a membership that is none: 404; of another project: 404; removed: 410; no id, NUL, a megabyte: 400', async () => {
    const world = await createWorld();
    const other = await createWorld();
    const gone = await administrator(world);
    expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
    expectOutcome(await give(world, newId()), 404);
    expectOutcome(await give(world, other.owner.membershipId), 404);
    expectOutcome(await give(world, gone.id), 410);
    for (const wrong of [undefined, 'x', 5, '\u0000', '\ud800', 'x'.repeat(1_000_000)]) {
      expectOutcome(await give(world, wrong), 400);
    }
  });
});
