import { beforeEach, expect, test } from 'vitest';
import { makeApp } from '#lib/testing/app.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeOwner, type Owner, signIn } from '#lib/testing/people.ts';

let owner: Owner;

beforeEach(async () => {
  owner = await makeOwner();
});

const status = (token: string) => callAuth('GET', '/auth/mfa/status', { token });
const post = (path: string, token: string, body: unknown = {}) =>
  callAuth('POST', `/auth/mfa/${path}`, { token, body });

test('an app that somebody uses gives their account no second factor, and reads none', async () => {
  const app = await makeApp(owner);
  const { access } = await signIn(owner, { clientId: app.id });
  const answers = await Promise.all([
    status(access),
    ...['enroll', 'disable', 'recovery-codes', 'send-email-challenge'].map((path) =>
      post(path, access, { token: '123456' }),
    ),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
  expect(answers[0]?.text).not.toContain('otpauth');
});

test('a session from before the first factor adds no second one of its own, by which it would need no other', async () => {
  const [stranger, { access }] = [(await signIn(owner)).access, await signIn(owner)];
  const body = [{ name: 'allowedMfaMethods', valueString: 'totp,email' }];
  const path = `/admin/projects/${owner.projectId}/settings`;
  expect((await callApi(`Bearer ${access}`, 'POST', path, { body })).status).toBe(200);
  await post('send-email-challenge', access);
  const mail = (await waitingMail(owner.email)).find(({ template }) => template === 'factor-code');
  expect((await post('enroll', access, { token: mail?.params.code, method: 'email' })).status).toBe(200);
  const app = scan((await status(stranger)).body.enrollUri);
  expect((await post('enroll', stranger, { token: app.next() })).status).toBe(403);
  const own = scan((await status(access)).body.enrollUri);
  expect((await post('enroll', access, { token: own.next() })).status).toBe(200);
});

test('a session knows its own secret for a new authenticator, and not the one that another enrols', async () => {
  const [stranger, { access }] = [(await signIn(owner)).access, await signIn(owner)];
  const known = (await status(stranger)).body.enrollUri;
  const { body } = await status(access);
  expect(new URL(body.enrollUri).searchParams.get('secret')).not.toBe(new URL(known).searchParams.get('secret'));
  expect((await post('enroll', access, { token: scan(known).next() })).status).toBe(400);
  const { app } = await enrollTotp(owner);
  expect(app.next()).not.toBe(scan(known).next());
});
