import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { knownDevice } from '#lib/infra/db/schema/known-device.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, offered, show } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { makeLink, waitingMail } from '#lib/testing/links.ts';
import { makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { CHROME, PHONE, visit } from '#lib/testing/sign-in/visits.ts';

const devicesOf = async (token: string) => (await callAuth('GET', '/auth/devices', { token })).body.devices;
const noticesTo = async (owner: Owner) =>
  (await waitingMail(owner.email)).filter(({ template }) => template === 'new-device');

describe('a browser is known by what it keeps', () => {
  test('the first ever is no news; the same again is the same; another is one more, and the person hears of it', async () => {
    const owner = await makeOwner();
    const first = await visit(owner);
    expect(await noticesTo(owner)).toEqual([]);
    const again = await visit(owner, { kept: first.kept, remote: '203.0.113.9' });
    const [same, ...none] = await devicesOf(again.access);
    expect(none).toEqual([]);
    expect(same).toEqual({
      id: expect.any(String),
      name: null,
      browser: 'Chrome',
      os: 'Windows',
      remoteAddress: '203.0.113.9',
      firstSeenAt: expect.any(String),
      lastSeenAt: expect.any(String),
      current: true,
    });
    expect(await noticesTo(owner)).toEqual([]);
    const other = await visit(owner, { agent: PHONE, remote: '198.51.100.20' });
    const [notice, ...more] = await noticesTo(owner);
    expect(more).toEqual([]);
    expect(notice?.params).toEqual({
      proof: 'password',
      device: 'Safari on iOS',
      address: '198.51.100.20',
      when: expect.stringMatching(/^\d+ \w+ \d{4} at \d\d:\d\d UTC$/),
      rest: '',
      url: expect.stringMatching(/\/resetpassword$/),
    });
    expect((await auditOf(SERVER_SCOPE, `User/${owner.userId}`))[0]).toBe('user.device.new');
    const all = await devicesOf(other.access);
    expect(all.map(({ os, current }: { os: string; current: boolean }) => [os, current])).toEqual([
      ['iOS', true],
      ['Windows', false],
    ]);
    const me = await callAuth('GET', '/auth/me', { token: other.access });
    const [here, ...earlier] = me.body.security.sessions;
    expect([here.device, here.os, here.remoteAddress]).toEqual([all[0].id, 'iOS', '198.51.100.20']);
    expect(new Set(earlier.map(({ device }: { device: string }) => device))).toEqual(new Set([all[1].id]));
  });

  test('whose password is used without the second step hears that, and five times a day at most', async () => {
    const owner = await makeOwner();
    await visit(owner);
    await enrollTotp(owner);
    await visit(owner);
    const [notice] = await noticesTo(owner);
    expect(notice?.params.rest).toBe(' The second step has not been shown yet.');
    for (let count = 0; count < 6; count += 1) await visit(owner);
    expect(await noticesTo(owner)).toHaveLength(5);
  });

  test('what a browser makes up is no device of ours, nor that of another account', async () => {
    const [owner, stranger] = [await makeOwner(), await makeOwner()];
    await visit(owner);
    const { kept } = await visit(stranger);
    const forged = kept.replace(stranger.userId, owner.userId);
    await visit(owner, { kept: forged });
    await visit(owner, { kept });
    expect(await noticesTo(owner)).toHaveLength(2);
    expect(await db().select().from(knownDevice).where(eq(knownDevice.userId, owner.userId))).toHaveLength(3);
  });

  test('a header that is no browser names nothing, whatever it says', async () => {
    const owner = await makeOwner();
    await visit(owner);
    await visit(owner, { agent: 'Call +1 555 0100/2 now to keep your account' });
    const [notice] = await noticesTo(owner);
    expect(notice?.params.device).toBe('a program that does not say what it is');
  });

  test('who registers, or chooses a password by a link, is there from then on', async () => {
    const email = `${newId()}@example.com`;
    const body = { firstName: 'Ada', lastName: 'Stone', email, password: 'Violet-Hammock-41' };
    const registered = await callAuth('POST', '/auth/newuser', { body });
    const kept = registered.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(registered.headers.get('set-cookie')).toMatch(/^gatehouse-device=.*; HttpOnly; SameSite=Lax/);
    const { login } = registered.body;
    await callAuth('POST', '/auth/newproject', { body: { login, projectName: 'Stone Clinic' } });
    await visit({ email }, { kept });
    expect((await waitingMail(email)).map(({ template }) => template)).toEqual([]);
    const owner = await makeOwner();
    await visit(owner);
    const link = await makeLink({ kind: 'reset', userId: owner.userId });
    const password = 'Amber-Lighthouse-77';
    const set = await callAuth('POST', '/auth/setpassword', { body: { ...link, password } });
    await visit(owner, { kept: set.headers.get('set-cookie')?.split(';')[0] ?? '', password });
    expect((await waitingMail(owner.email)).map(({ template }) => template)).toEqual(['password-changed']);
  });

  test('a passkey in a new browser is told as that', async () => {
    const owner = await makeOwner();
    await visit(owner);
    const { key } = await addPasskey(owner);
    expect((await show(key.get(await offered()), {}, { headers: { 'user-agent': CHROME } })).status).toBe(200);
    const [notice] = await noticesTo(owner);
    expect([notice?.params.proof, notice?.params.device]).toEqual(['passkey', 'Chrome on Windows']);
  });

  test('only its hash is kept, fifty of a person at most, each for a year', async () => {
    const owner = await makeOwner();
    const { kept } = await visit(owner);
    const rows = await db().select().from(knownDevice).where(eq(knownDevice.userId, owner.userId));
    const secret = kept.split('.')[2]!;
    expect(secret.length).toBeGreaterThanOrEqual(16);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const long = { userAgent: '', remoteAddress: '', lastSeenAt: new Date(Date.now() - 366 * 86_400_000) };
    const many = Array.from({ length: 60 }, () => ({ id: newId(), userId: owner.userId, tokenHash: newId(), ...long }));
    await db().insert(knownDevice).values(many);
    await visit(owner);
    const left = await db().select().from(knownDevice).where(eq(knownDevice.userId, owner.userId));
    expect(left.length).toBeLessThanOrEqual(51);
    await dropOver();
    expect(await db().select().from(knownDevice).where(eq(knownDevice.userId, owner.userId))).toHaveLength(2);
  });
});

describe('the person', () => {
  test('names one, and takes the name away', async () => {
    const owner = await makeOwner();
    const { access: token } = await visit(owner);
    const [{ id }] = await devicesOf(token);
    const name = (value: unknown) => callAuth('PUT', `/auth/devices/${id}`, { token, body: { name: value } });
    expect((await name(' Kitchen tablet ')).body.name).toBe('Kitchen tablet');
    expect((await devicesOf(token))[0].name).toBe('Kitchen tablet');
    expect((await name(null)).body.name).toBeNull();
    for (const bad of ['', ' ', 'a\nb', 'a\u0000b', '\ud800', 'x'.repeat(65), 7, undefined]) {
      const { status, body } = await name(bad);
      expect([status, body.issue[0].severity]).toEqual([400, 'error']);
    }
    expect((await auditOf(SERVER_SCOPE, `User/${owner.userId}`)).slice(0, 2)).toEqual([
      'user.device.rename',
      'user.device.rename',
    ]);
  });

  test('forgets one: what is open in it ends at once, also twice at once, and it is new when it comes again', async () => {
    const owner = await makeOwner();
    const here = await visit(owner);
    const there = await visit(owner, { agent: PHONE });
    const phone = (await devicesOf(here.access)).find(({ os }: { os: string }) => os === 'iOS');
    const end = () => callAuth('DELETE', `/auth/devices/${phone.id}`, { token: here.access });
    const answers = await Promise.all([end(), end(), end()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ ended: 1 });
    expectOutcome(await callAuth('GET', '/auth/me', { token: there.access }), 401);
    expect((await callAuth('GET', '/auth/me', { token: here.access })).status).toBe(200);
    await visit(owner, { agent: PHONE, kept: there.kept });
    expect(await noticesTo(owner)).toHaveLength(2);
  });

  test('404 for what is another’s; 403 for apps, programs and administrators in their place; 401 for nobody', async () => {
    const [owner, stranger] = [await makeOwner(), await makeOwner()];
    const { access: token } = await visit(owner);
    const [theirs] = await devicesOf((await visit(stranger)).access);
    for (const id of [theirs.id, newId(), 'x', '%00']) {
      expectOutcome(await callAuth('PUT', `/auth/devices/${id}`, { token, body: { name: 'Mine' } }), 404);
      expectOutcome(await callAuth('DELETE', `/auth/devices/${id}`, { token }), 404);
    }
    const client = await makeClient(owner.projectId, {}, { admin: true });
    const { access: app } = await signIn(owner, { clientId: client.id });
    const basic = { authorization: client.basic };
    const inPlace = { ...basic, 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
    for (const caller of [{ token: app }, { headers: basic }, { headers: inPlace }]) {
      expectOutcome(await callAuth('GET', '/auth/devices', caller), 403);
      expectOutcome(await callAuth('DELETE', `/auth/devices/${newId()}`, caller), 403);
    }
    expectOutcome(await callAuth('GET', '/auth/devices'), 401);
  });
});
