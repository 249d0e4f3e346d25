import { describe, expect, test } from 'vitest';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { openBrowser } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeAuthenticator } from '#lib/testing/devices/passkey-device.ts';
import { addPasskey, offered, signInBy } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp, startSignIn } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { addProject, makeOwner, type Owner, PASSWORD, signIn } from '#lib/testing/people.ts';

async function requireOfAll(owner: Owner): Promise<void> {
  const { access } = await signIn(owner);
  const body = [{ name: 'mfaRequired', valueString: 'everyone' }];
  const answer = await callApi(`Bearer ${access}`, 'POST', `/admin/projects/${owner.projectId}/settings`, { body });
  if (answer.status !== 200) throw new Error(answer.text);
}

describe('whoever knows the password of somebody with a passkey', () => {
  test('enrols nothing in their place where more is asked for: the passkey is', async () => {
    const owner = await makeOwner();
    const { key } = await addPasskey(owner);
    await requireOfAll(owner);
    const { body } = await startSignIn(owner);
    expect(body).toEqual({
      login: expect.any(String),
      mfaRequired: true,
      mfaMethods: ['passkey'],
      email: owner.email,
    });
    const call = (path: string, fields: object = {}) =>
      callAuth('POST', path, { body: { login: body.login, token: '123456', ...fields } });
    expectOutcome(await call('/auth/mfa/login-enroll'), 400, 'login');
    expectOutcome(await call('/auth/mfa/verify'), 400, 'login');
    expectOutcome(await call('/auth/mfa/send-email'), 400, 'login');
    const chosen = await call('/auth/profile', { profile: owner.membershipId });
    expect([chosen.body.code, chosen.body.mfaMethods]).toEqual([undefined, ['passkey']]);
    expect((await signInBy(key)).body).toEqual({ login: expect.any(String), code: expect.any(String) });
  });

  test('nor in another project of theirs, which asks for nothing: not a factor, not a passkey, and takes none out', async () => {
    const owner = await makeOwner();
    const second = { ...owner, ...(await addProject(owner.userId, owner.email)) };
    const { key, passkey } = await addPasskey(owner);
    await requireOfAll(second);
    const thief = await openBrowser(owner);
    expectOutcome(await thief.send('POST', '/auth/mfa/enroll', { token: '123456' }), 403);
    expectOutcome(await thief.send('POST', '/auth/passkeys/options', { password: PASSWORD }), 403);
    expectOutcome(await thief.send('DELETE', `/auth/passkeys/${passkey.id}`), 403);
    // The same session, once the passkey was shown at it.
    const response = key.get(await offered());
    expect((await thief.send('POST', '/auth/proof', { response })).status).toBe(200);
    const options = await thief.send('POST', '/auth/passkeys/options', {});
    const made = { response: makeAuthenticator().create(options.body) };
    expect((await thief.send('POST', '/auth/passkeys', made)).status).toBe(201);
    expect((await thief.send('DELETE', `/auth/passkeys/${passkey.id}`)).status).toBe(200);
  });
});

describe('an administrator resets what is lost', () => {
  async function administrator(owner: Owner) {
    const { access } = await signIn(owner);
    const path = `/admin/projects/${owner.projectId}/members/${owner.membershipId}/mfa/reset`;
    return (body: object) => callApi(`Bearer ${access}`, 'POST', path, { body });
  }

  test('the passkeys alone, or with a method; the person hears of it; what is not there is said', async () => {
    const owner = await makeOwner();
    const reset = await administrator(owner);
    const { browser, key } = await addPasskey(owner);
    await addPasskey(owner, browser);
    await enrollTotp(owner);
    expect((await reset({ passkeys: true })).status).toBe(200);
    expect((await signInBy(key)).status).toBe(400);
    expect((await startSignIn(owner)).body.mfaMethods).toEqual(['totp']);
    const mails = (await waitingMail(owner.email)).filter(({ template }) => template === 'passkeys-reset');
    expect(mails.map(({ params }) => params.names)).toEqual(['Passkey, Passkey']);
    expect(await auditOf(SERVER_SCOPE, `User/${owner.userId}`)).toContain('user.passkey.remove');
    expectOutcome(await reset({ passkeys: true }), 400, 'passkeys');
    expectOutcome(await reset({ passkeys: 'yes' }), 400, 'passkeys');
    expect((await reset({ passkeys: false })).status).toBe(200);
    expectOutcome(await reset({ method: 'totp' }), 400, 'method');
  });

  test('both or none: a method that is not there leaves the passkeys', async () => {
    const owner = await makeOwner();
    const reset = await administrator(owner);
    const { key } = await addPasskey(owner);
    expectOutcome(await reset({ method: 'totp', passkeys: true }), 400, 'method');
    expect((await signInBy(key)).status).toBe(200);
  });
});
