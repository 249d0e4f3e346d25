import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { type Accepted, acceptedMember, auditOf, login, spendLink } from '#lib/testing/accounts.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, signInBy } from '#lib/testing/devices/passkeys.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { addProject, makeClient, makeOwner, PASSWORD } from '#lib/testing/people.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

async function setting(): Promise<{ world: World; member: Accepted; bearer: string; token: string }> {
  const world = await createWorld();
  const member = await acceptedMember(world);
  const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
  return { world, member, bearer, token: bearer.slice('Bearer '.length) };
}

const act = (world: World, id: string, name: string) => world.call('POST', `/members/${id}/${name}`);
const isIn = async (token: string) => (await callAuth('GET', '/auth/me', { token })).status === 200;

describe('GET …/safety', () => {
  test('failures, sessions, what proves the person, and what was done in their name since', async () => {
    const { world, member, bearer } = await setting();
    await login(member.email, 'Wrong-Hammock-41', world.projectId);
    await flushFailures();
    const since = new Date(Date.now() - 60_000).toISOString();
    await callAuth('POST', '/fhir/R4/Patient', {
      headers: { authorization: bearer },
      body: { resourceType: 'Patient', name: [{ family: 'Field' }] },
    });
    const { status, body, text } = await world.call('GET', `/members/${member.id}/safety?since=${since}`);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ locked: false, sessions: 1, factors: [], passkeys: 0 });
    expect(body.failures.map(({ action }: { action: string }) => action)).toEqual(['login.failed']);
    expect(body.acts.rows.map(({ action }: { action: string }) => action)).toContain('resource.create');
    expect(body.acts.more).toBe(false);
    const later = await world.call(
      'GET',
      `/members/${member.id}/safety?since=${new Date(Date.now() + 9e5).toISOString()}`,
    );
    expect([later.body.failures, later.body.acts.rows]).toEqual([[], []]);
  });

  test('400 for what is no instant; 404 for another project’s; 403 for who is no administrator', async () => {
    const { world, member, bearer } = await setting();
    for (const since of ['x', '0000-01-01T00:00:00Z', '10000-01-01T00:00:00Z', '2026-01-01', '%00', '%ED%A0%80']) {
      expectOutcome(await world.call('GET', `/members/${member.id}/safety?since=${since}`), 400);
    }
    expectOutcome(await world.call('GET', `/members/${newId()}/safety`), 404);
    const other = await createWorld();
    for (const [method, name] of [
      ['GET', 'safety'],
      ['POST', 'lock'],
      ['POST', 'release'],
      ['POST', 'secure'],
    ] as const) {
      expectOutcome(await other.call(method, `/members/${member.id}/${name}`), 404);
      expectOutcome(await world.call(method, `/members/${member.id}/${name}`, { bearer }), 403);
    }
  });
});

describe('POST …/lock', () => {
  test('nobody enters, no session lives, until the release, and none of before then', async () => {
    const { world, member, token } = await setting();
    const statuses = (await Promise.all([1, 2, 3].map(() => act(world, member.id, 'lock')))).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([200, 200, 200]);
    expect(await isIn(token)).toBe(false);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(400);
    expect((await world.call('GET', `/members/${member.id}/safety`)).body).toMatchObject({ locked: true, sessions: 0 });
    expect(await auditOf(world.projectId, `ProjectMembership/${member.id}`)).toContain('membership.lock');
    expect((await act(world, member.id, 'release')).status).toBe(200);
    expect((await act(world, member.id, 'release')).status).toBe(200);
    expect(await login(member.email, PASSWORD, world.projectId)).toBe(200);
    expect(await isIn(token)).toBe(false);
  });

  test('409 for the owner, who stays', async () => {
    const { world } = await setting();
    expectOutcome(await act(world, world.owner.membershipId, 'lock'), 409);
    expect(await isIn(world.owner.bearer.slice('Bearer '.length))).toBe(true);
  });
});

describe('POST …/secure', () => {
  test('password, factors, passkeys and sessions end; the mailed link is the one way in', async () => {
    const owner = await makeOwner();
    const root = await makeClient(owner.projectId, {}, { admin: true });
    const { key, browser } = await addPasskey(owner);
    const path = `/admin/projects/${owner.projectId}/members/${owner.membershipId}/secure`;
    const answer = await callAuth('POST', path, { headers: { authorization: root.basic } });
    expect([answer.status, answer.body]).toEqual([200, { factors: [], passkeys: ['Passkey'] }]);
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    expect(await login(owner.email, PASSWORD)).toBe(400);
    expect((await signInBy(key)).status).toBe(400);
    const mail = (await waitingMail(owner.email)).find(({ template }) => template === 'account-secured');
    const next = 'Amber-Lighthouse-77';
    expect((await spendLink(mail?.params.url, next)).status).toBe(200);
    expect(await login(owner.email, next)).toBe(200);
  });

  test('409 for whom other projects know, and nothing has ended', async () => {
    const owner = await makeOwner();
    await addProject(owner.userId, owner.email);
    const root = await makeClient(owner.projectId, {}, { admin: true });
    const path = `/admin/projects/${owner.projectId}/members/${owner.membershipId}/secure`;
    expectOutcome(await callAuth('POST', path, { headers: { authorization: root.basic } }), 409);
    expect(await login(owner.email, PASSWORD)).toBe(200);
    expectOutcome(
      await callAuth('POST', path.replace(owner.membershipId, root.membershipId), {
        headers: { authorization: root.basic },
      }),
      400,
    );
  });
});
