import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { login } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, makeClient, makeOwner, type Owner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

describe('200', () => {
  test('a person: the project, the membership, the whole profile, what they may do, where they are signed in', async () => {
    const { access, login } = await signIn(owner);
    const { status, body } = await callAuth('GET', '/auth/me', { token: access });
    expect(status).toBe(200);
    const { projectId, membershipId, userId, email } = owner;
    expect(body).toEqual({
      project: {
        resourceType: 'Project',
        id: projectId,
        name: 'Stone Clinic',
        strictMode: true,
        features: ['bots', 'cron'],
      },
      membership: {
        resourceType: 'ProjectMembership',
        id: membershipId,
        user: { reference: `User/${userId}` },
        profile: { reference: expect.stringMatching(/^Practitioner\//), display: 'Ada Stone' },
        admin: true,
      },
      profile: expect.objectContaining({
        resourceType: 'Practitioner',
        id: body.membership.profile.reference.split('/')[1],
        telecom: [{ system: 'email', use: 'work', value: email }],
      }),
      config: { resourceType: 'UserConfiguration' },
      accessPolicy: { resourceType: 'AccessPolicy', resource: expect.any(Array) },
      security: {
        mfaEnrolled: false,
        sessions: [
          {
            id: login,
            lastUpdated: expect.any(String),
            authMethod: 'password',
            startedAt: expect.any(String),
            remoteAddress: '',
            current: true,
          },
        ],
      },
    });
  });

  test('sessions of every project of the person, with browser and system, without the revoked and the ungranted', async () => {
    const person = await makeOwner();
    const second = { ...person, ...(await addProject(person.userId, person.email)) };
    const { access } = await signIn(person);
    const body = { email: person.email, password: 'Violet-Hammock-41', codeChallenge: 'p'.repeat(43) };
    await callAuth('POST', '/auth/login', { body: { ...body, projectId: second.projectId } });
    const other = await signIn(second);
    const gone = await signIn(person);
    await callAuth('POST', '/oauth2/logout', { token: gone.access });
    const me = await callAuth('GET', '/auth/me', { token: access, headers: { 'user-agent': AGENT } });
    const ids = me.body.security.sessions.map(({ id }: { id: string }) => id);
    expect(ids).toContain(other.login);
    expect(ids).not.toContain(gone.login);
    expect(ids).toHaveLength(2);
  });

  test('every session that may still be used, however long ago it was; none whose tokens have all run out', async () => {
    const person = await makeOwner();
    const [own, old, dead] = [await signIn(person), await signIn(person), await signIn(person)];
    for (const [session, days] of [
      [old, 13],
      [dead, 15],
    ] as const) {
      const lastUsedAt = new Date(Date.now() - days * 86_400_000);
      await db().update(login).set({ lastUsedAt }).where(eq(login.id, session.login));
    }
    const { body } = await callAuth('GET', '/auth/me', { token: own.access });
    expect(body.security.sessions.map(({ id }: { id: string }) => id)).toEqual([own.login, old.login]);
  });

  test('a program: no security, and itself as profile', async () => {
    const client = await makeClient(owner.projectId);
    const { body } = await callAuth('GET', '/auth/me', { headers: { authorization: client.basic } });
    expect(body).not.toHaveProperty('security');
    expect(body.membership).toMatchObject({ admin: false, profile: { reference: client.profile } });
    expect(body.profile).toMatchObject({ resourceType: 'ClientApplication', name: 'Program' });
    expect(JSON.stringify(body)).not.toContain(client.secret);
  });

  test('HEAD says the same without a body', async () => {
    const { access } = await signIn(owner);
    const { status, text, headers } = await callAuth('HEAD', '/auth/me', { token: access });
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/json; charset=utf-8']);
  });
});

test('401 without credentials', async () => {
  const { status, headers, body } = await callAuth('GET', '/auth/me');
  expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="http://localhost:3999"']);
  expect(body).toMatchObject({ id: 'unauthorized', issue: [{ code: 'login' }] });
});
