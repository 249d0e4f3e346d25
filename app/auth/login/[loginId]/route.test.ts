import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { CTX, makeOwner, makePerson, type Owner, redeem, signIn, startSession } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

const resume = (id: string) => callAuth('GET', `/auth/login/${id}`);

async function expectRefused(id: string): Promise<void> {
  const { status, body } = await resume(id);
  expect([status, body.issue[0].expression]).toEqual([400, ['login']]);
}

test('200: the code of a sign-in that has its membership: a new one, for the old one is known to nobody', async () => {
  const { login: id, code, verifier } = await startSession(owner);
  const { status, body, headers } = await resume(id);
  expect([status, body]).toEqual([200, { login: id, code: expect.any(String) }]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect((await redeem({ code, code_verifier: verifier })).status).toBe(400);
  // Whoever has the id alone has no verifier.
  expect((await redeem({ code: body.code, code_verifier: 'x'.repeat(43) })).status).toBe(400);
  expect((await redeem({ code: body.code, code_verifier: verifier })).status).toBe(200);
  await expectRefused(id);
});

test('200: the memberships to choose from, and nothing but the login for who begins a project', async () => {
  const { login: several } = await createLogin(CTX, owner.userId, {});
  const { body } = await resume(several);
  expect(body.memberships.map((item: { id: string }) => item.id)).toEqual([owner.membershipId]);
  const { login: beginner } = await createLogin(CTX, (await makePerson()).userId, {});
  expect((await resume(beginner)).body).toEqual({ login: beginner });
});

test('200 without a code for a login that never had one: it waits for something else', async () => {
  const { login: id } = await startSession(owner);
  await db().update(login).set({ codeHash: null, codeExpiresAt: null }).where(eq(login.id, id));
  expect((await resume(id)).body).toEqual({ login: id });
});

test('400 for a login that is unknown, no UUID, granted, revoked, or has waited for an hour', async () => {
  await expectRefused(newId());
  await expectRefused('x');
  await expectRefused((await signIn(owner)).login);
  const { login: revoked } = await startSession(owner);
  await db().update(login).set({ revoked: true }).where(eq(login.id, revoked));
  await expectRefused(revoked);
  const { login: old } = await startSession(owner);
  const authTime = new Date(Date.now() - 3_600_001);
  await db().update(login).set({ authTime }).where(eq(login.id, old));
  await expectRefused(old);
});

test('429 from a network that asks for too many', async () => {
  const remote = '198.51.100.77';
  const ask = () => callAuth('GET', `/auth/login/${newId()}`, { remote });
  const statuses = new Set<number>();
  for (let round = 0; round < 13; round += 1) {
    for (const { status } of await Promise.all(Array.from({ length: 50 }, ask))) statuses.add(status);
  }
  expect([...statuses].sort()).toEqual([400, 429]);
});
