import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { factor, recoveryCode } from '#lib/infra/db/schema/factor.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { enrollTotp, startSignIn, verify } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const SERVER = '00000000-0000-0000-0000-000000000000';

let owner: Owner;
let token: string;

beforeEach(async () => {
  owner = await makeOwner();
  token = (await signIn(owner)).access;
});

const status = () => callAuth('GET', '/auth/mfa/status', { token });
const post = (path: string, body: unknown, as = token) => callAuth('POST', `/auth/mfa/${path}`, { token: as, body });
const audit = () => auditOf(SERVER, `User/${owner.userId}`);
const mails = async () => (await waitingMail(owner.email)).map(({ template }) => template);

describe('GET /auth/mfa/status', () => {
  test('200: nothing enrolled, and a secret for an authenticator that stays the same', async () => {
    const { body } = await status();
    expect(body).toEqual({
      enrolled: false,
      enrolledMethods: [],
      allowedMethods: ['totp'],
      email: owner.email,
      enrollUri: expect.stringMatching(
        /^otpauth:\/\/totp\/Gatehouse:.*secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30/,
      ),
      enrollQrCode: expect.stringMatching(/^data:image\/png;base64,/),
      recoveryCodesLeft: 0,
    });
    expect((await status()).body.enrollUri).toBe(body.enrollUri);
    const [row] = await db().select().from(factor).where(eq(factor.userId, owner.userId));
    expect(row?.secretSealed).not.toContain(new URL(body.enrollUri).searchParams.get('secret'));
  });

  test('401 without a token, 403 for a program', async () => {
    expect((await callAuth('GET', '/auth/mfa/status')).status).toBe(401);
    const client = await makeClient(owner.projectId);
    const headers = { authorization: client.basic };
    expect((await callAuth('GET', '/auth/mfa/status', { headers })).status).toBe(403);
  });
});

describe('POST /auth/mfa/enroll', () => {
  test('200: ten recovery codes, told once; the User shows it, a mail and the audit log tell of it', async () => {
    const { recoveryCodes } = await enrollTotp(owner);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(recoveryCodes[0]).toMatch(/^([0-9a-z]{4}-){5}[0-9a-z]{4}$/);
    const { body } = await status();
    expect(body).toMatchObject({ enrolled: true, enrolledMethods: ['totp'], recoveryCodesLeft: 10 });
    expect(body.enrollUri).toBeUndefined();
    const user = await callAuth('GET', `/fhir/R4/User/${owner.userId}`, { token });
    expect(user.body).toMatchObject({ mfaEnrolled: true, mfaMethod: ['totp'] });
    expect(await mails()).toEqual(['factor-added']);
    expect(await audit()).toContain('user.factor.enroll');
    const kept = await db().select().from(recoveryCode).where(eq(recoveryCode.userId, owner.userId));
    expect(kept.map(({ codeHash }) => codeHash).filter((hash) => recoveryCodes.includes(hash))).toEqual([]);
  });

  test('400: a wrong code, one that is there already, a method that is not allowed or unknown', async () => {
    const app = scan((await status()).body.enrollUri);
    const wrong = await post('enroll', { token: app.wrong() });
    expect([wrong.status, wrong.body.issue[0].expression]).toEqual([400, ['token']]);
    expect((await status()).body.enrolled).toBe(false);
    expect((await post('enroll', { token: '123456', method: 'email' })).body.issue[0].expression).toEqual(['method']);
    expect((await post('enroll', { token: '123456', method: 'sms' })).body.issue[0].expression).toEqual(['method']);
    expect((await post('enroll', {})).body.issue[0].expression).toEqual(['token']);
    expect((await post('enroll', { token: app.next() })).status).toBe(200);
    const again = await post('enroll', { token: app.next() });
    expect([again.status, again.body.issue[0].details.text]).toEqual([400, 'Already enrolled']);
  });

  test('429 after ten wrong codes in 15 minutes', async () => {
    const app = scan((await status()).body.enrollUri);
    for (let at = 0; at < 10; at += 1) await post('enroll', { token: app.wrong() });
    const { status: code, headers } = await post('enroll', { token: app.next() });
    expect([code, Number(headers.get('retry-after')) > 800]).toEqual([429, true]);
  });
});

describe('POST /auth/mfa/disable', () => {
  test('200 for a code of any factor: nothing is asked for any more, and a new secret is offered', async () => {
    const before = new URL((await status()).body.enrollUri).searchParams.get('secret');
    const { app } = await enrollTotp(owner);
    expect((await post('disable', { token: app.wrong() })).status).toBe(400);
    expect((await post('disable', { token: app.next(), method: 'email' })).body.issue[0].expression).toEqual([
      'method',
    ]);
    expect((await post('disable', { token: app.next(), method: 'totp' })).status).toBe(200);
    const { body } = await status();
    expect(body).toMatchObject({ enrolled: false, recoveryCodesLeft: 0 });
    expect(new URL(body.enrollUri).searchParams.get('secret')).not.toBe(before);
    expect((await startSignIn(owner)).body.code).toEqual(expect.any(String));
    expect((await mails()).sort()).toEqual(['factor-added', 'factor-removed']);
    expect(await audit()).toContain('user.factor.remove');
    const user = await callAuth('GET', `/fhir/R4/User/${owner.userId}`, { token });
    expect([user.body.mfaEnrolled, user.body.mfaMethod]).toEqual([false, undefined]);
    expect((await post('disable', { token: '123456' })).status).toBe(400);
  });

  test('200 for a recovery code, which is spent with it', async () => {
    const { recoveryCodes } = await enrollTotp(owner);
    expect((await post('disable', { token: recoveryCodes[3] })).status).toBe(200);
    expect(await audit()).toContain('user.factor.recover');
  });
});

test('POST /auth/mfa/recovery-codes: ten new ones for a code, and the old ones are worth nothing', async () => {
  const { app, recoveryCodes } = await enrollTotp(owner);
  expect((await post('recovery-codes', { token: app.wrong() })).status).toBe(400);
  const { body } = await post('recovery-codes', { token: app.next() });
  expect(new Set([...body.recoveryCodes, ...recoveryCodes]).size).toBe(20);
  const { login } = (await startSignIn(owner)).body;
  expect((await verify(login, recoveryCodes[0] ?? '')).status).toBe(400);
  expect((await verify(login, body.recoveryCodes[0])).status).toBe(200);
  expect(await audit()).toContain('user.factor.renew-codes');
});
