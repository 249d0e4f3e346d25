import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { signInLink } from '#lib/infra/db/schema/sign-in-link.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { makeApp } from '#lib/testing/app.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { enrollTotp, verify } from '#lib/testing/factors.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { addProject, changeMember, makeOwner, type Owner, PASSWORD, redeem, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { setProject } from '#lib/testing/ways.ts';
import { anEmail } from '#lib/testing/world.ts';

const VERIFIER = 'v'.repeat(43);
const PLAIN = { codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
const OTHER = { codeChallenge: 'w'.repeat(43), codeChallengeMethod: 'plain' };

async function person(): Promise<Owner> {
  const owner = await makeOwner();
  await changeMember(owner, { signInWays: ['link', 'passkey', 'password'] });
  return owner;
}

function begin(email: string, fields: object = {}, remote?: string) {
  return callAuth('POST', '/auth/signinlink', { body: { email, ...PLAIN, ...fields }, remote });
}

function spend(fields: object, remote?: string) {
  return callAuth('POST', '/auth/signinlink/spend', { body: fields, remote });
}

/** A sign-in that was begun, and what its mail says. */
async function mailed({ email }: Owner, fields: object = {}) {
  const { status, body, text } = await begin(email, fields);
  expect(status, text).toBe(200);
  const [mail] = await waitingMail(email);
  expect(mail?.template).toBe('sign-in-link');
  const { code = '', url } = mail!.params;
  return { id: body.id as string, code, link: url === undefined ? undefined : toLink(url) };
}

function wrong(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}

describe('200', () => {
  test('the code gives the code of a sign-in, which gives tokens; it is known as what it is, and the log says so', async () => {
    const owner = await person();
    const { id, code } = await mailed(owner);
    const { status, body } = await spend({ id, code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
    expect([status, body]).toEqual([200, { login: expect.any(String), code: expect.any(String) }]);
    expect(body.login).not.toBe(id);
    const tokens = await redeem({ code: body.code, code_verifier: VERIFIER });
    expect(tokens.status).toBe(200);
    const [row] = await db().select().from(login).where(eq(login.id, body.login));
    expect(row?.authMethod).toBe('link');
    const actions = await auditOf(owner.projectId, `User/${owner.userId}`);
    expect(actions).toEqual(expect.arrayContaining(['user.link.request', 'login.link', 'login.grant']));
    // It is a sign-in of their own, like that with a password.
    const own = await callAuth('GET', '/auth/mfa/status', { token: tokens.body.access_token });
    expect(own.status).toBe(200);
  });

  test('the link signs in where it is opened, by a challenge of that browser’s own', async () => {
    const owner = await person();
    const { id, link } = await mailed(owner);
    expect(link?.id).toBe(id);
    const { body } = await spend({ ...link, ...OTHER });
    expect((await redeem({ code: body.code, code_verifier: VERIFIER })).status).toBe(400);
    const again = await spend({ ...(await mailed(owner)).link, ...OTHER });
    expect((await redeem({ code: again.body.code, code_verifier: 'w'.repeat(43) })).status).toBe(200);
  });

  test('who began it has nothing of what the mail’s reader gets: the id is no login', async () => {
    const owner = await person();
    const { id, link } = await mailed(owner);
    expectOutcome(await callAuth('GET', `/auth/login/${id}`), 400, 'login');
    await spend({ ...link, ...OTHER });
    expectOutcome(await callAuth('GET', `/auth/login/${id}`), 400, 'login');
  });

  test('an app gets a code and no link, and keeps its own challenge', async () => {
    const owner = await person();
    const app = await makeApp(owner);
    const { id, code, link } = await mailed(owner, { clientId: app.id });
    expect(link).toBeUndefined();
    expectOutcome(await spend({ id, code, ...OTHER }), 400, 'codeChallenge');
    const { body } = await spend({ id, code });
    const tokens = await redeem({ code: body.code, code_verifier: VERIFIER, client_id: app.id });
    expect(tokens.status).toBe(200);
  });

  test('several memberships: those that are entered by link', async () => {
    const owner = await person();
    const second = await addProject(owner.userId, owner.email);
    const only = await mailed(owner);
    expect((await spend({ id: only.id, code: only.code })).body).toHaveProperty('code');
    await changeMember({ ...owner, ...second }, { signInWays: ['link'] });
    const { id, code } = await mailed(owner);
    expect((await spend({ id, code })).body.memberships).toHaveLength(2);
  });

  test('a second factor is asked for as after a password', async () => {
    const owner = await person();
    const { app } = await enrollTotp(owner);
    const { id, code } = await mailed(owner);
    const { body } = await spend({ id, code });
    expect(body).toEqual({ login: expect.any(String), mfaRequired: true, mfaMethods: ['totp'], email: owner.email });
    expect((await verify(body.login, app.next())).body.code).toEqual(expect.any(String));
  });

  test('a code to the same mailbox is no second factor: neither proven nor enrolled', async () => {
    const owner = await person();
    const { tokens } = await signIn(owner);
    const token = tokens.access_token;
    const settings = { allowedMfaMethods: 'email', mfaRequired: 'everyone' };
    expect((await setProject(owner.projectId, settings)).status).toBe(200);
    const first = await mailed(owner);
    const refused = await spend({ id: first.id, code: first.code });
    expectOutcome(refused, 400);
    expect(refused.body.issue[0].details.text).toContain('a code to the same mailbox is none');
    await callAuth('POST', '/auth/mfa/send-email-challenge', { token });
    const [mail] = await waitingMail(owner.email);
    const body = { token: mail?.params.code, method: 'email' };
    expect((await callAuth('POST', '/auth/mfa/enroll', { token, body })).status).toBe(200);
    const { id, code } = await mailed(owner);
    expectOutcome(await spend({ id, code }), 400);
  });
});

describe('nobody is told who has an account, or which ways they have', () => {
  test('an unknown address, one whose projects want no link, and one that is mailed: one answer, and one to a wrong code', async () => {
    const closed = await makeOwner();
    const [nobody, theirs, known] = [anEmail(), closed.email, (await person()).email];
    for (const email of [nobody, theirs, known]) {
      const { status, body } = await begin(email);
      expect([status, body]).toEqual([200, { id: expect.any(String) }]);
      const tried = await spend({ id: body.id, code: '000000' });
      expectOutcome(tried, 400, 'code');
      const { body: other } = await spend({ id: newId(), code: '000000' });
      expect(tried.body).toEqual(other);
    }
    expect(await waitingMail(nobody)).toEqual([]);
    expect(await waitingMail(theirs)).toEqual([]);
    expect(await waitingMail(known)).toHaveLength(1);
  });

  test('nor is one let in for whom nothing was mailed, by whatever code', async () => {
    const { body } = await begin((await makeOwner()).email);
    const [row] = await db().select().from(signInLink).where(eq(signInLink.id, body.id));
    expect(row).toMatchObject({ userId: null });
    expectOutcome(await spend({ id: body.id, secret: 'x' }), 400, 'secret');
  });

  test('the sixth mail to an address in a quarter of an hour is refused, known or not', async () => {
    for (const email of [anEmail(), (await person()).email]) {
      for (let at = 0; at < 5; at += 1) expect((await begin(email)).status).toBe(200);
      expectOutcome(await begin(email), 429);
    }
  });

  test('and so is the thirty-first from a network', async () => {
    const remote = '198.51.100.77';
    for (let at = 0; at < 30; at += 1) expect((await begin(anEmail(), {}, remote)).status).toBe(200);
    expectOutcome(await begin(anEmail(), {}, remote), 429);
  });
});

describe('400', () => {
  test('a link and a code are spent once, by the one or the other, and by one of many at once', async () => {
    const owner = await person();
    const { id, code, link } = await mailed(owner);
    const all = Array.from({ length: 50 }, (_, at) => (at % 2 ? spend({ id, code }) : spend({ ...link, ...OTHER })));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400 || status === 429)).toHaveLength(49);
    expectOutcome(await spend({ ...link }), 400, 'secret');
  });

  test('a code is good with the sign-in that was begun, and no other', async () => {
    const owner = await person();
    const [one, other] = [await mailed(owner), await mailed(owner)];
    if (one.code !== other.code) expectOutcome(await spend({ id: one.id, code: other.code }), 400, 'code');
    expectOutcome(await spend({ id: other.id, secret: one.link?.secret }), 400, 'secret');
    expect((await spend({ id: one.id, code: one.code })).status).toBe(200);
  });

  test('after five wrong codes the right one comes too late; the link is still good', async () => {
    const owner = await person();
    const { id, code, link } = await mailed(owner);
    for (let at = 0; at < 5; at += 1) expectOutcome(await spend({ id, code: wrong(code) }), 400, 'code');
    expectOutcome(await spend({ id, code }), 400, 'code');
    expect((await spend({ ...link })).status).toBe(200);
  });

  test('a quarter of an hour later, with another address by then, or where the project has thought better of it', async () => {
    const late = await person();
    const first = await mailed(late);
    await db().update(signInLink).set({ expiresAt: sql`now()` }).where(eq(signInLink.id, first.id));
    expectOutcome(await spend({ id: first.id, code: first.code }), 400, 'code');
    const moved = await person();
    const second = await mailed(moved);
    await db().execute(sql`update user_login set email_lower = ${anEmail()} where user_id = ${moved.userId}`);
    expectOutcome(await spend({ id: second.id, code: second.code }), 400, 'code');
    const closed = await person();
    const third = await mailed(closed);
    await changeMember(closed, { signInWays: ['passkey'] });
    const { body } = await spend({ id: third.id, code: third.code });
    expect(body.issue[0].details.text).toContain('Sign in with a passkey');
  });

  test('after the password was set anew, or all other sessions were ended: the mail may be in wrong hands, too', async () => {
    for (const [path, body] of [
      ['/auth/changepassword', { oldPassword: PASSWORD, newPassword: 'Amber-Lighthouse-77' }],
      ['/auth/revoke/others', {}],
    ] as const) {
      const owner = await person();
      const { id, code } = await mailed(owner);
      const { access: token } = await signIn(owner);
      expect((await callAuth('POST', path, { token, body })).status).toBe(200);
      expectOutcome(await spend({ id, code }), 400, 'code');
    }
  });

  test('what is no request: no address, both, neither, a project that is to be made; 404 for a client that is none', async () => {
    expectOutcome(await begin('nobody'), 400, 'email');
    const { email } = await person();
    expectOutcome(await begin(email, { projectId: 'new' }), 400, 'projectId');
    expectOutcome(await begin(anEmail(), { projectId: 'new' }), 400, 'projectId');
    expectOutcome(await begin(email, { clientId: newId() }), 404, 'clientId');
    expect((await begin(email, { projectId: 'x' })).status).toBe(200);
    for (const fields of [{ id: 'x', code: '123456' }, { id: newId() }, { id: newId(), code: '123456', secret: 'x' }])
      expect((await spend(fields)).status).toBe(400);
    for (const nonce of ['a\0b', '\ud800']) expect((await begin(anEmail(), { nonce })).status).toBe(400);
    expectOutcome(await begin(anEmail(), { nonce: 'x'.repeat(1_000_000) }), 400, 'nonce');
  });
});
