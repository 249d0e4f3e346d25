import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { passkey, passkeyChallenge } from '#lib/infra/db/schema/passkey.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { type Browser, openBrowser } from '#lib/testing/browser.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeAuthenticator } from '#lib/testing/devices/passkey-device.ts';
import { addPasskey } from '#lib/testing/devices/passkeys.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeClient, makeOwner, type Owner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;
let browser: Browser;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
});

const options = async (from = browser, body: object = {}) => from.send('POST', '/auth/passkeys/options', body);

async function ageSession({ login: id }: Browser): Promise<void> {
  await db()
    .update(login)
    .set({ authTime: new Date(Date.now() - 11 * 60_000) })
    .where(eq(login.id, id));
}

test('added, listed, renamed, taken out: audited, mailed, and no secret is told', async () => {
  const person = await makeOwner();
  const { browser: here, key, passkey: made } = await addPasskey(person);
  expect(made).toEqual({
    id: expect.any(String),
    name: 'Passkey',
    createdAt: expect.any(String),
    lastUsedAt: null,
    backedUp: true,
  });
  const listed = await here.send('GET', '/auth/passkeys');
  expect(listed.body).toEqual({ passkeys: [made], hasPassword: true });
  expect(listed.text).not.toContain(key.credentialId);
  const renamed = await here.send('PUT', `/auth/passkeys/${made.id}`, { name: ' Blue phone ' });
  expect([renamed.status, renamed.body]).toEqual([200, { ...made, name: 'Blue phone' }]);
  expect((await here.send('DELETE', `/auth/passkeys/${made.id}`)).status).toBe(200);
  expect((await here.send('GET', '/auth/passkeys')).body.passkeys).toEqual([]);
  const audited = await auditOf(SERVER_SCOPE, `User/${person.userId}`);
  expect(audited.slice(0, 3)).toEqual(['user.passkey.remove', 'user.passkey.rename', 'user.passkey.add']);
  const mails = await waitingMail(person.email);
  const told = mails.map(({ template, params }) => [template, params.name, new URL(params.url!).hash]);
  expect(told.sort()).toEqual([
    ['passkey-added', 'Passkey', '#passkeys'],
    ['passkey-removed', 'Blue phone', '#passkeys'],
  ]);
});

test('the options ask for a passkey that is found without a name and asks who is there, and not twice for one', async () => {
  const person = await makeOwner();
  const { browser: here, key } = await addPasskey(person);
  const { body, text } = await options(here);
  expect(body).toMatchObject({
    rp: { name: 'Gatehouse', id: 'localhost' },
    user: { name: person.email, displayName: 'Ada Stone' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: [{ id: key.credentialId, transports: ['hybrid', 'internal'], type: 'public-key' }],
  });
  expect(text).not.toContain(person.userId);
  expect(Buffer.from(body.user.id, 'base64url').toString('utf8')).not.toContain(person.userId);
  const [row] = await db().select().from(passkey).where(eq(passkey.userId, person.userId));
  expect(body.user.id).toBe(row?.userHandle);
  expect(JSON.stringify(await db().select().from(passkeyChallenge))).not.toContain(body.challenge);
});

test('a session of ten minutes and more is not enough: the password is typed again', async () => {
  const person = await makeOwner();
  const here = await openBrowser(person);
  await ageSession(here);
  for (const body of [{}, { password: 'Wrong-Hammock-41' }]) {
    const answer = await options(here, body);
    expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['password']]);
  }
  expect((await options(here, { password: PASSWORD })).status).toBe(200);
  await db().delete(credential).where(eq(credential.userId, person.userId));
  expectOutcome(await options(here, { password: PASSWORD }), 403);
});

describe('400, with one text', () => {
  const TEXT = 'This passkey could not be added: try again';
  const add = (response: object, from = browser) => from.send('POST', '/auth/passkeys', { response });
  const expectRefused = ({ status, body }: Awaited<ReturnType<typeof add>>) =>
    expect([status, body.issue[0].details.text]).toEqual([400, TEXT]);

  test('another origin, site, challenge or purpose, and nobody verified', async () => {
    for (const change of [
      { origin: 'https://evil.example.com' },
      { rpId: 'evil.example.com' },
      { challenge: 'c'.repeat(43) },
      { type: 'webauthn.get' },
      { verified: false },
    ]) {
      expectRefused(await add(makeAuthenticator().create((await options()).body, change)));
    }
  });

  test('a challenge counts once, for five minutes, and for the session that asked', async () => {
    const { body: made } = await options();
    const response = makeAuthenticator().create(made);
    const elsewhere = await openBrowser(owner);
    expectRefused(await add(response, elsewhere));
    expectRefused(await add(response, await openBrowser(await makeOwner())));
    expect((await add(response)).status).toBe(201);
    expectRefused(await add(response));
    const { body: late } = await options();
    await db().update(passkeyChallenge).set({ expiresAt: new Date() });
    expectRefused(await add(makeAuthenticator().create(late)));
  });

  test('what is no passkey', async () => {
    for (const response of [{}, { id: 'a', rawId: 'a', type: 'public-key', response: {} }, 'x', null]) {
      expectOutcome(await browser.send('POST', '/auth/passkeys', { response }), 400);
    }
    const { body: made } = await options();
    const good = makeAuthenticator().create(made) as { response: object };
    expectRefused(await add({ ...good, response: { ...good.response, attestationObject: 'AAAA' } }));
    expectRefused(await add({ ...good, response: { ...good.response, clientDataJSON: 'bnVsbA' } }));
  });

  test('names of nothing, or of more than a line', async () => {
    const { passkey: made } = await addPasskey(owner, browser);
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(65), 7]) {
      const { status, body } = await browser.send('PUT', `/auth/passkeys/${made.id}`, { name });
      expect([status, body.issue[0].expression]).toEqual([400, ['name']]);
    }
  });
});

test('403 for apps, programs and administrators in the person’s place; 401 for nobody', async () => {
  const client = await makeClient(owner.projectId, {}, { admin: true });
  const { access: token } = await signIn(owner, { clientId: client.id });
  const basic = { authorization: client.basic };
  const callers = [{ token }, { headers: basic }];
  const inPlace = { ...basic, 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
  const { key } = await addPasskey(owner, browser);
  const response = key.create((await options()).body);
  for (const caller of [...callers, { headers: inPlace }]) {
    expectOutcome(await callAuth('GET', '/auth/passkeys', caller), 403);
    expectOutcome(await callAuth('POST', '/auth/passkeys/options', { body: {}, ...caller }), 403);
    expectOutcome(await callAuth('POST', '/auth/passkeys', { body: { response }, ...caller }), 403);
    expectOutcome(await callAuth('DELETE', `/auth/passkeys/${newId()}`, caller), 403);
  }
  expectOutcome(await callAuth('GET', '/auth/passkeys'), 401);
});

test('404 for what is another’s', async () => {
  const { passkey: theirs } = await addPasskey(await makeOwner());
  for (const id of [theirs.id, newId(), 'x']) {
    expectOutcome(await browser.send('PUT', `/auth/passkeys/${id}`, { name: 'Mine' }), 404);
    expectOutcome(await browser.send('DELETE', `/auth/passkeys/${id}`), 404);
  }
});

describe('409', () => {
  test('the only way in stays, of two at once too; with a password it goes', async () => {
    const person = await makeOwner();
    const { browser: here, passkey: first } = await addPasskey(person);
    const { passkey: second } = await addPasskey(person, here);
    const [kept] = await db().delete(credential).where(eq(credential.userId, person.userId)).returning();
    const tries = [first, second].map(({ id }) => here.send('DELETE', `/auth/passkeys/${id}`));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    const { passkeys, hasPassword } = (await here.send('GET', '/auth/passkeys')).body;
    expect([passkeys.length, hasPassword]).toEqual([1, false]);
    await db().insert(credential).values(kept!);
    expect((await here.send('DELETE', `/auth/passkeys/${passkeys[0].id}`)).status).toBe(200);
  });

  test('twenty and no more, also at once', async () => {
    const person = await makeOwner();
    const here = await openBrowser(person);
    for (let count = 0; count < 18; count++) await addPasskey(person, here);
    const made = await Promise.all(
      [1, 2, 3, 4].map(async () => makeAuthenticator().create((await options(here)).body)),
    );
    const answers = await Promise.all(made.map((response) => here.send('POST', '/auth/passkeys', { response })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expectOutcome(await options(here), 409);
  });

  test('a passkey belongs to one account', async () => {
    const { key } = await addPasskey(await makeOwner());
    const response = key.create((await options()).body);
    expectOutcome(await browser.send('POST', '/auth/passkeys', { response }), 409);
  });
});
