import { beforeEach, describe, expect, test } from 'vitest';
import { makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeAuthenticator } from '#lib/testing/devices/passkey-device.ts';
import { addPasskey, PKCE, signInBy } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { askToken, makeOwner, type Owner, PASSWORD, redeem } from '#lib/testing/people.ts';

let owner: Owner;

beforeEach(async () => {
  owner = await makeOwner();
});

const ask = (from: Browser) => from.send('POST', '/auth/passkeys/options', { password: PASSWORD });

describe('a session from before the second factor', () => {
  test('adds no passkey, which would go around it, though it knows the password', async () => {
    const [stranger, early] = [await openBrowser(owner), await openBrowser(owner)];
    const { body: offered } = await ask(early);
    await enrollTotp(owner);
    expect((await ask(stranger)).status).toBe(403);
    const made = { response: makeAuthenticator().create(offered) };
    expect((await early.send('POST', '/auth/passkeys', made)).status).toBe(403);
    expect((await early.send('GET', '/auth/passkeys')).body.passkeys).toEqual([]);
  });
});

describe('a session by passkey of somebody with an authenticator', () => {
  test('lets a device in: the passkey has proven both', async () => {
    const { key } = await addPasskey(owner);
    await enrollTotp(owner);
    const { body } = await signInBy(key);
    const token = (await redeem({ code: body.code, code_verifier: PKCE.codeChallenge })).body.access_token;
    const app = await makeApp(owner);
    const fields = { client_id: app.id };
    const started = await callAuth('POST', '/oauth2/device_authorization', { body: new URLSearchParams(fields) });
    const yes = { userCode: started.body.user_code, decision: 'allow' };
    expect((await callAuth('POST', '/auth/device/decision', { token, body: yes })).status).toBe(200);
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: started.body.device_code };
    const tokens = await askToken({ ...grant, ...fields });
    expect(tokens.status, tokens.text).toBe(200);
    const me = await callAuth('GET', '/auth/me', { token });
    const methods = me.body.security.sessions.map((one: { authMethod: string }) => one.authMethod);
    expect(methods.filter((method: string) => method === 'passkey')).toHaveLength(2);
  });
});
