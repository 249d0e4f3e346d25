import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, CTX, makeOwner, type Owner, redeem, signIn, startSession } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const ASKED = 'openid email user/Patient.rs user/Observation.cruds';
let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function choose(id: string, scope: unknown) {
  return callAuth('POST', '/auth/scope', { body: { login: id, scope } });
}

async function expectRefused(id: string, scope: unknown, field: 'login' | 'scope'): Promise<void> {
  const { status, body } = await choose(id, scope);
  expect([status, body.issue[0].expression]).toEqual([400, [field]]);
}

test('200: the token has what was chosen, and the code before it is gone', async () => {
  const { login: id, code, verifier } = await startSession(owner, { scope: ASKED });
  const { status, body } = await choose(id, 'openid user/Patient.rs');
  expect([status, body]).toEqual([200, { login: id, code: expect.any(String) }]);
  expect((await redeem({ code, code_verifier: verifier })).status).toBe(400);
  const tokens = await redeem({ code: body.code, code_verifier: verifier });
  expect([tokens.body.scope, decodeJwt(tokens.body.id_token).email]).toEqual(['openid user/Patient.rs', undefined]);
  const read = (type: string) => callAuth('GET', `/fhir/R4/${type}`, { token: tokens.body.access_token });
  expect([(await read('Patient')).status, (await read('Observation')).status]).toEqual([200, 403]);
});

test('200: before the membership is chosen, the choice is still to come', async () => {
  const person = await makeOwner();
  const second = await addProject(person.userId, person.email);
  const pkce = { codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' as const };
  const { login: id } = await createLogin(CTX, person.userId, { ...pkce, scope: ASKED });
  const { body } = await choose(id, 'openid user/Patient.rs');
  expect(body.code).toBeUndefined();
  expect(body.memberships.map((item: { id: string }) => item.id)).toContain(second.membershipId);
  const chosen = await callAuth('POST', '/auth/profile', { body: { login: id, profile: second.membershipId } });
  const tokens = await redeem({ code: chosen.body.code, code_verifier: 'p'.repeat(43) });
  expect(tokens.body.scope).toBe('openid user/Patient.rs');
});

describe('400', () => {
  test('any scope that was not asked for, and none; nothing has changed', async () => {
    const { login: id, code, verifier } = await startSession(owner, { scope: ASKED });
    for (const scope of [
      '',
      ' ',
      undefined,
      7,
      'a"b',
      'openid profile',
      'user/*.rs',
      'user/Patient.cruds',
      `${ASKED} offline`,
    ])
      await expectRefused(id, scope, 'scope');
    expect((await redeem({ code, code_verifier: verifier })).body.scope).toBe(ASKED);
  });

  test('to take all scopes for records away, which would leave the token everything', async () => {
    const { login: id } = await startSession(owner, { scope: ASKED });
    await expectRefused(id, 'openid email', 'scope');
  });

  test('what was given back is not asked for any more', async () => {
    const { login: id } = await startSession(owner, { scope: ASKED });
    expect((await choose(id, 'openid user/Patient.rs')).status).toBe(200);
    await expectRefused(id, ASKED, 'scope');
  });

  test('a login that is unknown, no UUID, granted, revoked, or has waited for an hour', async () => {
    await expectRefused(newId(), 'openid', 'login');
    await expectRefused('x', 'openid', 'login');
    await expectRefused((await signIn(owner)).login, 'openid', 'login');
    const change = async (values: Partial<typeof login.$inferInsert>) => {
      const { login: id } = await startSession(owner);
      await db().update(login).set(values).where(eq(login.id, id));
      return id;
    };
    await expectRefused(await change({ revoked: true }), 'openid', 'login');
    await expectRefused(await change({ authTime: new Date(Date.now() - 3_600_001) }), 'openid', 'login');
  });
});

test('of a choice and a redemption at the same moment: what was given back is not reached by any token', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { login: id, code, verifier } = await startSession(owner, { scope: ASKED });
    const [chosen, tokens] = await Promise.all([
      choose(id, 'user/Patient.rs'),
      redeem({ code, code_verifier: verifier }),
    ]);
    expect([chosen.status, tokens.status]).toContain(200);
    const token = tokens.body.access_token;
    const read = token && (await callAuth('GET', '/fhir/R4/Observation', { token })).status;
    // Redeemed before the choice, it has all that was asked for, and the choice is refused.
    expect(read ?? 403).toBe(chosen.status === 200 ? 403 : 200);
  }
});
