import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newSecret } from '#lib/base/ids.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { addProject, changeMember, makeClient, makeOwner, redeem, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const verifier = newSecret(48);
const pkce = { codeChallenge: createHash('sha256').update(verifier).digest('base64url'), codeChallengeMethod: 'S256' };

async function twoProjects() {
  const owner = await makeOwner();
  const second = await addProject(owner.userId, owner.email);
  const { access, tokens } = await signIn(owner);
  return { owner, second, bearer: `Bearer ${access}`, tokens };
}

test('one signs in once and goes from project to project; the first session stays', async () => {
  const { owner, second, bearer, tokens } = await twoProjects();
  const { body } = await callApi(bearer, 'GET', '/auth/memberships');
  expect(body.memberships).toHaveLength(2);
  expect(body.memberships).toEqual(
    expect.arrayContaining([
      {
        id: owner.membershipId,
        project: expect.objectContaining({ display: 'Stone Clinic' }),
        profile: expect.objectContaining({ display: 'Ada Stone' }),
        admin: true,
        current: true,
      },
      expect.objectContaining({ id: second.membershipId, current: false }),
    ]),
  );
  const switched = await callApi(bearer, 'POST', '/auth/switch', {
    body: { membership: second.membershipId, ...pkce },
  });
  expect(switched.status, switched.text).toBe(200);
  const granted = await redeem({ code: switched.body.code, code_verifier: verifier });
  expect(granted.body.project.reference).toBe(`Project/${second.projectId}`);
  const me = await callApi(`Bearer ${granted.body.access_token}`, 'GET', '/auth/me');
  expect(me.body.membership.id).toBe(second.membershipId);
  expect((await callApi(bearer, 'GET', '/auth/me')).body.membership.id).toBe(owner.membershipId);
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims(granted.body.id_token).auth_time).toBe(claims(tokens.id_token).auth_time);
  const events = await db().select().from(auditEvent).where(eq(auditEvent.projectId, second.projectId));
  expect(events.find((event) => event.action === 'login.switch')).toMatchObject({
    target: `User/${owner.userId}`,
    before: { project: `Project/${owner.projectId}` },
  });
});

test('the code is of no use without the verifier', async () => {
  const { second, bearer } = await twoProjects();
  const { body } = await callApi(bearer, 'POST', '/auth/switch', {
    body: { membership: second.membershipId, ...pkce },
  });
  expect((await redeem({ code: body.code })).status).toBe(400);
  const again = await callApi(bearer, 'POST', '/auth/switch', { body: { membership: second.membershipId, ...pkce } });
  expect((await redeem({ code: again.body.code, code_verifier: newSecret(48) })).status).toBe(400);
});

test('a page over plain http, which has no SHA-256, switches too', async () => {
  const { second, bearer } = await twoProjects();
  const plain = { codeChallenge: verifier, codeChallengeMethod: 'plain' };
  const { body } = await callApi(bearer, 'POST', '/auth/switch', {
    body: { membership: second.membershipId, ...plain },
  });
  expect((await redeem({ code: body.code, code_verifier: verifier })).status).toBe(200);
});

test('nobody switches to another person’s membership, to one that was stopped, or to nonsense', async () => {
  const { second, bearer } = await twoProjects();
  const stranger = await makeOwner();
  const to = (membership: unknown, more = {}) =>
    callApi(bearer, 'POST', '/auth/switch', { body: { membership, ...pkce, ...more } });
  expectOutcome(await to(stranger.membershipId), 400, 'membership');
  await changeMember(second, { active: false });
  expectOutcome(await to(second.membershipId), 400, 'membership');
  expectOutcome(await to('x'), 400, 'membership');
  expectOutcome(await to(second.membershipId, { codeChallengeMethod: 'md5' }), 400, 'codeChallengeMethod');
  expectOutcome(
    await callApi(bearer, 'POST', '/auth/switch', { body: { membership: second.membershipId } }),
    400,
    'codeChallenge',
    'codeChallengeMethod',
  );
});

test('a token that a program holds opens no other project, and programs have nowhere to go', async () => {
  const { owner, second } = await twoProjects();
  const app = await makeClient(owner.projectId, {}, { admin: true });
  const { access } = await signIn(owner, { clientId: app.id });
  const body = { membership: second.membershipId, ...pkce };
  expectOutcome(await callApi(`Bearer ${access}`, 'POST', '/auth/switch', { body }), 400);
  expect((await callApi(`Bearer ${access}`, 'GET', '/auth/memberships')).body).toEqual({ memberships: [] });
  expectOutcome(await callApi(app.basic, 'POST', '/auth/switch', { body }), 400);
  expect((await callApi(app.basic, 'GET', '/auth/memberships')).body).toEqual({ memberships: [] });
  const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
  expectOutcome(await callApi(app.basic, 'POST', '/auth/switch', { body, headers }), 400);
  expect((await callApi(app.basic, 'GET', '/auth/memberships', { headers })).body).toEqual({ memberships: [] });
});

test('401 without a session', async () => {
  expectOutcome(await callApi(undefined, 'GET', '/auth/memberships'), 401);
  expectOutcome(await callApi(undefined, 'POST', '/auth/switch', { body: pkce }), 401);
});
