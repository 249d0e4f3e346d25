import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { login } from '#lib/infra/db/schema/login.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, makeClient, makeOwner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

test('a person takes what is kept of them, and nothing that signs in or is another’s', async () => {
  const owner = await makeOwner();
  const other = await addProject(owner.userId, owner.email);
  const stranger = await makeOwner();
  const { access, tokens } = await signIn(owner, { scope: 'openid offline' });
  const answer = await callAuth('GET', '/auth/account', { token: access });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-disposition')).toContain('account.json');
  const copy = answer.body;
  expect(copy).toMatchObject({
    account: { resourceType: 'User', id: owner.userId, email: owner.email },
    membership: { resourceType: 'ProjectMembership', id: owner.membershipId },
    profile: { resourceType: 'Practitioner' },
    devices: [],
    passkeys: [],
    consents: [],
    accessRequests: [],
    views: [],
    emergencyAccess: [],
  });
  const projects = copy.memberships.map(({ id }: { id: string }) => id).sort();
  expect(projects).toEqual([owner.membershipId, other.membershipId].sort());
  expect(copy.sessions).toHaveLength(1);
  expect((await callAuth('GET', '/auth/account', { token: access })).body.log[0]).toMatchObject({
    action: 'user.export',
    target: `User/${owner.userId}`,
  });
  for (const secret of [PASSWORD, tokens.refresh_token, stranger.email, 'Hash', 'argon', 'scrypt'])
    expect(answer.text).not.toContain(secret);
});

test('not for programs, nobody, an old proof, or eleven times an hour', async () => {
  const owner = await makeOwner();
  const client = await makeClient(owner.projectId, {}, { admin: true });
  expect((await callApi(undefined, 'GET', '/auth/account')).status).toBe(401);
  expectOutcome(await callApi(client.basic, 'GET', '/auth/account'), 403);
  const { access } = await signIn(owner);
  const all = await Promise.all(Array.from({ length: 20 }, () => callAuth('GET', '/auth/account', { token: access })));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(all.filter(({ status }) => status === 429)).toHaveLength(10);
  const then = new Date(Date.now() - 86_400_000);
  await db().update(login).set({ authTime: then, provenAt: null }).where(eq(login.projectId, owner.projectId));
  const refused = await callAuth('GET', '/auth/account', { token: access });
  expectOutcome(refused, 403);
  expect(refused.text).toContain('Show again who you are');
});
