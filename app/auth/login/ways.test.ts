import { beforeAll, describe, expect, test } from 'vitest';
import { acceptedMember, login } from '#lib/testing/accounts.ts';
import { ask, makeApp } from '#lib/testing/app.ts';
import { openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, signInBy } from '#lib/testing/devices/passkeys.ts';
import { startSignIn } from '#lib/testing/factors.ts';
import {
  addProject,
  askToken,
  changeMember,
  makeClient,
  makeOwner,
  type Owner,
  PASSWORD,
  refresh,
  signIn,
} from '#lib/testing/people.ts';
import { setProject } from '#lib/testing/ways.ts';
import { createWorld, signIn as signInTo } from '#lib/testing/world.ts';

const PLAIN = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };
const REFUSED = 'This project does not let you in like this. Sign in with ';

async function allow(owner: Pick<Owner, 'projectId'>, settings: Record<string, string>) {
  const { status, text } = await setProject(owner.projectId, settings);
  expect(status, text).toBe(200);
}

function textOf({ body }: { body: { issue: { details: { text: string } }[] } }) {
  return body.issue[0]?.details.text;
}

describe('the ways that a project allows', () => {
  let owner: Owner;
  let key: Awaited<ReturnType<typeof addPasskey>>['key'];
  beforeAll(async () => {
    owner = await makeOwner();
    ({ key } = await addPasskey(owner));
    await allow(owner, { 'signInWays.Admin': 'passkey,provider' });
  });

  test('a right password is told by which ways it goes, and gives nothing; a passkey goes in', async () => {
    const answer = await startSignIn(owner);
    expectOutcome(answer, 400);
    expect(textOf(answer)).toBe(`${REFUSED}a passkey or your organisation’s sign-in`);
    expect(answer.text).not.toContain('code":"ey');
    expect((await startSignIn(owner, { projectId: owner.projectId })).status).toBe(400);
    const passkey = await signInBy(key);
    expect([passkey.status, passkey.body.code]).toEqual([200, expect.any(String)]);
  });

  test('a wrong password is told what it always was', async () => {
    const answer = await startSignIn(owner, { password: `${PASSWORD}!` });
    expect(textOf(answer)).toBe('Email or password is invalid');
  });

  test('who is in several projects keeps the others, and cannot go over to this one', async () => {
    const two = await makeOwner();
    const closed = await addProject(two.userId, two.email);
    await changeMember({ ...two, ...closed }, { signInWays: ['passkey'] });
    const { body } = await startSignIn(two);
    expect(body).toEqual({ login: expect.any(String), code: expect.any(String) });
    const third = await addProject(two.userId, two.email);
    const choice = await startSignIn(two);
    const offered = choice.body.memberships.map(({ id }: { id: string }) => id).sort();
    expect(offered).toEqual([two.membershipId, third.membershipId].sort());
    expect(Object.keys(choice.body.memberships[0]).sort()).toEqual(['id', 'profile', 'project']);
    const profile = { login: choice.body.login, profile: closed.membershipId };
    const chosen = await callAuth('POST', '/auth/profile', { body: profile });
    expectOutcome(chosen, 400);
    expect(textOf(chosen)).toBe(`${REFUSED}a passkey`);
    const resumed = await callAuth('GET', `/auth/login/${choice.body.login}`);
    expect(resumed.body.memberships).toHaveLength(2);
    const { access } = await signIn(two);
    const switched = await callAuth('POST', '/auth/switch', {
      token: access,
      body: { membership: closed.membershipId, ...PLAIN },
    });
    expectOutcome(switched, 400);
    const own = await callAuth('GET', '/auth/memberships', { token: access });
    expect(own.body.memberships).toHaveLength(3);
  });

  test('a sign-in that waits for its code is judged again, and one that is open goes on until it ends', async () => {
    const other = await makeOwner();
    const { tokens } = await signIn(other, { scope: 'openid offline' });
    const { body } = await startSignIn(other);
    await addPasskey(other);
    await allow(other, { 'signInWays.Admin': 'passkey' });
    expectOutcome(await callAuth('GET', `/auth/login/${body.login}`), 400);
    expect((await callAuth('GET', '/auth/me', { token: tokens.access_token })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });
});

describe('with a session of another way', () => {
  test('an app is given no code: the person is sent to sign in anew, and asked for it gets an error', async () => {
    const owner = await makeOwner();
    const browser = await openBrowser(owner);
    const app = await makeApp(owner);
    await addPasskey(owner, browser);
    await allow(owner, { 'signInWays.Admin': 'passkey' });
    expect(sentTo(await browser.open(ask(app).path)).pathname).toBe('/signin');
    const silent = sentTo(await browser.open(ask(app, { prompt: 'none' }).path));
    expect(silent.searchParams.get('error')).toBe('login_required');
    const decision = { request: ask(app).query, decision: 'allow' };
    const answer = await browser.send('POST', '/auth/authorization', decision);
    expect(new URL(answer.body.location).pathname).toBe('/signin');
  });

  test('a device is not let in, and one that was let in before gets nothing after', async () => {
    const owner = await makeOwner();
    const browser = await openBrowser(owner);
    const app = await makeApp(owner);
    const begin = async () =>
      (await callAuth('POST', '/oauth2/device_authorization', { body: new URLSearchParams({ client_id: app.id }) }))
        .body;
    const [before, after] = [await begin(), await begin()];
    const decide = ({ user_code: userCode }: { user_code: string }) =>
      browser.send('POST', '/auth/device/decision', { userCode, decision: 'allow' });
    expect((await decide(before)).status).toBe(200);
    await addPasskey(owner, browser);
    await allow(owner, { 'signInWays.Admin': 'passkey' });
    expectOutcome(await decide(after), 403, 'membership');
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: app.id };
    const told = await askToken({ ...grant, device_code: before.device_code });
    expect([told.status, told.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('of one member', () => {
  test('an invitation says it, an administrator changes it, and empty it is the project’s again', async () => {
    const world = await createWorld();
    const made = await world.invite({ resourceType: 'Patient', signInWays: ['link', 'passkey'] });
    expect(made.signInWays).toEqual(['link', 'passkey']);
    const patch = (value: unknown) =>
      world.call('PATCH', `/members/${made.id}`, {
        body: [{ op: 'add', path: '/signInWays', value }],
        headers: { 'content-type': 'application/json-patch+json' },
      });
    expect((await patch(['provider'])).body.signInWays).toEqual(['provider']);
    expect((await patch([])).body.signInWays).toBeUndefined();
    expectOutcome(await patch(['fax']), 400);
    expectOutcome(await patch('link'), 400);
    expectOutcome(await world.call('POST', '/invite', { body: { signInWays: ['fax'] } }), 400);
    const nested = await world.invite({ membership: { signInWays: ['password'] } });
    expect(nested.signInWays).toEqual(['password']);
  });

  test('who chose a password by the invitation does not sign in with it where the project wants something else', async () => {
    const world = await createWorld();
    const member = await acceptedMember(world);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    await allow(world, { 'signInWays.Admin': 'password', 'signInWays.Practitioner': 'passkey' });
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
    await changeMember({ projectId: world.projectId, membershipId: member.id }, { signInWays: ['password'] });
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
  });

  test('a program has no such ways: 400', async () => {
    const world = await createWorld();
    const { membershipId } = await makeClient(world.projectId);
    const headers = { 'content-type': 'application/json-patch+json' };
    const body = [{ op: 'add', path: '/signInWays', value: ['password'] }];
    const answer = await world.call('PATCH', `/members/${membershipId}`, { body, headers });
    expectOutcome(answer, 400, 'ProjectMembership.signInWays');
  });

  test('neither does an administrator’s token that is for records, nor the administrator of another project', async () => {
    const owner = await makeOwner();
    const { access } = await signIn(owner, { scope: 'openid user/*.cruds' });
    const path = `/admin/projects/${owner.projectId}/settings`;
    expectOutcome(await callApi(`Bearer ${access}`, 'POST', path, { body: [] }), 403);
    const other = await signIn(await makeOwner());
    const body = [{ name: 'signInWays.Admin', valueString: 'password' }];
    expectOutcome(await callApi(`Bearer ${other.access}`, 'POST', path, { body }), 403);
  });

  test('a member who is no administrator changes neither', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await signInTo(world.projectId, member.id, member.user.reference);
    const headers = { 'content-type': 'application/json-patch+json' };
    const body = [{ op: 'add', path: '/signInWays', value: ['password'] }];
    expectOutcome(await world.call('PATCH', `/members/${member.id}`, { bearer, body, headers }), 403);
    expectOutcome(await world.call('POST', '/settings', { bearer, body: [] }), 403);
  });
});

describe('nobody locks a project out', () => {
  const setting = (valueString: string) => [{ name: 'signInWays.Admin', valueString }];

  test('an administrator who could not sign in themselves: 409, with the reason', async () => {
    const world = await createWorld();
    for (const ways of ['passkey', 'provider', 'passkey,provider']) {
      const answer = await world.call('POST', '/settings', { body: setting(ways) });
      expectOutcome(answer, 409);
      expect(answer.body.issue[0].details.coding[0].code).toBe('locked-out');
    }
    const path = `/fhir/R4/Project/${world.projectId}`;
    const patch = [{ op: 'add', path: '/setting', value: setting('passkey') }];
    const headers = { 'content-type': 'application/json-patch+json' };
    expectOutcome(await callApi(world.owner.bearer, 'PATCH', path, { body: patch, headers }), 409);
    expect((await world.call('POST', '/settings', { body: setting('link,passkey') })).status).toBe(200);
  });

  test('a program is told it of the last who could; another administrator who can is enough for it', async () => {
    const owner = await makeOwner();
    expect((await setProject(owner.projectId, { 'signInWays.Admin': 'passkey' })).status).toBe(409);
    await addPasskey(owner);
    expect((await setProject(owner.projectId, { 'signInWays.Admin': 'passkey' })).status).toBe(200);
  });

  test('by their own membership neither; another member’s is no danger', async () => {
    const world = await createWorld();
    const headers = { 'content-type': 'application/json-patch+json' };
    const body = [{ op: 'add', path: '/signInWays', value: ['passkey'] }];
    expectOutcome(await world.call('PATCH', `/members/${world.owner.membershipId}`, { body, headers }), 409);
    const member = await world.invite();
    expect((await world.call('PATCH', `/members/${member.id}`, { body, headers })).status).toBe(200);
  });

  test('the last passkey stays where a project wants its administrators by passkey alone', async () => {
    const owner = await makeOwner();
    const { browser, passkey } = await addPasskey(owner);
    await allow(owner, { 'signInWays.Admin': 'passkey' });
    expectOutcome(await browser.send('DELETE', `/auth/passkeys/${passkey.id}`), 409);
    await allow(owner, { 'signInWays.Admin': 'passkey,link' });
    expect((await browser.send('DELETE', `/auth/passkeys/${passkey.id}`)).status).toBe(200);
  });

  test('a setting that is none: 400 naming it, by both doors', async () => {
    const world = await createWorld();
    for (const body of [setting('fax'), setting(''), [{ name: 'signInWays.Nurse', valueString: 'link' }]]) {
      expect((await world.call('POST', '/settings', { body })).status).toBe(400);
    }
    expectOutcome(await world.call('POST', '/settings', { body: setting('link,') }), 400, '[0].valueString');
  });
});
