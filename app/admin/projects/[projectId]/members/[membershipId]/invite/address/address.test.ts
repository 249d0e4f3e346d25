import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { acceptedMember, login, spendLink } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { PASSWORD } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, type World } from '#lib/testing/world.ts';

const correct = (world: World, id: string, body: unknown) =>
  world.call('POST', `/members/${id}/invite/address`, { body });

test.each(['server', 'project'])('a bounced invitation goes to the right address (%s)', async (scope) => {
  const world = await createWorld();
  const [wrong, right] = [anEmail(), anEmail()];
  const member = await world.invite({ email: wrong, scope });
  const [first] = await waitingMail(wrong);
  await db().update(mail).set({ state: 'bounced' }).where(eq(mail.membershipId, member.id));
  const answer = await correct(world, member.id, { email: ` ${right.toUpperCase()}` });
  expect(answer.status, answer.text).toBe(200);
  const { rows } = (await world.call('GET', `/invites?membership=${member.id}`)).body;
  expect(rows).toMatchObject([{ status: 'pending', email: right }]);
  expect((await world.call('GET', `/members/${member.id}`)).body.user.display).toBe(right);
  const profile = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${member.profile.reference}`);
  expect(profile.body.telecom).toEqual([expect.objectContaining({ system: 'email', value: right })]);
  // The stranger of the first address hears no more, and their link is dead.
  expect(await waitingMail(wrong)).toHaveLength(1);
  expect((await spendLink(first?.params.url, PASSWORD)).status).toBeGreaterThanOrEqual(400);
  const [second] = await waitingMail(right);
  expect((await spendLink(second?.params.url, PASSWORD)).status).toBe(200);
  expect(await login(right, PASSWORD, world.projectId)).toBe(200);
});

test('409 for who has come already, who waits elsewhere, and an address that is taken; nothing has changed', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const here = await acceptedMember(world, 'server');
  expectOutcome(await correct(world, here.id, { email: anEmail() }), 409);
  const twice = await world.invite();
  await other.invite({ email: twice.user.display });
  expectOutcome(await correct(world, twice.id, { email: anEmail() }), 409);
  const waiting = await world.invite();
  expectOutcome(await correct(world, waiting.id, { email: here.email }), 409, 'email');
  expect((await world.call('GET', `/members/${waiting.id}`)).body.user.display).toBe(waiting.user.display);
  await world.call('PATCH', `/members/${waiting.id}`, { body: [{ op: 'add', path: '/active', value: false }] });
  expectOutcome(await correct(world, waiting.id, { email: anEmail() }), 409);
});

test('400 without an address or for a program, 404 and 403 for others', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const member = await world.invite();
  expectOutcome(await correct(world, member.id, {}), 400, 'email');
  expectOutcome(await correct(world, member.id, { email: 'nobody' }), 400, 'email');
  expectOutcome(await correct(other, member.id, { email: anEmail() }), 404);
  const call = { body: { email: anEmail() }, bearer: other.owner.bearer };
  expectOutcome(await world.call('POST', `/members/${member.id}/invite/address`, call), 403);
});
