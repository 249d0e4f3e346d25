import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { factor, factorCode } from '#lib/infra/db/schema/factor.ts';
import { acceptedMember, auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { enrollTotp, startSignIn, verify } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { addProject, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const enroll = (login: string, token: string, method?: string) =>
  callAuth('POST', '/auth/mfa/login-enroll', { body: { login, token, ...(method && { method }) } });
const sendCode = (login: string) => callAuth('POST', '/auth/mfa/send-email', { body: { login } });

async function mailedCode(email: string): Promise<string> {
  const mails = await waitingMail(email);
  return mails.find(({ template }) => template === 'factor-code')?.params.code ?? '';
}

async function setRules(owner: Owner, rules: Record<string, string>): Promise<void> {
  const { access } = await signIn(owner);
  const body = Object.entries(rules).map(([name, valueString]) => ({ name, valueString }));
  const answer = await callApi(`Bearer ${access}`, 'POST', `/admin/projects/${owner.projectId}/settings`, { body });
  if (answer.status !== 200) throw new Error(answer.text);
}

describe('a project that asks for a second factor', () => {
  test('gives no code before one is enrolled, and then one, with the recovery codes', async () => {
    const owner = await makeOwner();
    await setRules(owner, { mfaRequired: 'everyone' });
    const { body } = await startSignIn(owner);
    expect(body).toEqual({
      login: expect.any(String),
      mfaEnrollRequired: true,
      allowedMfaMethods: ['totp'],
      email: owner.email,
      enrollUri: expect.stringMatching(/^otpauth:/),
      enrollQrCode: expect.stringMatching(/^data:image\/png/),
    });
    const resumed = await callAuth('GET', `/auth/login/${body.login}`);
    expect([resumed.body.enrollUri, resumed.body.code]).toEqual([body.enrollUri, undefined]);
    const chosen = await callAuth('POST', '/auth/profile', {
      body: { login: body.login, profile: owner.membershipId },
    });
    expect([chosen.body.mfaEnrollRequired, chosen.body.code]).toEqual([true, undefined]);
    const app = scan(body.enrollUri);
    expectOutcome(await enroll(body.login, app.wrong()), 400, 'token');
    expectOutcome(await verify(body.login, '123456'), 400, 'login');
    const done = await enroll(body.login, app.next());
    expect(done.body).toEqual({ login: body.login, code: expect.any(String), recoveryCodes: expect.any(Array) });
    expect(done.body.recoveryCodes).toHaveLength(10);
    expectOutcome(await enroll(body.login, app.next()), 400, 'login');
    expect((await startSignIn(owner)).body.mfaRequired).toBe(true);
  });

  test('of its administrators only asks no other member', async () => {
    const world: World = await createWorld();
    const member = await acceptedMember(world);
    const body = [{ name: 'mfaRequired', valueString: 'admins' }];
    await world.call('POST', '/settings', { body });
    expect((await startSignIn(member, { projectId: world.projectId })).body.code).toEqual(expect.any(String));
    await world.call('PATCH', `/members/${member.id}`, { body: [{ op: 'replace', path: '/admin', value: true }] });
    expect((await startSignIn(member, { projectId: world.projectId })).body.mfaEnrollRequired).toBe(true);
  });

  test('asks after the choice, where there are several; the other project stays open', async () => {
    const owner = await makeOwner();
    const other = await addProject(owner.userId, owner.email);
    await setRules(owner, { mfaRequired: 'everyone' });
    const choose = async (profile: string) => {
      const { login } = (await startSignIn(owner)).body;
      return callAuth('POST', '/auth/profile', { body: { login, profile } });
    };
    expect((await choose(other.membershipId)).body.code).toEqual(expect.any(String));
    const asked = (await choose(owner.membershipId)).body;
    expect([asked.mfaEnrollRequired, asked.code]).toEqual([true, undefined]);
    expect((await enroll(asked.login, scan(asked.enrollUri).next())).body.code).toEqual(expect.any(String));
  });

  test('400 for settings that say nothing: a method or a requirement that is none', async () => {
    const owner = await makeOwner();
    await expect(setRules(owner, { mfaRequired: 'some' })).rejects.toThrow('none, admins, everyone');
    await expect(setRules(owner, { allowedMfaMethods: 'totp,sms' })).rejects.toThrow('comma list');
    const { access } = await signIn(owner);
    const patch = [{ op: 'add', path: '/setting', value: [{ name: 'mfaRequired', valueString: 'some' }] }];
    const headers = { 'content-type': 'application/json-patch+json' };
    const byFhir = await callApi(`Bearer ${access}`, 'PATCH', `/fhir/R4/Project/${owner.projectId}`, {
      body: patch,
      headers,
    });
    expectOutcome(byFhir, 400, 'Project.setting[0]');
  });
});

describe('an invitation with mfaRequired', () => {
  test('a new person enrolls at their first sign-in', async () => {
    const world = await createWorld();
    const made = await world.invite({ resourceType: 'Patient', password: 'Violet-Hammock-41', mfaRequired: true });
    const email = (made.user.display ?? '').toLowerCase();
    const { body } = await startSignIn({ email }, { projectId: world.projectId });
    expect([body.mfaEnrollRequired, body.code]).toEqual([true, undefined]);
    expect((await enroll(body.login, scan(body.enrollUri).next())).body.code).toEqual(expect.any(String));
  });

  test('400 for an account of their own, about which no project decides', async () => {
    const [world, owner] = [await createWorld(), await makeOwner()];
    const body = { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email: owner.email, mfaRequired: true };
    expectOutcome(await world.call('POST', '/invite', { body }), 400, 'mfaRequired');
  });
});

describe('who has a factor', () => {
  test('400: cannot add another while they sign in, with the password alone', async () => {
    const owner = await makeOwner();
    await enrollTotp(owner);
    const { login } = (await startSignIn(owner)).body;
    expectOutcome(await enroll(login, '123456'), 400, 'login');
    expectOutcome(await enroll(login, '123456', 'email'), 400, 'login');
  });

  test('400: nothing is enrolled where nothing asks for it', async () => {
    const owner = await makeOwner();
    await addProject(owner.userId, owner.email);
    const { login } = (await startSignIn(owner)).body;
    expectOutcome(await enroll(login, '123456'), 400, 'login');
    expectOutcome(await sendCode(login), 400, 'login');
  });
});

describe('codes by e-mail', () => {
  test('enrolled while signing in, and asked for by the next sign-in: each code once, for its sign-in', async () => {
    const owner = await makeOwner();
    await setRules(owner, { mfaRequired: 'everyone', allowedMfaMethods: 'email' });
    const first = (await startSignIn(owner)).body;
    expect([first.allowedMfaMethods, first.enrollUri]).toEqual([['email'], undefined]);
    expectOutcome(await enroll(first.login, '123456'), 400, 'method');
    expect((await sendCode(first.login)).status).toBe(200);
    const code = await mailedCode(owner.email);
    expect(code).toMatch(/^\d{6}$/);
    expect((await enroll(first.login, code, 'email')).body.code).toEqual(expect.any(String));
    const [one, other] = [(await startSignIn(owner)).body, (await startSignIn(owner)).body];
    expect(one.mfaMethods).toEqual(['email']);
    await sendCode(one.login);
    const [row] = await db().select().from(factorCode).where(eq(factorCode.loginId, one.login));
    expect(row?.codeHash).not.toMatch(/^\d+$/);
    const next = (await waitingMail(owner.email)).filter(({ template }) => template === 'factor-code');
    const fresh = next.map(({ params }) => params.code ?? '').find((text) => text !== code) ?? '';
    expectOutcome(await verify(other.login, fresh), 400, 'token');
    expect((await verify(one.login, fresh)).body.code).toEqual(expect.any(String));
    await sendCode(other.login);
    await db()
      .update(factorCode)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(factorCode.loginId, other.login));
    const late = (await waitingMail(owner.email)).map(({ params }) => params.code ?? '');
    for (const text of new Set(late.filter((each) => each && each !== code && each !== fresh)))
      expectOutcome(await verify(other.login, text), 400, 'token');
    expect(await auditOf('00000000-0000-0000-0000-000000000000', `User/${owner.userId}`)).toContain(
      'user.factor.send-code',
    );
  });

  test('a code lives for ten minutes', async () => {
    const owner = await makeOwner();
    await setRules(owner, { mfaRequired: 'everyone', allowedMfaMethods: 'email' });
    const { login } = (await startSignIn(owner)).body;
    const before = Date.now();
    await sendCode(login);
    const [row] = await db().select().from(factorCode).where(eq(factorCode.loginId, login));
    const lives = row!.expiresAt.getTime() - before;
    expect([lives > 0, lives <= 600_000 + Date.now() - before]).toEqual([true, true]);
  });

  test('beside an authenticator: enrolled by whom is signed in, and each taken away by itself', async () => {
    const owner = await makeOwner();
    await setRules(owner, { allowedMfaMethods: 'totp,email' });
    const { access: token, app } = await enrollTotp(owner);
    const challenge = () => callAuth('POST', '/auth/mfa/send-email-challenge', { token });
    expect((await challenge()).status).toBe(200);
    const body = { token: await mailedCode(owner.email), method: 'email' };
    const answer = await callAuth('POST', '/auth/mfa/enroll', { token, body });
    expect([answer.status, answer.body.extension]).toEqual([200, undefined]);
    expect((await startSignIn(owner)).body.mfaMethods).toEqual(['totp', 'email']);
    const off = { token: app.next(), method: 'email' };
    expect((await callAuth('POST', '/auth/mfa/disable', { token, body: off })).status).toBe(200);
    const left = await db().select().from(factor).where(eq(factor.userId, owner.userId));
    expect(left.map(({ method }) => method)).toEqual(['totp']);
  });

  test('400 for who has not enrolled it; 429 after five mails in 15 minutes', async () => {
    const owner = await makeOwner();
    const { access: token } = await enrollTotp(owner);
    expectOutcome(await sendCode((await startSignIn(owner)).body.login), 400, 'login');
    const challenge = () => callAuth('POST', '/auth/mfa/send-email-challenge', { token });
    for (let at = 0; at < 5; at += 1) expect((await challenge()).status).toBe(200);
    expect((await challenge()).status).toBe(429);
  });
});
