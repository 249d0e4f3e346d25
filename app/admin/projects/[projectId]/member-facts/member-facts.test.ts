import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { acceptedMember } from '#lib/testing/accounts.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { addProject, changeMember, makeClient, signIn as signInPerson } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const DAY_MS = 24 * 60 * 60_000;

async function facts(world: World, ...ids: string[]) {
  const answer = await world.call('GET', `/member-facts?membership=${ids.join(',')}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.rows as { membershipId: string; [name: string]: unknown }[];
}

function use(membershipId: string, lastUsedAt: Date, more: Partial<typeof login.$inferInsert> = {}) {
  return db()
    .update(login)
    .set({ lastUsedAt, ...more })
    .where(eq(login.membershipId, membershipId));
}

test('says since when, when last, of which scope and with how many sessions', async () => {
  const world = await createWorld();
  const [ann, pat] = [await world.invite({ scope: 'server' }), await world.invite({ resourceType: 'Patient' })];
  const [first] = await facts(world, pat.id);
  expect(first).toEqual({
    membershipId: pat.id,
    status: 'invited',
    joinedAt: (pat.meta as { lastUpdated: string }).lastUpdated,
    lastActiveAt: null,
    scope: 'project',
    endsAccount: true,
    activeSessions: 0,
    factors: [],
    passkey: false,
    byProvider: false,
    directory: null,
  });
  // What is changed later was not joined later.
  await changeMember({ projectId: world.projectId, membershipId: pat.id }, { admin: true });
  expect((await facts(world, pat.id))[0]).toMatchObject({ joinedAt: first!.joinedAt });

  await signIn(world.projectId, ann.id, ann.user.reference);
  await signIn(world.projectId, ann.id, ann.user.reference);
  const at = new Date(Date.now() - DAY_MS);
  await use(ann.id, at);
  expect((await facts(world, ann.id))[0]).toMatchObject({
    lastActiveAt: at.toISOString(),
    scope: 'server',
    endsAccount: false,
    activeSessions: 2,
    factors: [],
  });
  const more = await world.invite({ resourceType: 'Patient', email: pat.user.display, forceNewMembership: true });
  expect((await facts(world, pat.id, more.id)).map(({ endsAccount }) => endsAccount)).toEqual([false, false]);
});

test('a session that has ended counts as activity and not as a session; one that was never entered as neither', async () => {
  const world = await createWorld();
  const ann = await world.invite();
  await signIn(world.projectId, ann.id, ann.user.reference);
  const at = new Date(Date.now() - 20 * DAY_MS);
  await use(ann.id, at);
  expect((await facts(world, ann.id))[0]).toMatchObject({ lastActiveAt: at.toISOString(), activeSessions: 0 });
  await use(ann.id, new Date(), { revoked: true });
  expect((await facts(world, ann.id))[0]).toMatchObject({ activeSessions: 0, lastActiveAt: expect.any(String) });
  await use(ann.id, new Date(), { revoked: false, granted: false });
  expect((await facts(world, ann.id))[0]).toMatchObject({ activeSessions: 0, lastActiveAt: null });
});

test('a session lives as long as its client says, and a token of a client itself for an hour', async () => {
  const world = await createWorld();
  const app = await makeClient(world.projectId, { refreshTokenLifetime: '30d' });
  const ann = await world.invite();
  await signIn(world.projectId, ann.id, ann.user.reference);
  await use(ann.id, new Date(Date.now() - 20 * DAY_MS), { clientId: app.id });
  expect((await facts(world, ann.id))[0]).toMatchObject({ activeSessions: 1 });
  await signIn(world.projectId, app.membershipId, app.profile);
  await use(app.membershipId, new Date(Date.now() - DAY_MS / 12), { clientId: app.id, authMethod: 'client' });
  expect((await facts(world, app.membershipId))[0]).toMatchObject({ activeSessions: 0, scope: null });
});

test('the longest lifetime that a client may have is no fault of the list', async () => {
  const world = await createWorld();
  const app = await makeClient(world.projectId, { refreshTokenLifetime: '99999y', accessTokenLifetime: '99999y' });
  const ann = await world.invite();
  await signIn(world.projectId, ann.id, ann.user.reference);
  await use(ann.id, new Date(Date.now() - 20 * DAY_MS), { clientId: app.id });
  expect((await facts(world, ann.id))[0]).toMatchObject({ activeSessions: 1 });
});

test('what somebody does in another project is not told', async () => {
  const world = await createWorld();
  const ann = await acceptedMember(world, 'server');
  const elsewhere = await addProject(ann.userId, ann.email);
  await signInPerson({ userId: ann.userId, email: ann.email, ...elsewhere });
  expect((await facts(world, ann.id))[0]).toMatchObject({ lastActiveAt: null, activeSessions: 0, scope: 'server' });
  // Nor anything of a membership there.
  expect(await facts(world, elsewhere.membershipId, newId())).toEqual([]);
});

test('one statement, whatever the number of members', async () => {
  const world = await createWorld();
  const ids = [
    world.owner.membershipId,
    ...(await Promise.all([1, 2, 3].map(() => world.invite()))).map(({ id }) => id),
  ];
  await facts(world, ...ids);
  const seen: string[] = [];
  const stop = watchStatements((text) => seen.push(text));
  const rows = await facts(world, ...ids);
  stop();
  expect(rows).toHaveLength(4);
  // The other one is the caller's own login, which nothing keeps while no listener stands.
  expect(seen.filter((text) => text.includes('membership_key'))).toHaveLength(1);
});

test('400 for what are no ids, too many or none; 401; 403 for a member and for a stranger', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const ann = await world.invite();
  expectOutcome(await world.call('GET', '/member-facts'), 400, 'membership');
  expectOutcome(await world.call('GET', '/member-facts?membership=nonsense'), 400, 'membership');
  const many = Array.from({ length: 201 }, newId).join(',');
  expectOutcome(await world.call('GET', `/member-facts?membership=${many}`), 400, 'membership');
  const path = `/member-facts?membership=${ann.id}`;
  expectOutcome(await world.call('GET', path, { bearer: null }), 401);
  expectOutcome(await world.call('GET', path, { bearer: other.owner.bearer }), 403);
  const bearer = await signIn(world.projectId, ann.id, ann.user.reference);
  expectOutcome(await world.call('GET', path, { bearer }), 403);
});
