import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeLink } from '#lib/testing/links.ts';
import { makeClient, makeOwner, type Owner, PASSWORD, refresh, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const NEW = 'Orange-Lantern-88';
let owner: Owner;
let token: string;

beforeAll(async () => {
  owner = await makeOwner();
  token = (await signIn(owner)).access;
});

function change(
  fields: Record<string, unknown>,
  call: { token?: string; headers?: Record<string, string> } = { token },
) {
  return callAuth('POST', '/auth/changepassword', {
    body: { oldPassword: PASSWORD, newPassword: NEW, ...fields },
    ...call,
  });
}

function me(access: string) {
  return callAuth('GET', '/auth/me', { token: access });
}

test('200: this session goes on, all others end with their refresh tokens, open links end, and it is audited', async () => {
  const person = await makeOwner();
  const here = await signIn(person);
  const elsewhere = await signIn(person, { scope: 'offline' });
  const link = await makeLink({ kind: 'reset', userId: person.userId });
  expect((await change({}, { token: here.access })).status).toBe(200);
  expect((await me(here.access)).status).toBe(200);
  expect((await me(elsewhere.access)).status).toBe(401);
  expect((await refresh(elsewhere.tokens.refresh_token)).body.error).toBe('invalid_grant');
  const reuse = await callAuth('POST', '/auth/setpassword', { body: { ...link, password: 'Stolen-Account-13' } });
  expect(reuse.status).toBe(400);
  const events = await db()
    .select()
    .from(auditEvent)
    .where(eq(auditEvent.target, `User/${person.userId}`));
  expect(events.map(({ action }) => action)).toContain('user.password.change');
  expect(JSON.stringify(events)).not.toMatch(/Lantern|Hammock/);
});

describe('400', () => {
  test('names oldPassword when it is wrong and newPassword when it is not good enough', async () => {
    const wrong = await change({ oldPassword: 'Wrong-Hammock-41' });
    expect([wrong.status, wrong.body.issue[0].expression]).toEqual([400, ['oldPassword']]);
    for (const newPassword of ['seven77', 'password123', 'Corvette', 'é'.repeat(73), owner.email]) {
      const weak = await change({ newPassword });
      expect([weak.status, weak.body.issue[0].expression]).toEqual([400, ['newPassword']]);
    }
    const { body } = await callAuth('POST', '/auth/changepassword', { body: {}, token });
    expect(body.issue.map((issue: { expression: string[] }) => issue.expression[0])).toEqual([
      'oldPassword',
      'newPassword',
    ]);
  });
});

test('401 without a token', async () => {
  expect((await change({}, {})).status).toBe(401);
});

test('403 for a program, and for an administrator in a member’s place', async () => {
  const client = await makeClient(owner.projectId, {}, { admin: true });
  expect((await change({}, { headers: { authorization: client.basic } })).status).toBe(403);
  const headers = { authorization: client.basic, 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
  expect((await change({}, { headers })).status).toBe(403);
});

test('429: a stolen session cannot try passwords without end', async () => {
  const person = await makeOwner();
  const { access } = await signIn(person);
  const tries = Array.from({ length: 10 }, () => change({ oldPassword: 'Wrong-Hammock-41' }, { token: access }));
  await Promise.all(tries);
  const { status, headers } = await change({}, { token: access });
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
});
