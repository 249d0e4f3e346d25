import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeLink, type SentLink, toLink, waitingMail } from '#lib/testing/links.ts';
import { changeMember, makeOwner, type Owner, removeMember } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function show(link: SentLink) {
  return callAuth('POST', '/auth/link', { body: link });
}

function renew(link: SentLink) {
  return callAuth('POST', '/auth/link/renew', { body: link });
}

function invite({ userId, projectId, membershipId }: Owner): Promise<SentLink> {
  return makeLink({ kind: 'invite', userId, projectId, membershipId });
}

async function expire(link: SentLink): Promise<void> {
  await db()
    .update(oneTimeLink)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(oneTimeLink.id, link.id));
}

describe('POST /auth/link', () => {
  test('says what an invite is for, as often as asked, and spends nothing', async () => {
    const link = await invite(owner);
    for (let round = 0; round < 3; round++) {
      const { status, body } = await show(link);
      expect(status).toBe(200);
      expect(body).toEqual({
        type: 'invite',
        state: 'open',
        expiresAt: expect.any(String),
        email: owner.email,
        name: 'Ada Stone',
        hasPassword: true,
        project: { id: owner.projectId, name: 'Stone Clinic' },
        profileType: 'Practitioner',
        admin: true,
        ways: ['password', 'passkey', 'provider'],
      });
    }
    const [row] = await db().select().from(oneTimeLink).where(eq(oneTimeLink.id, link.id));
    expect(row?.openedAt).toBeInstanceOf(Date);
    expect(row?.usedAt).toBeNull();
  });

  test('an expired and a superseded one say so', async () => {
    const expired = await invite(owner);
    await expire(expired);
    expect((await show(expired)).body).toMatchObject({ state: 'expired' });
    expect((await show(expired)).body).not.toHaveProperty('replaced');
    const superseded = await invite(owner);
    await invite(owner);
    expect((await show(superseded)).body).toMatchObject({ state: 'expired', replaced: true });
  });

  test('one whose successor was used says that, and one that was replaced from elsewhere says so too', async () => {
    const { userId, projectId } = await makeOwner();
    const password = 'Orange-Lantern-88';
    const ofProject = await makeLink({ kind: 'reset', userId, projectId });
    const own = await makeLink({ kind: 'reset', userId });
    expect((await show(ofProject)).body).toMatchObject({ state: 'expired', replaced: true });
    await callAuth('POST', '/auth/setpassword', { body: { ...own, password } });
    expect((await show(own)).body).toMatchObject({ state: 'used' });
    expect((await show(own)).body).not.toHaveProperty('replaced');
    expect((await show(ofProject)).body).toMatchObject({ state: 'used', replaced: true });
  });

  test('says nothing without the secret', async () => {
    const link = await invite(owner);
    const wrong = await show({ ...link, secret: 'wrong' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).not.toContain(owner.email);
    expect((await show({ ...link, id: newId() })).status).toBe(404);
    expect((await show({ ...link, id: `${link.id}\u0000` })).status).toBe(400);
    expect((await callAuth('GET', '/auth/link')).status).toBe(405);
  });
});

describe('POST /auth/link/renew', () => {
  test('an expired link brings a fresh one to its address, never into the answer', async () => {
    const person = await makeOwner();
    const link = await invite(person);
    await expire(link);
    const { status, text } = await renew(link);
    const [sent] = await waitingMail(person.email);
    const fresh = toLink(sent?.params.url);
    expect([status, sent?.template]).toEqual([200, 'invite']);
    expect(text).not.toContain(fresh.secret);
    expect((await show(fresh)).body.state).toBe('open');
  });

  test('a link that confirms an address brings another that does', async () => {
    const { userId, email } = await makeOwner();
    const link = await makeLink({ kind: 'verify-email', userId });
    await expire(link);
    expect((await renew(link)).status).toBe(200);
    const [sent] = await waitingMail(email);
    expect([sent?.template, sent?.params.url]).toEqual(['verify', expect.stringContaining('/verifyemail/')]);
    const { body } = await show(toLink(sent?.params.url));
    expect([body.type, body.state]).toEqual(['verify-email', 'open']);
  });

  test('a used one, a wrong secret and an unknown id bring nothing', async () => {
    const person = await makeOwner();
    const link = await invite(person);
    expect((await renew({ ...link, secret: 'wrong' })).status).toBe(400);
    expect((await renew({ ...link, id: newId() })).status).toBe(404);
    const password = 'Orange-Lantern-88';
    await callAuth('POST', '/auth/setpassword', { body: { ...link, password } });
    expect((await renew(link)).status).toBe(400);
    expect(await waitingMail(person.email)).toEqual([]);
  });

  test('an invitation to a project that its person was removed from is not renewed, nor while the membership is inactive', async () => {
    const removed = await makeOwner();
    const link = await invite(removed);
    await removeMember(removed);
    expect((await renew(link)).status).toBe(400);
    expect(await waitingMail(removed.email)).toEqual([]);
    const inactive = await makeOwner();
    const other = await invite(inactive);
    await changeMember(inactive, { active: false });
    expect((await renew(other)).status).toBe(400);
  });

  test('an older invitation of somebody who has come in by a newer one is not renewed', async () => {
    const world = await createWorld();
    const { id, user } = await world.invite();
    const email = String(user.display);
    const [first] = await waitingMail(email);
    await world.call('POST', `/members/${id}/resendinvite`, { body: {} });
    const [second] = await waitingMail(email);
    const password = 'Orange-Lantern-88';
    await callAuth('POST', '/auth/setpassword', { body: { ...toLink(second?.params.url), password } });
    const before = (await waitingMail(email)).length;
    expect((await renew(toLink(first?.params.url))).status).toBe(400);
    expect((await waitingMail(email)).length).toBe(before);
  });

  describe('by a link that a newer one replaced', () => {
    test('is mailed to the address and leaves the newer one as it is, its code too', async () => {
      const person = await makeOwner();
      const { email } = person;
      const old = await invite(person);
      await callAuth('POST', '/auth/link/renew', { body: old });
      const [current] = await waitingMail(email);
      const { status, text } = await renew(old);
      const [sent] = await waitingMail(email);
      const spare = toLink(sent?.params.url);
      expect([status, spare.id === toLink(current?.params.url).id, sent?.params.code]).toEqual([200, false, '']);
      expect(text).not.toContain(spare.secret);
      for (const link of [toLink(current?.params.url), spare]) expect((await show(link)).body.state).toBe('open');
      const { code } = current?.params ?? {};
      expect((await callAuth('POST', '/auth/link/code', { body: { email, code } })).status).toBe(200);
      const password = 'Orange-Lantern-88';
      expect((await callAuth('POST', '/auth/setpassword', { body: { ...spare, password } })).status).toBe(200);
      expect((await show(toLink(current?.params.url))).body.state).not.toBe('open');
    });

    test('has five a day of its own, and takes nobody else the room for more', async () => {
      const person = await makeOwner();
      const old = await invite(person);
      const current = await invite(person);
      for (let round = 0; round < 5; round++) expect((await renew(old)).status).toBe(200);
      const { status, headers } = await renew(old);
      expect([status, Number(headers.get('retry-after')) > 23 * 3600]).toEqual([429, true]);
      expect((await renew(current)).status).toBe(200);
    });
  });

  test('a link whose successor was used brings nothing', async () => {
    const { userId, email } = await makeOwner();
    const old = await makeLink({ kind: 'reset', userId });
    const body = { ...(await makeLink({ kind: 'reset', userId })), password: 'Orange-Lantern-88' };
    await callAuth('POST', '/auth/setpassword', { body });
    expect((await renew(old)).body.issue[0].details.text).toMatch(/Already used/);
    expect((await waitingMail(email)).map(({ template }) => template)).toEqual(['password-changed']);
  });

  test('nor does one whose successor was made at the same moment, or by a server whose clock is behind', async () => {
    for (const behindMs of [0, 5000]) {
      const { userId, email } = await makeOwner();
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const at = Date.now();
      const old = await makeLink({ kind: 'reset', userId });
      vi.setSystemTime(at - behindMs);
      const newer = await makeLink({ kind: 'reset', userId });
      vi.useRealTimers();
      await callAuth('POST', '/auth/setpassword', { body: { ...newer, password: 'Orange-Lantern-88' } });
      expect((await renew(old)).body.issue[0].details.text).toMatch(/Already used/);
      expect((await waitingMail(email)).map(({ template }) => template)).toEqual(['password-changed']);
    }
  });

  test('429 after five within 15 minutes', async () => {
    const person = await makeOwner();
    for (let round = 0; round < 5; round++) expect((await renew(await invite(person))).status).toBe(200);
    const { status, headers } = await renew(await invite(person));
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
