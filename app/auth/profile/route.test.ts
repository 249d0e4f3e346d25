import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, CTX, changeMember, makeClient, makeOwner, type Owner, redeem } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const PLAIN = { codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' as const };
let owner: Owner;
let second: { projectId: string; membershipId: string };

beforeAll(async () => {
  owner = await makeOwner();
  second = await addProject(owner.userId, owner.email);
});

async function open(fields = {}): Promise<string> {
  return (await createLogin(CTX, owner.userId, { ...PLAIN, ...fields })).login;
}

function choose(id: string, profile: string) {
  return callAuth('POST', '/auth/profile', { body: { login: id, profile } });
}

async function expectRefused(id: string, profile: string, field: 'login' | 'profile'): Promise<void> {
  const { status, body } = await choose(id, profile);
  expect([status, body.issue[0].expression]).toEqual([400, [field]]);
}

test('200: the membership that was chosen is the one of the tokens, and the login goes with its project', async () => {
  const id = await open();
  const where = async () => (await db().select().from(login).where(eq(login.id, id))).map(({ projectId }) => projectId);
  expect(await where()).toEqual([SERVER_SCOPE]);
  const { status, body } = await choose(id, second.membershipId);
  expect(await where()).toEqual([second.projectId]);
  expect([status, body]).toEqual([200, { login: expect.any(String), code: expect.any(String) }]);
  const tokens = await redeem({ code: body.code, code_verifier: 'p'.repeat(43) });
  expect(tokens.body.project.reference).toBe(`Project/${second.projectId}`);
});

test('200: a code of the release before, which names no project', async () => {
  const id = await open();
  await choose(id, second.membershipId);
  await db()
    .update(login)
    .set({ codeHash: hashSecret('of-the-release-before') })
    .where(eq(login.id, id));
  const tokens = await redeem({ code: 'of-the-release-before', code_verifier: 'p'.repeat(43) });
  expect(tokens.body.project.reference).toBe(`Project/${second.projectId}`);
});

describe('400', () => {
  test('no UUIDs, an unknown login, an unknown membership', async () => {
    await expectRefused('x', second.membershipId, 'login');
    await expectRefused(await open(), 'x', 'profile');
    await expectRefused(newId(), second.membershipId, 'login');
    await expectRefused(await open(), newId(), 'profile');
  });

  test('another person’s membership, and one’s own that is not active', async () => {
    await expectRefused(await open(), (await makeOwner()).membershipId, 'profile');
    const third = await addProject(owner.userId, owner.email);
    await changeMember(third, { active: false });
    await expectRefused(await open(), third.membershipId, 'profile');
  });

  test('a membership beyond the project, the client or the profile type that the sign-in asked for', async () => {
    await expectRefused(await open({ projectId: owner.projectId }), second.membershipId, 'profile');
    const client = await makeClient(owner.projectId);
    const limited = await open({ clientId: client.id, projectId: owner.projectId });
    await expectRefused(limited, second.membershipId, 'profile');
    await expectRefused(await open({ resourceType: 'Patient' }), second.membershipId, 'profile');
  });

  test('a login that chose already, was revoked, or has waited for an hour', async () => {
    const chosen = await open();
    expect((await choose(chosen, second.membershipId)).status).toBe(200);
    await expectRefused(chosen, owner.membershipId, 'login');
    const revoked = await open();
    await db().update(login).set({ revoked: true }).where(eq(login.id, revoked));
    await expectRefused(revoked, owner.membershipId, 'login');
    const old = await open();
    const authTime = new Date(Date.now() - 3_600_001);
    await db().update(login).set({ authTime }).where(eq(login.id, old));
    await expectRefused(old, owner.membershipId, 'login');
  });
});

test('of two choices at the same moment one wins, and the other’s code does not exist', async () => {
  const id = await open();
  const answers = await Promise.all([choose(id, owner.membershipId), choose(id, second.membershipId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});
