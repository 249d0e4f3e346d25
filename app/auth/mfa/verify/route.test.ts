import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { recoveryCode } from '#lib/infra/db/schema/factor.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { type Enrolled, enrollTotp, startSignIn, verify } from '#lib/testing/factors.ts';
import { addProject, makeOwner, type Owner, redeem, refresh, signIn, startSession } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const SERVER = '00000000-0000-0000-0000-000000000000';
const VERIFIER = 'v'.repeat(43);

let owner: Owner;
let person: Enrolled;

beforeEach(async () => {
  owner = await makeOwner();
  person = await enrollTotp(owner);
});

async function waiting(fields: object = {}): Promise<string> {
  const { status, body } = await startSignIn(owner, fields);
  expect([status, body]).toEqual([
    200,
    { login: expect.any(String), mfaRequired: true, mfaMethods: ['totp'], email: owner.email },
  ]);
  return body.login;
}

describe('POST /auth/mfa/verify', () => {
  test('200: a code of the authenticator gives the code of the sign-in, which gives tokens', async () => {
    const id = await waiting();
    const { status, body } = await verify(id, person.app.next());
    expect([status, body]).toEqual([200, { login: id, code: expect.any(String) }]);
    const tokens = await redeem({ code: body.code, code_verifier: VERIFIER });
    expect(tokens.status).toBe(200);
    const me = await callAuth('GET', '/auth/me', { token: tokens.body.access_token });
    expect(me.body.security.mfaEnrolled).toBe(true);
  });

  test('a code is spent once: not by another sign-in, and not by two at once', async () => {
    const [one, other] = [await waiting(), await waiting()];
    const code = person.app.next();
    const answers = await Promise.all([verify(one, code), verify(other, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await verify(await waiting(), code)).status).toBe(400);
  });

  test('a shorter recovery code, as they once were, is good until it is spent', async () => {
    const earlier = 'k7mq-2xwd-9fhp-4tzn';
    const codeHash = hashSecret(`${owner.userId}\n${earlier.replaceAll('-', '')}`);
    await db().insert(recoveryCode).values({ userId: owner.userId, codeHash });
    expect((await verify(await waiting(), earlier)).status).toBe(200);
    expect((await verify(await waiting(), earlier)).status).toBe(400);
  });

  test('a recovery code counts once, however it is typed, and the log says so', async () => {
    const [code = ''] = person.recoveryCodes;
    expect(person.recoveryCodes).toHaveLength(10);
    expect((await verify(await waiting(), ` ${code.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    expect((await verify(await waiting(), code)).status).toBe(400);
    expect(await auditOf(SERVER, `User/${owner.userId}`)).toContain('user.factor.recover');
    const status = await callAuth('GET', '/auth/mfa/status', { token: person.access });
    expect(status.body.recoveryCodesLeft).toBe(9);
  });

  test('400 for a login that is unknown, verified, granted or waits for no code', async () => {
    const id = await waiting();
    const { body } = await verify(id, person.app.next());
    expect((await verify(id, person.app.next())).body.issue[0]).toMatchObject({ expression: ['login'] });
    await redeem({ code: body.code, code_verifier: VERIFIER });
    expect((await verify(id, '123456')).body.issue[0]).toMatchObject({ expression: ['login'] });
    expect((await verify(newId(), '123456')).status).toBe(400);
    const plain = await makeOwner();
    expect((await verify((await startSession(plain)).login, '123456')).status).toBe(400);
  });

  test('the fifth wrong code ends the sign-in; the right one comes too late, and each is audited', async () => {
    const id = await waiting();
    for (let at = 0; at < 5; at += 1) {
      const { status, body } = await verify(id, person.app.wrong());
      expect([status, body.issue[0].expression]).toEqual([400, ['token']]);
    }
    const { status, body } = await verify(id, person.app.next());
    expect([status, body.issue[0].details.text]).toEqual([400, 'Login revoked']);
    const failed = (await auditOf(SERVER, `User/${owner.userId}`)).filter((action) => action === 'user.factor.failed');
    expect(failed).toHaveLength(5);
  });

  test('guesses at once are no more guesses', async () => {
    const id = await waiting();
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify(id, person.app.wrong())));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(5);
    const failed = (await auditOf(SERVER, `User/${owner.userId}`)).filter((action) => action === 'user.factor.failed');
    expect(failed.length).toBeLessThanOrEqual(5);
  });

  test('429 with Retry-After after ten wrong codes of a person in 15 minutes, by whichever sign-ins', async () => {
    for (let at = 0; at < 2; at += 1) {
      const id = await waiting();
      for (let wrong = 0; wrong < 5; wrong += 1) await verify(id, person.app.wrong());
    }
    const { status, headers } = await verify(await waiting(), person.app.next());
    expect([status, Number(headers.get('retry-after')) > 800]).toEqual([429, true]);
    await db()
      .delete(rateCounter)
      .where(eq(rateCounter.key, hashSecret(`factor:${owner.userId}`)));
    expect((await verify(await waiting(), person.app.next())).status).toBe(200);
  });
});

describe('no code before the factor is proven', () => {
  test('not by resuming, by fewer scopes, or by choosing the membership', async () => {
    const id = await waiting({ scope: 'openid profile' });
    const answers = [
      await callAuth('GET', `/auth/login/${id}`),
      await callAuth('POST', '/auth/scope', { body: { login: id, scope: 'openid' } }),
      await callAuth('POST', '/auth/profile', { body: { login: id, profile: owner.membershipId } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.mfaRequired, body.code]).toEqual([200, true, undefined]);
    }
    const [row] = await db().select().from(login).where(eq(login.id, id));
    expect([row?.membershipId, row?.codeHash, row?.projectId]).toEqual([null, null, SERVER]);
    expect((await verify(id, person.app.next())).body.code).toEqual(expect.any(String));
  });

  test('not by making a project', async () => {
    const id = await waiting({ projectId: 'new' });
    const make = () => callAuth('POST', '/auth/newproject', { body: { login: id, projectName: 'Another' } });
    expect((await make()).status).toBe(400);
    await verify(id, person.app.next());
    expect((await make()).body.code).toEqual(expect.any(String));
  });

  test('of several memberships none is shown, and then all', async () => {
    await addProject(owner.userId, owner.email);
    const id = await waiting();
    const { body } = await verify(id, person.app.next());
    expect(body.memberships).toHaveLength(2);
    const chosen = await callAuth('POST', '/auth/profile', { body: { login: id, profile: body.memberships[1].id } });
    expect(chosen.body.code).toEqual(expect.any(String));
  });

  test('a session from before goes on, and is renewed; but it opens no other project', async () => {
    const late = await makeOwner();
    const other = await addProject(late.userId, late.email);
    const { tokens, access } = await signIn(late, { scope: 'openid offline' });
    const enrolled = await enrollTotp(late);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
    const body = { membership: other.membershipId, codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
    const refused = await callAuth('POST', '/auth/switch', { token: access, body });
    expect([refused.status, refused.body.mfaRequired, refused.body.code]).toEqual([200, true, undefined]);
    expect((await verify(refused.body.login, enrolled.app.next())).body.code).toEqual(expect.any(String));
    // The session that brought the code has proven it.
    const proven = await callAuth('POST', '/auth/switch', { token: enrolled.access, body });
    expect(proven.body.code).toEqual(expect.any(String));
  });
});
