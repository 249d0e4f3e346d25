import { eq, sql } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { changeMember, makeClient, makeOwner, type Owner, signIn, type TestClient } from '#lib/testing/people.ts';
import { tellStanding } from '#lib/testing/set-up/check-standing.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, invitation, signIn as signInTo } from '#lib/testing/world.ts';

let owner: Owner;
let bearer: string;
let profile: string;
let program: TestClient;
let member: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  const { access } = await signIn(owner);
  bearer = `Bearer ${access}`;
  profile = String(decodeJwt(access).profile);
  program = await makeClient(owner.projectId, {}, { admin: true });
  member = await makeClient(owner.projectId);
});

const PATCH_TYPE = { 'content-type': 'application/json-patch+json' };

function as(authorization: string, reference: string, method = 'GET', path = '/auth/me', body?: unknown) {
  const headers = { 'x-medplum-on-behalf-of': reference, ...(method === 'PATCH' && PATCH_TYPE) };
  return callApi(authorization, method, path, { headers, body });
}

describe('200', () => {
  test('a person and a program that administrate, naming the membership or the profile: the rights are the other’s', async () => {
    for (const authorization of [bearer, program.basic]) {
      for (const reference of [`ProjectMembership/${member.membershipId}`, member.profile]) {
        const { status, body } = await as(authorization, reference);
        expect([status, body.membership.id, body.membership.admin]).toEqual([200, member.membershipId, false]);
      }
    }
    expect((await as(bearer, member.profile, 'GET', `/admin/projects/${owner.projectId}`)).status).toBe(403);
  });

  test('what was done is audited, and stored, with who really did it and for whom', async () => {
    const person = { resourceType: 'Practitioner', name: [{ family: 'Moss' }] };
    const made = await as(bearer, member.profile, 'POST', '/fhir/R4/Practitioner', person);
    expect(made.status).toBe(201);
    const target = `Practitioner/${made.body.id}`;
    const readBack = await callApi(bearer, 'GET', `/fhir/R4/${target}`, { headers: { 'x-medplum': 'extended' } });
    const meta = { author: { reference: profile }, onBehalfOf: { reference: member.profile } };
    expect(readBack.body.meta).toMatchObject(meta);
    const events = await db().select().from(auditEvent).where(eq(auditEvent.target, target));
    expect(events).toMatchObject([{ actor: profile, onBehalfOf: member.profile, loginId: expect.any(String) }]);
  });

  test('an empty header is none', async () => {
    expect((await as(bearer, '')).body.membership.id).toBe(owner.membershipId);
  });
});

test('401 for whoever does not administrate, about themselves too', async () => {
  for (const reference of [profile, member.profile, `ProjectMembership/${newId()}`]) {
    expect((await as(member.basic, reference)).status).toBe(401);
  }
});

describe('404', () => {
  test('another project’s member is as unknown as none', async () => {
    const stranger = await makeClient((await makeOwner()).projectId);
    const references = [
      `ProjectMembership/${stranger.membershipId}`,
      stranger.profile,
      `ProjectMembership/${newId()}`,
      'ProjectMembership/x',
      'ProjectMembership/',
      'Practitioner/x',
      `User/${owner.userId}`,
      "' or 1=1 --",
    ];
    const answers = await Promise.all(references.map((reference) => as(bearer, reference)));
    expect(answers.map(({ status }) => status)).toEqual(references.map(() => 404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('a member who is not active any more', async () => {
    const gone = await makeClient(owner.projectId);
    const reference = `ProjectMembership/${gone.membershipId}`;
    expect((await as(bearer, reference)).status).toBe(200);
    await changeMember({ projectId: owner.projectId, membershipId: gone.membershipId }, { active: false });
    expect((await as(bearer, reference)).status).toBe(404);
  });
});

test('nothing of one caller sticks to the next who stands in for the same member', async () => {
  const [one, two] = await Promise.all([signIn(owner, { scope: 'openid email' }), signIn(owner, { scope: 'openid' })]);
  for (const { access, login } of [one, two]) {
    const person = { resourceType: 'Practitioner', name: [{ family: 'Moss' }] };
    const made = await as(`Bearer ${access}`, member.profile, 'POST', '/fhir/R4/Practitioner', person);
    const events = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `Practitioner/${made.body.id}`));
    expect(events).toMatchObject([{ actor: profile, onBehalfOf: member.profile, loginId: login }]);
  }
});

test('nobody lifts the policy that limits them in the name of somebody whom it does not limit', async () => {
  const project = await makeFhirProject();
  const limited = await project.member(
    [{ resourceType: 'Patient', readonly: true }, { resourceType: 'AccessPolicy' }],
    { admin: true },
  );
  const found = await callApi(project.admin.authorization, 'GET', '/fhir/R4/AccessPolicy');
  const [{ resource: policy }] = found.body.entry;
  const wider = { ...policy, resource: [{ resourceType: '*' }] };
  const path = `/fhir/R4/AccessPolicy/${policy.id}`;
  for (const [method, body] of [
    ['PUT', wider],
    ['PATCH', [{ op: 'replace', path: '/resource', value: wider.resource }]],
  ] as const) {
    expect((await as(limited.authorization, '', method, path, body)).status).toBe(403);
    expect((await as(limited.authorization, project.admin.profile, method, path, body)).status).toBe(403);
  }
  // Another's limit is the other's business.
  expect((await as(project.admin.authorization, limited.profile, 'PUT', path, wider)).status).toBe(200);
});

test('an Idempotency-Key is the caller’s own: who acts for others is not told what those were answered', async () => {
  const [ada, ben] = [
    await makeClient(owner.projectId, {}, { admin: true }),
    await makeClient(owner.projectId, {}, { admin: true }),
  ];
  const make = (authorization: string, headers: Record<string, string> = {}) =>
    callApi(authorization, 'POST', `/admin/projects/${owner.projectId}/invite`, {
      body: invitation({ email: 'one@example.com' }),
      headers: { 'idempotency-key': 'one', ...headers },
    });
  const other = (client: TestClient) => ({ 'x-medplum-on-behalf-of': client.profile });
  expect((await make(ada.basic)).status).toBe(200);
  expect((await make(ada.basic)).headers.get('idempotent-replayed')).toBe('true');
  expect((await make(ada.basic, other(ben))).status).toBe(422);
  expect((await make(program.basic, other(ada))).headers.get('idempotent-replayed')).toBeNull();
});

describe('what is the person’s own stays theirs', () => {
  test('their sessions are not shown and not ended, and their account is not changed', async () => {
    const world = await createWorld();
    const ben = await world.invite();
    const theirs = await signInTo(world.projectId, ben.id, ben.user.reference);
    const asBen = (method: string, path: string, body?: unknown) =>
      as(world.owner.bearer, `ProjectMembership/${ben.id}`, method, path, body);
    const { body: own } = await callApi(theirs, 'GET', '/auth/me');
    const [session] = own.security.sessions;
    const me = await asBen('GET', '/auth/me');
    expect([me.status, me.body.membership.id, me.body.security]).toEqual([200, ben.id, undefined]);
    expect((await asBen('POST', '/auth/revoke', { loginId: session.id })).status).toBe(404);
    expect((await callApi(theirs, 'GET', '/auth/me')).status).toBe(200);
    const [, id] = ben.user.reference.split('/');
    const renamed = { resourceType: 'User', id, firstName: 'Other', lastName: 'Name' };
    for (const [method, body] of [['GET'], ['PUT', renamed]] as const) {
      expect((await asBen(method, `/fhir/R4/User/${id}`, body)).status, method).toBeGreaterThanOrEqual(403);
    }
  });

  test('nobody acts for somebody who has yet to prove the address of their account', async () => {
    const [world, known] = [await createWorld(), await makeOwner()];
    await db().execute(sql`
      update resource set content = content - 'emailVerified' where id = ${known.userId} and project_id = ${SERVER_SCOPE}`);
    const waiting = await world.invite({ email: known.email, sendEmail: false });
    expect((await as(world.owner.bearer, `ProjectMembership/${waiting.id}`)).status).toBe(404);
    await db().execute(sql`
      update resource set content = content || '{"emailVerified":true}' where id = ${known.userId} and project_id = ${SERVER_SCOPE}`);
    await tellStanding(world.projectId);
    expect((await as(world.owner.bearer, `ProjectMembership/${waiting.id}`)).status).toBe(200);
  });
});
