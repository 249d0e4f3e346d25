import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { cacheIsLive, startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeMember, makeClient, makeOwner, refresh, removeMember, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let other: postgres.Sql;

beforeAll(async () => {
  await startInvalidation();
  other = postgres(env().DATABASE_URL, { max: 1 });
});

afterAll(async () => {
  await other.end();
  await stopInvalidation();
});

async function statusOf(token: string): Promise<number> {
  return (await callAuth('GET', '/auth/me', { token })).status;
}

/** A session that is cached: a change behind its back does not show. */
async function warmSession() {
  const owner = await makeOwner();
  const session = await signIn(owner, { scope: 'offline' });
  expect(await statusOf(session.access)).toBe(200);
  await db().update(login).set({ revoked: true }).where(eq(login.id, session.login));
  expect(await statusOf(session.access)).toBe(200);
  await db().update(login).set({ revoked: false }).where(eq(login.id, session.login));
  return { owner, ...session };
}

test('a session that is used says so, within minutes and without a wait', async () => {
  const session = await signIn(await makeOwner());
  const longAgo = new Date(Date.now() - 3_600_000);
  await db().update(login).set({ lastUsedAt: longAgo }).where(eq(login.id, session.login));
  expect(await statusOf(session.access)).toBe(200);
  const lastUsed = async () => (await db().select().from(login).where(eq(login.id, session.login)))[0]?.lastUsedAt;
  await expect.poll(async () => Date.now() - ((await lastUsed())?.getTime() ?? 0)).toBeLessThan(60_000);
  await db().update(login).set({ lastUsedAt: longAgo }).where(eq(login.id, session.login));
  for (let round = 0; round < 3; round++) expect(await statusOf(session.access)).toBe(200);
  expect(await lastUsed()).toEqual(longAgo);
});

describe('a change acts on live tokens at once', () => {
  test('the next refresh finds its membership turned off', async () => {
    const { owner, tokens } = await warmSession();
    const next = await refresh(tokens.refresh_token);
    await changeMember(owner, { active: false });
    const { status, body } = await refresh(next.body.refresh_token);
    expect([status, body.error]).toEqual([400, 'access_denied']);
  });

  test('sign-out', async () => {
    const { access } = await warmSession();
    await callAuth('POST', '/oauth2/logout', { token: access });
    expect(await statusOf(access)).toBe(401);
  });

  test('demotion', async () => {
    const { owner, access } = await warmSession();
    await changeMember(owner, { admin: false });
    const { body } = await callAuth('GET', '/auth/me', { token: access });
    expect(body.membership.admin).toBe(false);
  });

  test('deactivation, and coming back does not bring back the old tokens', async () => {
    const { owner, access, tokens } = await warmSession();
    await changeMember(owner, { active: false });
    expect(await statusOf(access)).toBe(401);
    await changeMember(owner, { active: true });
    expect(await statusOf(access)).toBe(401);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    expect(await statusOf((await signIn(owner)).access)).toBe(200);
  });

  test('removal: 401 and nothing else', async () => {
    const { owner, access } = await warmSession();
    await removeMember(owner);
    expect(await statusOf(access)).toBe(401);
  });

  test('a program that calls with its secret', async () => {
    const { projectId } = await makeOwner();
    const { basic, membershipId } = await makeClient(projectId);
    const call = () => callAuth('GET', '/auth/me', { headers: { authorization: basic } });
    expect((await call()).status).toBe(200);
    await changeMember({ projectId, membershipId }, { active: false });
    expect((await call()).status).toBe(401);
  });
});

describe('from elsewhere', () => {
  test('another connection says it', async () => {
    const { login: id, access } = await warmSession();
    await other.begin(async (sql) => {
      await sql`update login set revoked = true where id = ${id}`;
      await sql`select pg_notify('gatehouse_invalidate', ${`login:${id}`})`;
    });
    await expect.poll(() => statusOf(access), { interval: 2 }).toBe(401);
  });

  test('another process of the product does it', async () => {
    const { login: id, access, owner } = await warmSession();
    const script = `
      import { revokeLogin } from '#lib/domain/sessions/revoke-login.ts';
      import { closeDb } from '#lib/infra/db/client.ts';
      const ctx = { requestId: 'other', remoteAddress: '', userAgent: '' };
      await revokeLogin(ctx, { id: '${id}', userRef: 'User/${owner.userId}', projectId: '${owner.projectId}' });
      await closeDb();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env: process.env });
    await expect.poll(() => statusOf(access), { interval: 2 }).toBe(401);
  });

  test('while the listening connection is down nothing cached is trusted, and it comes back by itself', async () => {
    const { login: id, access } = await warmSession();
    await other`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gatehouse-ear' and datname = current_database()`;
    await expect.poll(cacheIsLive, { interval: 1 }).toBe(false);
    await other`update login set revoked = true where id = ${id}`;
    expect(await statusOf(access)).toBe(401);
    await expect.poll(cacheIsLive).toBe(true);
    expect(await statusOf(access)).toBe(401);
    const { access: fresh } = await warmSession();
    await callAuth('POST', '/oauth2/logout', { token: fresh });
    expect(await statusOf(fresh)).toBe(401);
  });
});
