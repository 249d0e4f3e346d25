import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { networkOf } from '#lib/domain/limits/network-of.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { passkey, passkeyChallenge } from '#lib/infra/db/schema/passkey.ts';
import { acceptedMember } from '#lib/testing/accounts.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { type Authenticator, makeAuthenticator } from '#lib/testing/devices/passkey-device.ts';
import { addPasskey, offered, PKCE, show, signInBy } from '#lib/testing/devices/passkeys.ts';
import { addProject, changeMember, makeClient, makeOwner, type Owner, redeem } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

const TEXT = 'This passkey does not sign in here';
const CODE = { login: expect.any(String), code: expect.any(String) };
let owner: Owner;
let key: Authenticator;

beforeAll(async () => {
  owner = await makeOwner();
  ({ key } = await addPasskey(owner));
});

function expectRefused({ status, body }: Awaited<ReturnType<typeof show>>): void {
  expect([status, body.issue]).toEqual([400, [{ severity: 'error', code: 'invalid', details: { text: TEXT } }]]);
}

describe('200', () => {
  test('a code for tokens, noted, audited and told as by passkey; the browser is known from then on', async () => {
    const answer = await show(key.get(await offered()), {}, { remote: '10.98.0.1' });
    expect([answer.status, answer.body]).toEqual([200, CODE]);
    expect(answer.headers.get('set-cookie')).toMatch(/^gatehouse-device=.*; HttpOnly; SameSite=Lax/);
    const tokens = await redeem({ code: answer.body.code, code_verifier: PKCE.codeChallenge });
    const me = await callAuth('GET', '/auth/me', { token: tokens.body.access_token });
    expect(me.body.membership.id).toBe(owner.membershipId);
    expect(me.body.security.sessions.map((one: { authMethod: string }) => one.authMethod)).toContain('passkey');
    const events = await db().select().from(auditEvent).where(eq(auditEvent.remoteAddress, '10.98.0.1'));
    expect(events).toMatchObject([{ action: 'login.passkey', target: `User/${owner.userId}` }]);
    const [row] = await db().select().from(passkey).where(eq(passkey.credentialId, key.credentialId));
    expect(row).toMatchObject({ lastUsedAt: expect.any(Date), counter: expect.any(Number) });
    expect(row?.counter).toBeGreaterThan(0);
  });

  test('the same choice, narrowing and next steps as after a password', async () => {
    const person = await makeOwner();
    const second = await addProject(person.userId, person.email);
    const { key: theirs } = await addPasskey(person);
    const both = await signInBy(theirs);
    expect(both.body.memberships.map(({ id }: { id: string }) => id)).toEqual([
      person.membershipId,
      second.membershipId,
    ]);
    const body = { login: both.body.login, profile: second.membershipId };
    expect((await callAuth('POST', '/auth/profile', { body })).body).toEqual(CODE);
    const client = await makeClient(second.projectId);
    expect((await signInBy(theirs, { projectId: second.projectId })).body).toEqual(CODE);
    const asked = { clientId: client.id, scope: 'openid email', nonce: 'n1', redirectUri: 'https://app.example.com' };
    const limited = await signInBy(theirs, asked);
    const [row] = await db().select().from(login).where(eq(login.id, limited.body.login));
    const { redirectUri, nonce, scope } = asked;
    expect(row).toMatchObject({ authMethod: 'passkey', redirectUri, nonce, scope, clientId: client.id.toLowerCase() });
    expect((await signInBy(theirs, { projectId: 'new' })).body).toEqual({ login: expect.any(String) });
    expect((await signInBy(theirs, { resourceType: 'Patient' })).status).toBe(400);
  });

  test('it speaks for the person as a password does: it switches, and stays what it was', async () => {
    const person = await makeOwner();
    const second = await addProject(person.userId, person.email);
    const { key: theirs } = await addPasskey(person);
    const { body } = await signInBy(theirs, { projectId: person.projectId });
    const { access_token: token } = (await redeem({ code: body.code, code_verifier: PKCE.codeChallenge })).body;
    const move = { membership: second.membershipId, ...PKCE };
    const switched = await callAuth('POST', '/auth/switch', { body: move, token });
    expect(switched.status).toBe(200);
    const [row] = await db().select().from(login).where(eq(login.id, switched.body.login));
    expect(row?.authMethod).toBe('passkey');
    expect((await callAuth('GET', '/auth/passkeys', { token })).status).toBe(200);
  });

  test('an authenticator that never counts signs in again and again', async () => {
    const { key: still } = await addPasskey(await makeOwner());
    for (const counter of [0, 0, 0]) expect((await signInBy(still, {}, { counter })).status).toBe(200);
  });
});

test('the options are the same for everybody, and name nobody', async () => {
  const { challenge, ...rest } = (await offered()) as { challenge: string };
  expect(challenge).toMatch(/^[\w-]{43}$/);
  expect(rest).toEqual({ rpId: 'localhost', timeout: 300_000, userVerification: 'required' });
  expect(JSON.stringify(await db().select().from(passkeyChallenge))).not.toContain(challenge);
});

describe('400, with one text', () => {
  test('another origin, site, challenge, purpose or person, and nobody verified', async () => {
    const { key: other } = await addPasskey(await makeOwner());
    const [row] = await db().select().from(passkey).where(eq(passkey.credentialId, other.credentialId));
    for (const change of [
      { origin: 'https://evil.example.com' },
      { rpId: 'evil.example.com' },
      { challenge: 'c'.repeat(43) },
      { type: 'webauthn.create' },
      { verified: false },
      { userHandle: row?.userHandle },
    ]) {
      expectRefused(await signInBy(key, {}, change));
    }
  });

  test('a signature under somebody else’s key, and a passkey that nobody has', async () => {
    const { key: other } = await addPasskey(await makeOwner());
    const theirs = other.get(await offered()) as { response: object };
    expectRefused(await show({ ...theirs, id: key.credentialId, rawId: key.credentialId }));
    const stranger = makeAuthenticator();
    stranger.create({ challenge: 'c'.repeat(43), user: { id: 'AAAA' } });
    expectRefused(await signInBy(stranger));
  });

  test('a challenge that was used, is old, or was for adding a passkey', async () => {
    const challenge = await offered();
    expect((await show(key.get(challenge))).status).toBe(200);
    expectRefused(await show(key.get(challenge)));
    const late = await offered();
    const lateHash = eq(passkeyChallenge.challengeHash, hashSecret(late.challenge));
    await db().update(passkeyChallenge).set({ expiresAt: new Date() }).where(lateHash);
    expectRefused(await show(key.get(late)));
    const { browser } = await addPasskey(await makeOwner());
    expectRefused(await show(key.get((await browser.send('POST', '/auth/passkeys/options', {})).body)));
  });

  test('of fifty at once with one challenge one signs in', async () => {
    const person = await makeOwner();
    const { key: theirs } = await addPasskey(person);
    const challenge = await offered();
    const all = Array.from({ length: 50 }, () => theirs.get(challenge));
    const answers = await Promise.all(all.map((response) => show(response)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer);
  });

  test('a counter that has not gone on: there is a copy of the key. Of two with one count one counts', async () => {
    const person = await makeOwner();
    const { key: theirs } = await addPasskey(person);
    expect((await signInBy(theirs, {}, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6, 0]) expectRefused(await signInBy(theirs, {}, { counter }));
    const pair = await Promise.all([1, 2].map(async () => theirs.get(await offered(), { counter: 9 })));
    const statuses = (await Promise.all(pair.map((response) => show(response)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
    await flushFailures();
    const failed = and(eq(auditEvent.target, `User/${person.userId}`), eq(auditEvent.action, 'login.failed'));
    expect((await db().select().from(auditEvent).where(failed)).length).toBeGreaterThan(0);
  });

  test('a project’s own person enters that project alone, without naming it too', async () => {
    const world = await createWorld();
    const member = await acceptedMember(world);
    const { key: theirs } = await addPasskey({ ...member, membershipId: member.id, projectId: world.projectId });
    expect((await signInBy(theirs)).body).toEqual(CODE);
    expect((await signInBy(theirs, { projectId: world.projectId.toUpperCase() })).body).toEqual(CODE);
    for (const projectId of [owner.projectId, newId(), 'new', 'x'])
      expectRefused(await signInBy(theirs, { projectId }));
  });
});

test('400 for who is suspended, and for what is no signature; 404 for an unknown client', async () => {
  const person = await makeOwner();
  const { key: theirs } = await addPasskey(person);
  await changeMember(person, { active: false });
  const { status, body } = await signInBy(theirs);
  expect([status, body.issue[0].details.text]).toEqual([400, expect.stringContaining('no active membership')]);
  for (const response of [{}, null, 'x', { id: '', rawId: '', type: 'x', response: {} }]) {
    expectOutcome(await callAuth('POST', '/auth/passkey/verify', { body: { response } }), 400);
  }
  expectOutcome(await signInBy(key, { clientId: newId() }), 404);
  expectOutcome(await signInBy(key, { codeChallenge: 'short' }), 400);
});

test('429 after two hundred that were wrong from one network, and three thousand challenges; what is right is no try', async () => {
  const remote = '10.98.7.7';
  const full = async (name: string, count: number) => {
    await db()
      .update(rateCounter)
      .set({ count })
      .where(eq(rateCounter.key, hashSecret(`${name}:${networkOf(remote)}`)));
  };
  expectRefused(await show(key.get({ challenge: 'c'.repeat(43) }), {}, { remote }));
  await full('passkey-from', 199);
  for (const _ of [1, 2]) expect((await show(key.get(await offered()), {}, { remote })).status).toBe(200);
  expectRefused(await show(key.get({ challenge: 'c'.repeat(43) }), {}, { remote }));
  expectOutcome(await show(key.get(await offered()), {}, { remote }), 429);
  expect((await callAuth('POST', '/auth/passkey/options', { remote })).status).toBe(200);
  await full('passkey-offers-from', 3000);
  expectOutcome(await callAuth('POST', '/auth/passkey/options', { remote }), 429);
});
