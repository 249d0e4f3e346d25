import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import type { Answer } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { CTX, makeOwner, makePerson, startSession } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

function make(fields: Record<string, unknown>) {
  return callAuth('POST', '/auth/newproject', { body: { projectName: 'Moss Clinic', ...fields } });
}

async function openLogin() {
  const { userId } = await makePerson();
  const started = await createLogin(CTX, userId, {});
  return { userId, login: started.login };
}

function projectsOf(userId: string) {
  return db()
    .select()
    .from(membershipKey)
    .where(and(eq(membershipKey.userRef, `User/${userId}`), eq(membershipKey.admin, true)));
}

function expectLoginRefused({ status, body }: Answer): void {
  expect([status, body.issue[0].expression]).toEqual([400, ['login']]);
}

describe('400', () => {
  test('no login, no UUID, and names of the wrong length', async () => {
    const { login: id } = await openLogin();
    const { body } = await callAuth('POST', '/auth/newproject', { body: {} });
    expect(body.issue.map((issue: { expression: string[] }) => issue.expression[0])).toEqual(['login', 'projectName']);
    for (const projectName of ['abc', ' abc ', 'x'.repeat(73), 7, null]) {
      const answer = await make({ login: id, projectName });
      expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['projectName']]);
    }
    expectLoginRefused(await make({ login: 'x' }));
  });

  test('a login that is unknown, has a membership, was revoked or has waited for an hour', async () => {
    expectLoginRefused(await make({ login: newId() }));
    const owner = await makeOwner();
    expectLoginRefused(await make({ login: (await startSession(owner)).login }));
    const revoked = await openLogin();
    await db().update(login).set({ revoked: true }).where(eq(login.id, revoked.login));
    expectLoginRefused(await make(revoked));
    const old = await openLogin();
    const authTime = new Date(Date.now() - 3_600_001);
    await db().update(login).set({ authTime }).where(eq(login.id, old.login));
    expectLoginRefused(await make(old));
    expect(await projectsOf(old.userId)).toEqual([]);
  });

  test('a login that was started for a project: it must not end in another', async () => {
    const owner = await makeOwner();
    const started = await createLogin(CTX, owner.userId, { projectId: owner.projectId });
    expectLoginRefused(await make({ login: started.login }));
  });
});

test('of ten at the same moment one makes a project, the others leave nothing', async () => {
  const started = await openLogin();
  const answers = await Promise.all(Array.from({ length: 10 }, () => make({ login: started.login })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
  expect(await projectsOf(started.userId)).toHaveLength(1);
});
