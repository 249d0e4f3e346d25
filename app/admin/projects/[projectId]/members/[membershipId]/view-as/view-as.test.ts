import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { memberView } from '#lib/infra/db/schema/members/member-view.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { askToken, makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn, type World } from '#lib/testing/world.ts';

type Person = { id: string; user: string; bearer: string; loginId: string; profile: string };

const REASON = { reason: 'She says that a record is missing' };

let world: World;
let mary: Person;
let patients: { mary: string; john: string };

async function policyOf(of: World, resource: AccessPolicyRule[], more: object = {}): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name: 'Test', resource, ...more };
  const made = await callApi(of.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}

/** Signed in, by these rules where there are any. */
async function person(of: World, rules?: AccessPolicyRule[], membership: object = {}, more: object = {}) {
  const access = rules ? { accessPolicy: { reference: await policyOf(of, rules, more) } } : {};
  const made = await of.invite({ membership: { ...membership, ...access } });
  const bearer = await signIn(of.projectId, made.id, made.user.reference);
  const { login_id } = decodeJwt<{ login_id: string }>(bearer.slice('Bearer '.length));
  return { id: made.id, user: made.user.reference, profile: made.profile.reference, bearer, loginId: login_id };
}

const administrator = (of: World, rules?: AccessPolicyRule[], more: object = {}) =>
  person(of, rules, { admin: true }, more);

async function patient(of: World, fields: object): Promise<string> {
  const body = { resourceType: 'Patient', ...fields };
  return (await callApi(of.owner.bearer, 'POST', '/fhir/R4/Patient', { body })).body.id;
}

const start = (of: World, who: string, bearer = of.owner.bearer, body: unknown = REASON): Promise<Answer> =>
  of.call('POST', `/members/${who}/view-as`, { body, bearer });

async function view(of: World, who: string, bearer?: string): Promise<string> {
  const made = await start(of, who, bearer);
  expect(made.status, made.text).toBe(201);
  return `Bearer ${made.body.token}`;
}

const read = (bearer: string, path: string, headers: Record<string, string> = {}) =>
  callApi(bearer, 'GET', `/fhir/R4/${path}`, { headers });
async function found(bearer: string, path: string): Promise<string[]> {
  const { status, body, text } = await read(bearer, path);
  expect(status, text).toBe(200);
  return (body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id).sort();
}
const auditOf = (of: World, target: string) =>
  db()
    .select()
    .from(auditEvent)
    .where(and(eq(auditEvent.projectId, of.projectId), eq(auditEvent.target, target)));
const mails = async (of: World) =>
  (await db().select().from(mail).where(eq(mail.projectId, of.projectId))).filter(
    (row) => row.template === 'viewed-as',
  );

beforeAll(async () => {
  await startInvalidation();
  world = await createWorld();
  mary = await person(world, [
    { resourceType: 'Patient', criteria: 'Patient?gender=female', readonly: true, hiddenFields: ['birthDate'] },
  ]);
  patients = {
    mary: await patient(world, { gender: 'female', birthDate: '1970-01-01' }),
    john: await patient(world, { gender: 'male' }),
  };
  return stopInvalidation;
});

describe('an administrator looks with a member’s eyes', () => {
  test('and sees what the member sees, and who both are', async () => {
    const made = await start(world, mary.id);
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        member: { reference: `ProjectMembership/${mary.id}`, display: 'Ann Invited' },
        profile: { reference: mary.profile, display: 'Ann Invited' },
      }),
    ]);
    const { token, now, endsAt, id } = made.body;
    expect(Date.parse(endsAt) - Date.parse(now)).toBe(600_000);
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      sub: mary.user.slice('User/'.length),
      profile: mary.profile,
      act: { sub: world.owner.userId },
    });
    expect(claims).not.toHaveProperty('login_id');
    const bearer = `Bearer ${token}`;
    expect(await found(bearer, 'Patient')).toEqual([patients.mary]);
    const one = await read(bearer, `Patient/${patients.mary}`);
    expect([one.status, one.body.birthDate]).toEqual([200, undefined]);
    expectOutcome(await read(bearer, `Patient/${patients.john}`), 404);
    expect(await found(bearer, 'Patient?birthdate=1970-01-01')).toEqual([]);
    expectOutcome(await read(bearer, 'Observation'), 403);
    const me = (await callApi(bearer, 'GET', '/auth/me')).body;
    expect(me).toMatchObject({
      membership: { id: mary.id, admin: false, profile: { reference: mary.profile } },
      view: { by: { display: 'Olga Owner' }, endsAt },
    });
    expect(me).not.toHaveProperty('security');
    expect(me.accessPolicy.resource).toContainEqual({
      resourceType: 'Patient',
      interaction: ['read', 'vread', 'history', 'search'],
    });
    const [started] = (await auditOf(world, `ProjectMembership/${mary.id}`)).filter(
      (row) => row.action === 'view.start',
    );
    expect(started).toMatchObject({ actorMembership: world.owner.membershipId, after: { view: id, ...REASON } });
  });

  test('each read is in the log with both, whatever the project keeps of reads', async () => {
    const bearer = await view(world, mary.id);
    await read(bearer, `Patient/${patients.mary}`);
    await flushReads();
    const rows = await auditOf(world, `Patient/${patients.mary}`);
    expect(rows.filter((row) => row.action === 'resource.read').at(-1)).toMatchObject({
      actorMembership: world.owner.membershipId,
      onBehalfOf: mary.profile,
    });
  });

  test('one read is one round trip', async () => {
    const bearer = await view(world, mary.id);
    await read(bearer, `Patient/${patients.mary}`);
    await flushReads();
    const texts: string[] = [];
    const stop = watchStatements((text) => texts.push(text));
    expect((await read(bearer, `Patient/${patients.mary}`)).status).toBe(200);
    stop();
    expect(texts.filter((text) => !text.includes('audit_event'))).toHaveLength(1);
  });

  test('the person is told, and sees who looked, when and why; unless the project says no of the mail', async () => {
    const own = await createWorld();
    const who = await person(own);
    await view(own, who.id);
    expect(await mails(own)).toHaveLength(1);
    const listed = await callApi(who.bearer, 'GET', '/auth/me/views');
    expect(listed.body).toEqual({ rows: [expect.objectContaining({ by: 'Olga Owner', ...REASON })], next: null });
    const setting = (valueBoolean: unknown) =>
      own.call('POST', '/settings', { body: [{ name: 'viewAsNotice', valueBoolean }] });
    expectOutcome(await setting('no'), 400);
    expect((await setting(false)).status).toBe(200);
    await view(own, who.id);
    expect(await mails(own)).toHaveLength(1);
    const first = await callApi(who.bearer, 'GET', '/auth/me/views?_count=1');
    const next = await callApi(who.bearer, 'GET', `/auth/me/views?_count=1&cursor=${first.body.next}`);
    expect([first.body.rows, next.body.rows].flat()).toHaveLength(2);
    expect(next.body.next).toBe(null);
  });

  test('introspection names who acts; the token is no access token, refreshes nothing and is exchanged for nothing', async () => {
    const made = await start(world, mary.id);
    const { token } = made.body;
    const program = await makeClient(world.projectId);
    const introspect = async () =>
      (await callApi(program.basic, 'POST', '/oauth2/introspect', { body: new URLSearchParams({ token }) })).body;
    expect(await introspect()).toMatchObject({ active: true, act: { sub: world.owner.userId }, profile: mary.profile });
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    const asked = { client_id: program.id, client_secret: program.secret };
    expect((await askToken({ ...exchange, ...asked })).status).toBeGreaterThanOrEqual(400);
    const refresh = { grant_type: 'refresh_token', refresh_token: token, ...asked };
    expect((await askToken(refresh)).status).toBeGreaterThanOrEqual(400);
    const form = new URLSearchParams({ access_token: token });
    expect((await callApi(undefined, 'POST', '/oauth2/userinfo', { body: form })).status).toBe(401);
    await world.call('DELETE', `/members/${mary.id}/view-as`);
    expect(await introspect()).toEqual({ active: false });
  });

  test('an owner and another administrator are looked at without what they administer', async () => {
    const admin = await administrator(world);
    const bearer = await view(world, world.owner.membershipId, admin.bearer);
    expect((await callApi(bearer, 'GET', '/auth/me')).body.membership.admin).toBe(false);
    expectOutcome(await callApi(bearer, 'GET', `/admin/projects/${world.projectId}`), 403);
    expect(await found(bearer, 'Patient')).toEqual(Object.values(patients).sort());
  });
});

describe('an administrator whom a policy limits sees no more than they may', () => {
  test('records', async () => {
    const limited = await administrator(world, [{ resourceType: 'Patient', criteria: 'Patient?gender=male' }]);
    const whole = await person(world);
    const bearer = await view(world, whole.id, limited.bearer);
    expect(await found(bearer, 'Patient')).toEqual([patients.john]);
    expect(await found(bearer, 'Patient/_history')).toEqual([patients.john]);
    expectOutcome(await read(bearer, `Patient/${patients.mary}`), 404);
    expectOutcome(await read(bearer, 'Observation'), 403);
    const mine = await view(world, mary.id, limited.bearer);
    expect(await found(mine, 'Patient')).toEqual([]);
  });

  test('fields, neither shown nor asked by, whatever the member’s rules are', async () => {
    const limited = await administrator(world, [{ resourceType: 'Patient', hiddenFields: ['gender'] }]);
    const lists: (AccessPolicyRule[] | undefined)[] = [
      undefined,
      [{ resourceType: '*' }],
      [{ resourceType: 'Patient', hiddenFields: ['birthDate'] }],
    ];
    for (const rules of lists) {
      const who = await person(world, rules);
      const bearer = await view(world, who.id, limited.bearer);
      const one = await read(bearer, `Patient/${patients.mary}`);
      expect([one.status, one.body.gender]).toEqual([200, undefined]);
      expect('birthDate' in one.body).toBe(!rules?.[0]?.hiddenFields);
      expectOutcome(await read(bearer, 'Patient?gender=female'), 403);
      expectOutcome(await read(bearer, 'Patient?_sort=gender'), 403);
    }
  });

  test('what a rule of the member asks by tells nothing', async () => {
    const hidden = await administrator(
      world,
      [{ resourceType: '*' }, { resourceType: 'Patient', hiddenFields: ['gender'] }].toReversed(),
    );
    expectOutcome(await read(await view(world, mary.id, hidden.bearer), 'Patient'), 403);
    const chained = await person(world, [
      { resourceType: 'Observation', criteria: 'Observation?subject:Patient.gender=female' },
      { resourceType: 'Patient' },
    ]);
    const limited = await administrator(world, [{ resourceType: 'Observation' }]);
    expectOutcome(await read(await view(world, chained.id, limited.bearer), 'Observation'), 403);
    expect((await read(await view(world, chained.id), 'Observation')).status).toBe(200);
  });

  test('from where: both must be let in', async () => {
    const nowhere = { ipAccessRule: [{ name: 'Nobody', value: '*', action: 'block' }] };
    const blocked = await person(world, [{ resourceType: 'Patient' }], {}, nowhere);
    const bearer = await view(world, blocked.id);
    const refused = await read(bearer, 'Patient');
    expectOutcome(refused, 403);
    expect(refused.text).toContain('IP address');
  });
});

describe('a view ends', () => {
  const over = async (bearer: string) => expectOutcome(await read(bearer, 'Patient'), 401);

  test('when the administrator says so, which is told once, and when they begin another', async () => {
    const own = await createWorld();
    const [who, other] = [await person(own), await person(own)];
    const first = await view(own, who.id);
    const second = await view(own, other.id);
    await over(first);
    expect((await own.call('DELETE', `/members/${who.id}/view-as`)).status).toBe(200);
    expect((await read(second, 'Patient')).status).toBe(200);
    for (const _ of [1, 2]) expect((await own.call('DELETE', `/members/${other.id}/view-as`)).status).toBe(200);
    await over(second);
    const ends = (await auditOf(own, `ProjectMembership/${other.id}`)).filter((row) => row.action === 'view.end');
    expect(ends).toHaveLength(1);
    expect((await read(own.owner.bearer, 'Patient')).status).toBe(200);
  });

  test('of several begun at once one is open', async () => {
    const own = await createWorld();
    const people = await Promise.all(Array.from({ length: 4 }, () => person(own)));
    const made = await Promise.all(people.map(({ id }) => start(own, id)));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const answers = await Promise.all(made.map(({ body }) => read(`Bearer ${body.token}`, 'Patient')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('with the administrator’s session', async () => {
    const admin = await administrator(world);
    const bearer = await view(world, mary.id, admin.bearer);
    const path = `/members/${admin.id}/sessions/${admin.loginId}`;
    expect((await world.call('DELETE', path)).status).toBe(200);
    await over(bearer);
  });

  test('when they are no administrator any more, also where they are one again', async () => {
    const admin = await administrator(world);
    const bearer = await view(world, mary.id, admin.bearer);
    const set = (value: boolean) =>
      world.call('PATCH', `/members/${admin.id}`, {
        body: [{ op: 'add', path: '/admin', value }],
        headers: { 'content-type': 'application/json-patch+json' },
      });
    expect((await set(false)).status).toBe(200);
    await over(bearer);
    expect((await set(true)).status).toBe(200);
    await over(bearer);
  });

  test.each(['administrator', 'member'])('when the %s is suspended, also where they come back', async (which) => {
    const [admin, who] = [await administrator(world), await person(world)];
    const bearer = await view(world, who.id, admin.bearer);
    const id = which === 'member' ? who.id : admin.id;
    const set = (value: boolean) =>
      world.call('PATCH', `/members/${id}`, {
        body: [{ op: 'add', path: '/active', value }],
        headers: { 'content-type': 'application/json-patch+json' },
      });
    expect((await set(false)).status).toBe(200);
    await over(bearer);
    expect((await set(true)).status).toBe(200);
    await over(bearer);
  });

  test('when the member is removed', async () => {
    const who = await person(world);
    const bearer = await view(world, who.id);
    expect((await world.call('DELETE', `/members/${who.id}`)).status).toBe(200);
    await over(bearer);
    expectOutcome(await start(world, who.id), 410);
  });

  test('after its ten minutes, and at once where the member may see less', async () => {
    const who = await person(world, [{ resourceType: 'Patient' }]);
    const made = await start(world, who.id);
    const bearer = `Bearer ${made.body.token}`;
    expect((await read(bearer, 'Patient')).status).toBe(200);
    const reference = await policyOf(world, [{ resourceType: 'Observation' }]);
    const narrower = [{ op: 'add', path: '/accessPolicy', value: { reference } }];
    const headers = { 'content-type': 'application/json-patch+json' };
    expect((await world.call('PATCH', `/members/${who.id}`, { body: narrower, headers })).status).toBe(200);
    expectOutcome(await read(bearer, 'Patient'), 403);
    const { id } = made.body;
    await stopInvalidation();
    await db().update(memberView).set({ endsAt: new Date() }).where(eq(memberView.id, id));
    await over(bearer);
    await startInvalidation();
  });
});

describe('nobody looks', () => {
  test('without a reason, with a long one, or with more than one', async () => {
    for (const body of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 5 }, { ...REASON, minutes: 60 }])
      expectOutcome(await start(world, mary.id, world.owner.bearer, body), 400);
  });

  test('who does not administer the project, is a program, acts for another or stands above projects', async () => {
    const member = await person(world);
    const program = await makeClient(world.projectId, {}, { admin: true });
    const stranger = await createWorld();
    for (const bearer of [member.bearer, program.basic, stranger.owner.bearer, await createSuperAdmin()])
      expectOutcome(await start(world, mary.id, bearer), 403);
    const admin = await administrator(world);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${admin.id}` };
    expectOutcome(await world.call('POST', `/members/${mary.id}/view-as`, { body: REASON, headers }), 403);
  });

  test('without a proof', async () => {
    const admin = await administrator(world);
    await db()
      .update(login)
      .set({ authTime: new Date(Date.now() - 3_600_000) })
      .where(and(eq(login.projectId, world.projectId), eq(login.id, admin.loginId)));
    const refused = await start(world, mary.id, admin.bearer);
    expectOutcome(refused, 403);
    expect(refused.text).toContain('Show again who you are');
  });

  test('with their own eyes, a program’s, or those of who is not in', async () => {
    const other = await createWorld();
    expectOutcome(await start(world, world.owner.membershipId), 409);
    expectOutcome(await start(world, (await makeClient(world.projectId)).membershipId), 409);
    expectOutcome(await start(world, other.owner.membershipId), 404);
    const suspended = await world.invite({ membership: { active: false } });
    expectOutcome(await start(world, suspended.id), 409);
  });

  test('more than twenty times an hour', async () => {
    const own = await createWorld();
    const who = await person(own);
    const made: number[] = [];
    for (let at = 0; at < 21; at += 1) made.push((await start(own, who.id)).status);
    expect(made).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  });

  test('on behalf of somebody else while they look', async () => {
    const bearer = await view(world, mary.id);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${mary.id}` };
    expectOutcome(await read(bearer, 'Patient', headers), 403);
  });
});

test('the example of docs/access-policies.md answers as it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../../../docs/access-policies.md'), 'utf8');
  const [, status, method = '', path = '', body = ''] =
    /^```http (\d+)\n(\w+) (\S*\/view-as)\n(.*?)^```/ms.exec(page) ?? [];
  const at = path.replace('{project}', world.projectId).replace('{member}', mary.id);
  const answer = await callApi(world.owner.bearer, method, at, { body: JSON.parse(body) });
  expect(answer.status, answer.text).toBe(Number(status));
});
