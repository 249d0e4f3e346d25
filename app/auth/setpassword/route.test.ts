import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { findUser } from '#lib/domain/accounts/find-user.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import type { Answer } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { makeLink, type SentLink } from '#lib/testing/links.ts';
import { makeOwner, type Owner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const NEW = 'Orange-Lantern-88';
let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function setPassword(link: SentLink, password: unknown = NEW) {
  return callAuth('POST', '/auth/setpassword', { body: { ...link, password } });
}

function login(email: string, password: string) {
  return callAuth('POST', '/auth/login', { body: { email, password, codeChallenge: 'c'.repeat(43) } });
}

function reset(of: Owner): Promise<SentLink> {
  return makeLink({ kind: 'reset', userId: of.userId });
}

describe('200', () => {
  test('the new password works, the old one does not, every session ends, the address is proven', async () => {
    const person = await makeOwner();
    const { access } = await signIn(person);
    expect((await findUser(person.userId, undefined))?.emailVerified).toBe(false);
    const { status, body } = await setPassword(await reset(person));
    expect([status, body.resourceType, body.issue[0].details.text]).toEqual([200, 'OperationOutcome', 'All OK']);
    expect((await login(person.email, NEW)).status).toBe(200);
    expect((await login(person.email, PASSWORD)).status).toBe(400);
    expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(401);
    expect((await findUser(person.userId, undefined))?.emailVerified).toBe(true);
  });

  test('a second factor stays, and is asked for after the new password', async () => {
    const person = await makeOwner();
    await enrollTotp(person);
    expect((await setPassword(await reset(person))).status).toBe(200);
    const { status, body } = await login(person.email, NEW);
    expect([status, body.mfaRequired, body.code]).toEqual([200, true, undefined]);
  });

  test('an invite is audited as accepted, in its project, without password or secret', async () => {
    const person = await makeOwner();
    const { userId, projectId, membershipId } = person;
    const link = await makeLink({ kind: 'invite', userId, projectId, membershipId });
    expect((await setPassword(link)).status).toBe(200);
    const target = `ProjectMembership/${membershipId}`;
    const events = await db().select().from(auditEvent).where(eq(auditEvent.target, target));
    expect(events.filter(({ action }) => action === 'invite.accept')).toMatchObject([{ projectId }]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${NEW}|${link.secret}`));
  });

  test('a link that was handed over by an administrator does not prove the address', async () => {
    const person = await makeOwner();
    const { userId, projectId, membershipId } = person;
    const link = await makeLink({ kind: 'invite', userId, projectId, membershipId, handedAt: new Date() });
    expect((await setPassword(link)).status).toBe(200);
    expect((await findUser(userId, undefined))?.emailVerified).toBe(false);
  });
});

describe('400', () => {
  function expectRefused(answer: Answer, field: string, says: RegExp): void {
    expect(answer.status).toBe(400);
    expect(answer.body.issue[0]).toMatchObject({ expression: [field], details: { text: expect.stringMatching(says) } });
  }

  test('no UUID, no secret, no password', async () => {
    const link = await reset(owner);
    expectRefused(await setPassword({ ...link, id: '1' }), 'id', /UUID/);
    expectRefused(await setPassword({ ...link, secret: '' }), 'secret', /Missing secret/);
    expectRefused(await setPassword(link, null), 'password', /required/);
    const { body } = await callAuth('POST', '/auth/setpassword', { body: {} });
    expect(body.issue.map((issue: { expression: string[] }) => issue.expression[0])).toEqual([
      'id',
      'secret',
      'password',
    ]);
  });

  test('a password that is short, long in bytes, common, or the person’s own address leaves the link as it was', async () => {
    const link = await reset(owner);
    for (const bad of ['seven77', 'é'.repeat(73), 'password123', 'aaaaaaaaaa', owner.email]) {
      expectRefused(await setPassword(link, bad), 'password', /Password/);
    }
    expect((await setPassword(link)).status).toBe(200);
  });

  test('a wrong secret, of another link too', async () => {
    const [link, other] = [await reset(owner), await reset(await makeOwner())];
    expectRefused(await setPassword({ ...link, secret: 'wrong' }), 'secret', /secret/);
    expectRefused(await setPassword({ ...link, secret: other.secret }), 'secret', /secret/);
  });

  test('used, expired, superseded, of another kind', async () => {
    const person = await makeOwner();
    const used = await reset(person);
    await setPassword(used);
    expectRefused(await setPassword(used), 'id', /Already used/);
    const expired = await reset(person);
    await db().update(oneTimeLink).set({ expiresAt: new Date() }).where(eq(oneTimeLink.id, expired.id));
    expectRefused(await setPassword(expired), 'id', /Expired/);
    const superseded = await reset(person);
    const newer = await reset(person);
    expectRefused(await setPassword(superseded), 'id', /Expired.*newer/);
    await setPassword(newer);
    expectRefused(await setPassword(superseded), 'id', /Already used.*newer/);
    const { userId, projectId } = person;
    for (const kind of ['verify-email', 'reopen'] as const)
      expectRefused(await setPassword(await makeLink({ kind, userId, projectId })), 'id', /type/);
  });

  test('a link of whatever kind and project ends when a password is set: another may hold it', async () => {
    const person = await makeOwner();
    const { userId, projectId, membershipId } = person;
    const held = await makeLink({ kind: 'invite', userId, projectId, membershipId, handedAt: new Date() });
    const mailed = await reset(person);
    expect((await setPassword(mailed)).status).toBe(200);
    expectRefused(await setPassword(held, 'Stolen-Account-13'), 'id', /Expired/);
  });
});

test('404 for an unknown id', async () => {
  expect((await setPassword({ id: newId(), secret: 'x' })).status).toBe(404);
});

test('of ten at the same moment exactly one wins, and its password is the one that works', async () => {
  const person = await makeOwner();
  const link = await reset(person);
  const passwords = Array.from({ length: 10 }, (_, i) => `Orange-Lantern-${10 + i}`);
  const answers = await Promise.all(passwords.map((password) => setPassword(link, password)));
  const won = passwords.filter((_, i) => answers[i]!.status === 200);
  expect(won).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect([status, body.issue[0].details.text]).toEqual([400, 'Already used']);
  }
  expect((await login(person.email, won[0]!)).status).toBe(200);
});

test('a GET never spends a link: it is 405', async () => {
  const link = await reset(owner);
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await callAuth(method, `/auth/setpassword?id=${link.id}&secret=${link.secret}`);
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  }
  expect((await setPassword(link)).status).toBe(200);
});
