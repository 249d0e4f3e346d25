import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { acceptedMember } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { addProject, makeClient, refresh, signIn as signInPerson } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

// With the cache in front: ending must reach what is cached.
beforeAll(startInvalidation);
afterAll(stopInvalidation);

type Session = { id: string; [name: string]: unknown };

async function list(world: World, membershipId: string): Promise<Session[]> {
  const answer = await world.call('GET', `/members/${membershipId}/sessions`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.total).toBe(answer.body.rows.length);
  return answer.body.rows;
}

const me = (bearer: string) => callApi(bearer, 'GET', '/auth/me').then(({ status }) => status);

/** A member with two sessions, both of them cached. */
async function twice(world: World) {
  const member = await world.invite();
  const sign = () => signIn(world.projectId, member.id, member.user.reference);
  const bearers = [await sign(), await sign()];
  for (const bearer of bearers) expect(await me(bearer)).toBe(200);
  return { member, path: `/members/${member.id}/sessions`, bearers };
}

async function lastAudit(projectId: string) {
  const [row] = await db()
    .select()
    .from(auditEvent)
    .where(eq(auditEvent.projectId, projectId))
    .orderBy(desc(auditEvent.at))
    .limit(1);
  return row;
}

describe('the list', () => {
  test('says when, how and through what, and nothing of where from', async () => {
    const world = await createWorld();
    const { member } = await twice(world);
    const app = await makeClient(world.projectId, { name: 'Ward app' });
    const [first] = await list(world, member.id);
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
    const more = { userAgent, clientId: app.id, remoteAddress: '10.9.8.7', lastUsedAt: new Date() };
    await db().update(login).set(more).where(eq(login.id, first!.id));
    const rows = await list(world, member.id);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      id: first!.id,
      startedAt: expect.stringMatching(/Z$/),
      lastUsedAt: more.lastUsedAt.toISOString(),
      method: 'password',
      browser: 'Chrome',
      os: 'Linux',
      client: { reference: `ClientApplication/${app.id}`, display: 'Ward app' },
      current: false,
    });
    expect(rows[1]).toMatchObject({ client: null });
    expect(JSON.stringify(rows)).not.toContain('10.9.8.7');
  });

  test('marks the one that asks', async () => {
    const world = await createWorld();
    await signIn(world.projectId, world.owner.membershipId, `User/${world.owner.userId}`);
    const rows = await list(world, world.owner.membershipId);
    expect(rows.map(({ current }) => current).sort()).toEqual([false, true]);
  });

  test('holds what a client signed in as itself, while its token lives', async () => {
    const world = await createWorld();
    const client = await makeClient(world.projectId, { name: 'Nightly' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await callApi(client.basic, 'POST', '/oauth2/token', { body: 'grant_type=client_credentials', headers });
    const rows = await list(world, client.membershipId);
    expect(rows).toMatchObject([{ method: 'client', client: { display: 'Nightly' } }]);
    const past = new Date(Date.now() - 61 * 60_000);
    await db().update(login).set({ lastUsedAt: past }).where(eq(login.id, rows[0]!.id));
    expect(await list(world, client.membershipId)).toEqual([]);
  });

  test('holds nothing of the same person elsewhere', async () => {
    const world = await createWorld();
    const ann = await acceptedMember(world, 'server');
    const elsewhere = await addProject(ann.userId, ann.email);
    await signInPerson({ userId: ann.userId, email: ann.email, ...elsewhere });
    expect(await list(world, ann.id)).toEqual([]);
  });
});

describe('ending', () => {
  test('one: that token is refused at once, the other works; audited; a second time it is not there', async () => {
    const world = await createWorld();
    const { member, path, bearers } = await twice(world);
    const ids = (await list(world, member.id)).map(({ id }) => id);
    expect((await world.call('DELETE', `${path}/${ids[0]}`)).status).toBe(200);
    expect((await Promise.all(bearers.map(me))).sort()).toEqual([200, 401]);
    expect((await list(world, member.id)).map(({ id }) => id)).toEqual([ids[1]]);
    expect(await lastAudit(world.projectId)).toMatchObject({
      action: 'login.revoke',
      target: member.user.reference,
      actorMembership: world.owner.membershipId,
    });
    expectOutcome(await world.call('DELETE', `${path}/${ids[0]}`), 404);
  });

  test('all: every token and refresh token of the member here, none of theirs elsewhere and nobody else’s', async () => {
    const world = await createWorld();
    const ann = await acceptedMember(world, 'server');
    const person = { userId: ann.userId, email: ann.email };
    const here = await signInPerson(
      { ...person, projectId: world.projectId, membershipId: ann.id },
      { scope: 'openid offline' },
    );
    const there = await signInPerson({ ...person, ...(await addProject(ann.userId, ann.email)) });
    const other = await twice(world);
    expect(await me(`Bearer ${here.access}`)).toBe(200);
    const answer = await world.call('DELETE', `/members/${ann.id}/sessions`);
    expect(answer).toMatchObject({ status: 200, body: { ended: 1 } });
    expect(await me(`Bearer ${here.access}`)).toBe(401);
    expect((await refresh(here.tokens.refresh_token)).status).toBe(400);
    expect(await me(`Bearer ${there.access}`)).toBe(200);
    for (const bearer of other.bearers) expect(await me(bearer)).toBe(200);
    expect(await lastAudit(world.projectId)).toMatchObject({ action: 'login.revoke', before: { sessions: 1 } });
    expect((await world.call('DELETE', `/members/${ann.id}/sessions`)).body).toEqual({ ended: 0 });
  });

  test('also what the list does not show any more', async () => {
    const world = await createWorld();
    const { member, path, bearers } = await twice(world);
    const past = new Date(Date.now() - 20 * 24 * 60 * 60_000);
    await db().update(login).set({ lastUsedAt: past }).where(eq(login.membershipId, member.id));
    expect(await list(world, member.id)).toEqual([]);
    expect((await world.call('DELETE', path)).body).toEqual({ ended: 2 });
    for (const bearer of bearers) expect(await me(bearer)).toBe(401);
  });

  test('one’s own session is a session', async () => {
    const world = await createWorld();
    const current = (await list(world, world.owner.membershipId)).find((row) => row.current);
    const path = `/members/${world.owner.membershipId}/sessions/${current!.id}`;
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect(await me(world.owner.bearer)).toBe(401);
  });
});

test('401 for nobody, 403 for a member and a stranger, whatever is asked for', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const { member, path } = await twice(world);
  const [{ id }] = (await list(world, member.id)) as [Session];
  const bearer = await signIn(world.projectId, member.id, member.user.reference);
  for (const [method, at] of [
    ['GET', path],
    ['DELETE', path],
    ['DELETE', `${path}/${id}`],
  ] as const) {
    expectOutcome(await world.call(method, at, { bearer: null }), 401);
    expectOutcome(await world.call(method, at, { bearer }), 403);
    expectOutcome(await world.call(method, at, { bearer: other.owner.bearer }), 403);
  }
  expect(await list(world, member.id)).toHaveLength(3);
});

test('404 for another project’s member or session, another member’s session and no id; 410 for a removed member', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const [mine, second, theirs] = [await twice(world), await twice(world), await twice(other)];
  const [foreign] = await list(other, theirs.member.id);
  const [neighbour] = await list(world, second.member.id);
  for (const id of [theirs.member.id, newId(), 'nonsense']) {
    expectOutcome(await world.call('GET', `/members/${id}/sessions`), 404);
    expectOutcome(await world.call('DELETE', `/members/${id}/sessions`), 404);
    expectOutcome(await world.call('DELETE', `/members/${id}/sessions/${foreign!.id}`), 404);
  }
  for (const id of [foreign!.id, neighbour!.id, newId(), 'nonsense']) {
    expectOutcome(await world.call('DELETE', `${mine.path}/${id}`), 404);
  }
  for (const bearer of [...mine.bearers, ...second.bearers, ...theirs.bearers]) expect(await me(bearer)).toBe(200);
  await world.call('DELETE', `/members/${mine.member.id}`);
  expectOutcome(await world.call('GET', mine.path), 410);
});
