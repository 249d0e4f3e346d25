import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { login as logins } from '#lib/infra/db/schema/login.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { acceptedMember, auditOf, login } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { addPasskey, offered, show } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { makeLink, toLink, waitingMail } from '#lib/testing/links.ts';
import { CTX, makeClient, makeOwner, makePerson, type Owner, PASSWORD, redeem, signIn } from '#lib/testing/people.ts';
import { aUser, makeDirectory } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, signIn as enter } from '#lib/testing/world.ts';

const DAY_MS = 86_400_000;
const call = (method: string, path: string, bearer: string | undefined, body?: unknown) =>
  callApi(bearer && `Bearer ${bearer}`, method, path, body === undefined ? {} : { body });
const ask = (bearer: string | undefined, email: string) => call('POST', '/auth/address', bearer, { email });
const read = async (bearer: string) => (await call('GET', '/auth/address', bearer)).body;
const spend = (how: 'link' | 'confirm' | 'stop', link: unknown) =>
  call('POST', `/auth/changes/${how}`, undefined, link);
const linkOf = async (email: string, template: string) =>
  toLink((await waitingMail(email)).find((mail) => mail.template === template)?.params.url);
const after = (ms: number) => applyDueChanges(CTX, undefined, new Date(Date.now() + ms));

/** Somebody with an authenticator, another session of theirs, and a new address. */
async function strongOwner(): Promise<Owner & { access: string; other: string; next: string }> {
  const owner = await makeOwner();
  const { access: other } = await signIn(owner);
  const { access } = await enrollTotp(owner);
  return { ...owner, access, other, next: anEmail() };
}

test('with a second step another address is asked for, confirmed and waited for: then it signs in, and every session has ended', async () => {
  const owner = await strongOwner();
  const { access, next } = owner;
  expect(await read(access)).toEqual({ email: owner.email, strong: true, waitHours: 72, changes: [] });
  const asked = await ask(access, ` ${next.toUpperCase()} `);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ kind: 'address', by: 'person', email: next, confirmed: false });
  expect(Math.round((Date.parse(asked.body.dueAt) - Date.now()) / 3_600_000)).toBe(72);
  expect((await read(access)).changes).toEqual([asked.body]);
  const [notice] = await waitingMail(owner.email);
  expect([notice?.template, notice?.params.email]).toEqual(['own-address-waits', `${next[0]}…@example.com`]);
  await after(3 * DAY_MS + 1);
  expect((await read(access)).changes).toHaveLength(1);
  const link = await linkOf(next, 'address-confirm');
  expect((await spend('link', link)).body).toMatchObject({ purpose: 'confirm', state: 'waiting', email: next });
  expect((await spend('confirm', link)).body).toMatchObject({ state: 'waiting', confirmed: true });
  expect((await spend('confirm', link)).status).toBe(200);
  await after(3 * DAY_MS - 60_000);
  expect(await login(owner.email, PASSWORD)).toBe(200);
  await Promise.all(Array.from({ length: 20 }, () => after(3 * DAY_MS + 1)));
  expect(await login(owner.email, PASSWORD)).toBe(400);
  expect(await login(next, PASSWORD)).toBe(200);
  for (const bearer of [access, owner.other]) expect((await call('GET', '/auth/me', bearer)).status).toBe(401);
  const told = await Promise.all([owner.email, next].map((email) => waitingMail(email)));
  for (const mails of told) expect(mails.filter(({ template }) => template === 'own-address-changed')).toHaveLength(1);
  const actions = await auditOf(SERVER_SCOPE, `User/${owner.userId}`);
  for (const action of ['user.change.request', 'user.change.confirm', 'user.email.update', 'login.revoke'])
    expect(actions.filter((one) => one === action)).toHaveLength(1);
  expect(await auditOf(owner.projectId, `ProjectMembership/${owner.membershipId}`)).toContain('membership.update');
  expectOutcome(await spend('stop', await linkOf(owner.email, 'own-address-waits')), 400, 'id');
});

test('by a passkey alone, too', async () => {
  const owner = await makeOwner();
  const { key } = await addPasskey(owner);
  const code = (await show(key.get(await offered()), { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' }))
    .body.code;
  const { access_token: access } = (await redeem({ code, code_verifier: 'v'.repeat(43) })).body;
  expect((await ask(access, anEmail())).status).toBe(202);
});

test('a password alone, a session that is too old, a program, an app’s login and nobody ask for no address', async () => {
  const weak = await makeOwner();
  expectOutcome(await ask((await signIn(weak)).access, anEmail()), 403);
  expect((await read((await signIn(weak)).access)).strong).toBe(false);
  const owner = await strongOwner();
  expectOutcome(await ask(owner.other, owner.next), 403);
  const at = new Date(Date.now() - 11 * 60_000);
  await db()
    .update(logins)
    .set({ authTime: at, factorAt: at, provenAt: at })
    .where(eq(logins.projectId, owner.projectId));
  const old = await ask(owner.access, owner.next);
  expectOutcome(old, 403);
  expect(old.body.issue[0].details.coding[0].code).toBe('insufficient_user_authentication');
  const client = await makeClient(owner.projectId, {}, { admin: true });
  expectOutcome(await callApi(client.basic, 'POST', '/auth/address', { body: { email: owner.next } }), 403);
  expectOutcome(await ask(undefined, owner.next), 401);
  expect(await db().select().from(accountChange).where(eq(accountChange.userId, owner.userId))).toEqual([]);
});

test('a password shown again is no second step shown again; a code of it is', async () => {
  const owner = await makeOwner();
  const { access, app } = await enrollTotp(owner);
  const at = new Date(Date.now() - 11 * 60_000);
  const all = eq(logins.projectId, owner.projectId);
  await db().update(logins).set({ authTime: at, factorAt: at, provenAt: at }).where(all);
  const prove = (body: object) => call('POST', '/auth/proof', access, body);
  expect((await prove({ password: PASSWORD })).status).toBe(200);
  const refused = await ask(access, anEmail());
  expectOutcome(refused, 403);
  expect(refused.body.issue[0].details.coding[0].code).toBe('insufficient_user_authentication');
  expect((await prove({ token: app.next() })).status).toBe(200);
  expect((await ask(access, anEmail())).status).toBe(202);
});

test('the old address stops it: it is off for good, every session ends, and of twenty presses one does it', async () => {
  const owner = await strongOwner();
  await ask(owner.access, owner.next);
  const confirm = await linkOf(owner.next, 'address-confirm');
  await spend('confirm', confirm);
  const stop = await linkOf(owner.email, 'own-address-waits');
  expect((await spend('link', stop)).body).toMatchObject({
    ...{ purpose: 'stop', state: 'waiting', by: 'person', email: `${owner.next[0]}…@example.com` },
  });
  expectOutcome(await spend('confirm', stop), 404);
  expectOutcome(await spend('stop', confirm), 404);
  const all = await Promise.all(Array.from({ length: 20 }, () => spend('stop', stop)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expectOutcome(all.find(({ status }) => status !== 200)!, 400, 'id');
  for (const bearer of [owner.access, owner.other]) expect((await call('GET', '/auth/me', bearer)).status).toBe(401);
  await after(30 * DAY_MS);
  expect(await login(owner.email, PASSWORD)).toBe(200);
  expect(await login(owner.next, PASSWORD)).toBe(400);
  expectOutcome(await spend('confirm', confirm), 400, 'id');
  const stops = (await auditOf(SERVER_SCOPE, `User/${owner.userId}`)).filter((one) => one === 'user.change.stop');
  expect(stops).toHaveLength(1);
});

test('the person takes it back; nobody else does; then another may be asked for, one at a time and five in a day', async () => {
  const [owner, stranger] = [await strongOwner(), await makeOwner()];
  const { id } = (await ask(owner.access, owner.next)).body;
  expectOutcome(await ask(owner.access, anEmail()), 409);
  const remove = (bearer: string, one: string) => call('DELETE', `/auth/changes/${one}`, bearer);
  const { access } = await signIn(stranger);
  for (const one of [id, newId(), 'x']) expectOutcome(await remove(access, one), 404);
  expect((await remove(owner.other, id)).status).toBe(200);
  expectOutcome(await remove(owner.access, id), 404);
  expectOutcome(await spend('confirm', await linkOf(owner.next, 'address-confirm')), 400, 'id');
  for (let count = 0; count < 3; count += 1) {
    const made = await ask(owner.access, anEmail());
    expect(made.status, made.text).toBe(202);
    await remove(owner.access, made.body.id);
  }
  expectOutcome(await ask(owner.access, anEmail()), 429);
});

test('a new password by a mail to the present address, and an account that is secured, take another address off', async () => {
  const owner = await strongOwner();
  await ask(owner.access, owner.next);
  await spend('confirm', await linkOf(owner.next, 'address-confirm'));
  const body = { ...(await makeLink({ kind: 'reset', userId: owner.userId })), password: 'Amber-Lantern-52' };
  expect((await callApi(undefined, 'POST', '/auth/setpassword', { body })).status).toBe(200);
  const world = await createWorld();
  const member = await acceptedMember(world);
  const { access } = await enrollTotp({ ...member, projectId: world.projectId, membershipId: member.id });
  const next = anEmail();
  expect((await ask(access, next)).status).toBe(202);
  await spend('confirm', await linkOf(next, 'address-confirm'));
  expect((await world.call('POST', `/members/${member.id}/secure`)).status).toBe(200);
  await after(4 * DAY_MS);
  expect(await login(owner.email, 'Amber-Lantern-52')).toBe(200);
  const rows = await db().select().from(accountChange);
  for (const userId of [owner.userId, member.userId])
    expect(rows.filter((row) => row.userId === userId).map(({ outcome }) => outcome)).toEqual(['cancelled']);
  expect(await auditOf(world.projectId, `User/${member.userId}`)).toContain('user.change.cancel');
});

test('an address that somebody has is told to its mailbox alone: the answer is the same, and nothing is changed', async () => {
  const [owner, other] = [await strongOwner(), await makePerson()];
  const asked = await ask(owner.access, other.email);
  expect([asked.status, Object.keys(asked.body)]).toEqual([
    202,
    ['id', 'kind', 'by', 'email', 'askedAt', 'dueAt', 'confirmed'],
  ]);
  expect((await waitingMail(other.email)).map(({ template }) => template)).toEqual(['address-taken']);
  await after(30 * DAY_MS);
  expect((await read(owner.access)).changes).toEqual([]);
  expect(await login(owner.email, PASSWORD)).toBe(200);
});

test('who was faster has the address: what waited for it has failed, and says so', async () => {
  const [one, two] = [await strongOwner(), await strongOwner()];
  for (const { access } of [one, two]) await ask(access, one.next);
  const links = (await waitingMail(one.next)).map(({ params }) => toLink(params.url));
  for (const link of links) expect((await spend('confirm', link)).status).toBe(200);
  await after(4 * DAY_MS);
  const states = await Promise.all(links.map(async (link) => (await spend('link', link)).body.state));
  expect(states.sort()).toEqual(['done', 'failed']);
  const actions = await Promise.all([one, two].map(({ userId }) => auditOf(SERVER_SCOPE, `User/${userId}`)));
  expect(actions.flat().filter((action) => action === 'user.change.fail')).toHaveLength(1);
});

test('without a waiting time it is done with the confirmation', async () => {
  onTestFinished(changeSettings({ ADDRESS_CHANGE_HOURS: 0 }));
  const owner = await strongOwner();
  await ask(owner.access, owner.next);
  const link = await linkOf(owner.next, 'address-confirm');
  const all = await Promise.all(Array.from({ length: 5 }, () => spend('confirm', link)));
  expect(all.some(({ body }) => body.state === 'done')).toBe(true);
  expect(await login(owner.next, PASSWORD)).toBe(200);
});

test('an address of a domain that a project enforces, one that a directory manages, and one that an invitation waits at stay', async () => {
  const enforced = await strongOwner();
  const domain = enforced.email.split('@')[1]!;
  const row = { projectId: enforced.projectId, domain, challenge: 'x', enforced: true, verifiedAt: new Date() };
  await db().insert(mailDomain).values(row);
  const refused = await ask(enforced.access, 'me@elsewhere.example');
  await db().delete(mailDomain).where(eq(mailDomain.projectId, enforced.projectId));
  expectOutcome(refused, 409, 'email');

  const world = await createWorld();
  const connected = await world.call('POST', '/scim', { body: { name: 'Okta' } });
  const made = await makeDirectory(`Bearer ${connected.body.token}`)('POST', '/Users', aUser());
  const { user } = (await world.call('GET', `/members/${made.body.id}`)).body;
  const bearer = await enter(world.projectId, made.body.id, user.reference);
  await db().update(logins).set({ factorAt: new Date() }).where(eq(logins.userRef, user.reference));
  const managed = await callApi(bearer, 'POST', '/auth/address', { body: { email: anEmail() } });
  expectOutcome(managed, 409);
  expect(managed.text).toContain('Okta');

  const invited = await strongOwner();
  await world.invite({ email: invited.email, scope: 'server' });
  expectOutcome(await ask(invited.access, invited.next), 409);
});

test('a fault of the request names the field, and a link that is not one is 404', async () => {
  const owner = await strongOwner();
  for (const email of ['', 'x', `${'a'.repeat(70)}@example.com`, 7, null, owner.email])
    expectOutcome(await call('POST', '/auth/address', owner.access, { email }), 400, 'email');
  for (const how of ['link', 'confirm', 'stop'] as const) {
    expectOutcome(await spend(how, { id: newId(), secret: 'x' }), 404);
    expectOutcome(await spend(how, { id: 'x', secret: 'x' }), 400, 'id');
    expectOutcome(await spend(how, { id: newId() }), 400, 'secret');
  }
  const { id } = (await ask(owner.access, owner.next)).body;
  for (const how of ['link', 'confirm', 'stop'] as const) expectOutcome(await spend(how, { id, secret: 'x' }), 404);
});
