import { expect, test } from 'vitest';
import { acceptedMember, auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { enrollTotp, startSignIn } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

async function enrolled(world: World, scope: 'project' | 'server') {
  const member = await acceptedMember(world, scope);
  const person = { userId: member.userId, email: member.email, projectId: world.projectId, membershipId: member.id };
  await enrollTotp(person);
  return person;
}

const reset = (world: World, id: string, body: object = {}, bearer = world.owner.bearer) =>
  callApi(bearer, 'POST', `/admin/projects/${world.projectId}/members/${id}/mfa/reset`, { body });

test.each(['project', 'server'] as const)(
  '200 for a member whose account is of the %s: nothing is asked for any more',
  async (scope) => {
    const world = await createWorld();
    const person = await enrolled(world, scope);
    const started = await startSignIn(person, { projectId: world.projectId });
    expect(started.body.mfaRequired).toBe(true);
    expectOutcome(await reset(world, person.membershipId, { method: 'email' }), 400, 'method');
    expect((await reset(world, person.membershipId, { method: 'totp' })).status).toBe(200);
    expect((await startSignIn(person, { projectId: world.projectId })).body.code).toEqual(expect.any(String));
    expectOutcome(await reset(world, person.membershipId), 400, 'method');
    expect((await waitingMail(person.email)).map(({ template }) => template)).toContain('factor-reset');
    expect(await auditOf(world.projectId, `ProjectMembership/${person.membershipId}`)).toContain('user.factor.reset');
    const facts = await world.call('GET', `/member-facts?membership=${person.membershipId}`);
    expect(facts.body.rows[0].factors).toEqual([]);
  },
);

test('409 where other projects know the person, but for a super-admin; and the factor stays', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const person = await enrolled(world, 'server');
  await other.invite({ email: person.email, scope: 'server' });
  expectOutcome(await reset(world, person.membershipId), 409);
  expect((await startSignIn(person, { projectId: world.projectId })).body.mfaRequired).toBe(true);
  const facts = await world.call('GET', `/member-facts?membership=${person.membershipId}`);
  expect(facts.body.rows[0].factors).toEqual(['totp']);
  expect((await reset(world, person.membershipId, {}, await createSuperAdmin())).status).toBe(200);
});
