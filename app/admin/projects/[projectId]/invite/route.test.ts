import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { membershipKey, oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { anEmail, createSuperAdmin, createWorld, invitation, signIn, type World } from '#lib/testing/world.ts';

async function countOf(projectId: string, type: string): Promise<number> {
  const [row] = await db().execute<{ n: number }>(sql`
    select count(*)::int as n from resource where project_id = ${projectId} and type_id = ${typeId(type)} and not deleted`);
  return row!.n;
}

async function keysOf(projectId: string) {
  return db().select().from(membershipKey).where(eq(membershipKey.projectId, projectId));
}

async function mailsOf(projectId: string, membershipId: string) {
  return db()
    .select()
    .from(mail)
    .where(and(eq(mail.projectId, projectId), eq(mail.membershipId, membershipId)));
}

async function linksOf(membershipId: string) {
  return db().select().from(oneTimeLink).where(eq(oneTimeLink.membershipId, membershipId));
}

async function fhir(world: World, type: string, body: object): Promise<{ id: string }> {
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${type}`, {
    body: { resourceType: type, ...body },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

const invite = (world: World, fields: Record<string, unknown> = {}, headers = {}) =>
  world.call('POST', '/invite', { body: invitation(fields), headers });

describe('200: a new person', () => {
  test('gets a User, a profile, a membership on the default policy, a link and a mail', async () => {
    const world = await createWorld();
    const email = anEmail();
    const answer = await invite(world, { email: email.toUpperCase() });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-invite-status')).toBe('created');
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect(answer.body).toMatchObject({
      resourceType: 'ProjectMembership',
      project: { reference: `Project/${world.projectId}` },
      user: { display: email },
      profile: { display: 'Ann Invited' },
      invitedBy: { reference: `User/${world.owner.userId}` },
      accessPolicy: { display: 'Default Practitioner Access Policy' },
    });
    expect(answer.body.admin).toBeUndefined();
    const [type, id] = answer.body.profile.reference.split('/');
    const profile = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${type}/${id}`);
    expect(profile.body).toMatchObject({
      name: [{ given: ['Ann'], family: 'Invited' }],
      telecom: [{ system: 'email', use: 'work', value: email }],
    });
    expect(await mailsOf(world.projectId, answer.body.id)).toMatchObject([{ template: 'invite', recipient: email }]);
    expect(await linksOf(answer.body.id)).toMatchObject([{ kind: 'invite', usedAt: null, supersededAt: null }]);
  });

  test.each([
    ['as booleans', { admin: true, sendEmail: false }],
    ['as their strings', { admin: 'true', sendEmail: 'false' }],
    ['in membership, which wins', { admin: false, membership: { admin: 'true' }, sendEmail: 'false' }],
  ])('admin and sendEmail %s', async (_, fields) => {
    const world = await createWorld();
    const member = await world.invite(fields);
    expect(member).toMatchObject({ admin: true, accessPolicy: { display: 'Default Admin Access Policy' } });
    expect(await mailsOf(world.projectId, member.id)).toEqual([]);
    expect(await linksOf(member.id)).toHaveLength(1);
  });

  test('a patient is a User of the project with the patient policy, also as an administrator', async () => {
    const world = await createWorld();
    const member = await world.invite({ resourceType: 'Patient', admin: true });
    expect(member.accessPolicy).toMatchObject({ display: 'Default Patient Access Policy' });
    expect(await countOf(world.projectId, 'User')).toBe(1);
  });

  test('a related person stands on the default policy with its patient as parameter', async () => {
    const world = await createWorld();
    const patient = await fhir(world, 'Patient', { name: [{ family: 'Child' }] });
    const member = await world.invite({
      resourceType: 'RelatedPerson',
      patient: { reference: `Patient/${patient.id}` },
    });
    expect(member.access).toMatchObject([
      { parameter: [{ name: 'patient', valueReference: { reference: `Patient/${patient.id}` } }] },
    ]);
  });

  test('by externalId alone, for a User of the project; the id is free again after removal', async () => {
    const world = await createWorld();
    const externalId = 'ext-1';
    const fields = { email: undefined, externalId };
    const member = await world.invite(fields);
    expect(member).toMatchObject({ externalId, user: { display: 'Ann Invited' } });
    expectOutcome(await invite(world, fields), 409, 'externalId');
    expect((await world.call('DELETE', `/members/${member.id}`)).status).toBe(200);
    expect((await world.invite(fields)).id).not.toBe(member.id);
  });

  test('an explicit policy wins over the default, and template fields are kept', async () => {
    const world = await createWorld();
    const policy = await fhir(world, 'AccessPolicy', { resource: [{ resourceType: 'Patient', readonly: true }] });
    const reference = `AccessPolicy/${policy.id}`;
    const old = await world.invite({ access: [{ policy: { reference } }] });
    expect(old).toMatchObject({ access: [{ policy: { reference } }] });
    expect(old.accessPolicy).toBeUndefined();
    const membership = {
      accessPolicy: { reference },
      userName: 'ann',
      identifier: [{ system: 's', value: 'v' }],
      active: false,
    };
    expect(await world.invite({ membership })).toMatchObject(membership);
  });

  test('an empty access list does not mean full access: the default applies', async () => {
    const world = await createWorld();
    expect(await world.invite({ access: [] })).toMatchObject({
      accessPolicy: { display: 'Default Practitioner Access Policy' },
    });
  });

  test('a password given by the administrator is set, and the mail says to sign in', async () => {
    const world = await createWorld();
    const email = anEmail();
    const member = await world.invite({ email, password: 'correct horse battery', resourceType: 'Patient' });
    expect(await linksOf(member.id)).toEqual([]);
    expect(await mailsOf(world.projectId, member.id)).toMatchObject([{ template: 'added' }]);
    const body = { email, password: 'correct horse battery', projectId: world.projectId };
    expect((await callApi(undefined, 'POST', '/auth/login', { body })).status).toBe(200);
  });

  test('returnLink answers the link of a new person, and only without mail', async () => {
    const world = await createWorld();
    const member = await world.invite({ sendEmail: false, returnLink: true });
    expect(member.extension).toMatchObject([{ valueUrl: expect.stringContaining('/setpassword/') }]);
    expectOutcome(await invite(world, { returnLink: true }), 400, 'returnLink');
    const stored = await world.call('GET', `/members/${member.id}`);
    expect(stored.text).not.toContain('setpassword');
  });

  test('an administrator of the project that is a client may invite as well', async () => {
    const world = await createWorld();
    const client = (await world.call('POST', '/client', { body: { name: 'Robot' } })).body;
    const bearer = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    expectOutcome(await world.call('POST', '/invite', { body: invitation(), bearer }), 403);
    const found = (await keysOf(world.projectId)).find((key) => key.userRef === `ClientApplication/${client.id}`)!;
    const patch = [{ op: 'add', path: '/admin', value: true }];
    expect((await world.call('PATCH', `/members/${found.membershipId}`, { body: patch })).status).toBe(200);
    expect((await world.call('POST', '/invite', { body: invitation(), bearer })).status).toBe(200);
  });
});

describe('200: who or what is there already', () => {
  test('a server-scoped User is reused in another project, whose members see nothing of the first', async () => {
    const [first, second] = [await createWorld(), await createWorld()];
    const email = anEmail();
    const one = await first.invite({ email, password: 'correct horse battery' });
    const answer = await invite(second, { email, returnLink: true, sendEmail: false });
    expect(answer.headers.get('x-invite-status')).toBe('existing-user');
    expect(answer.body.user).toEqual(one.user);
    expect(answer.body.extension).toBeUndefined();
    expect(answer.body.profile.reference).not.toBe(one.profile.reference);
  });

  test('somebody invited elsewhere who has no password yet gets a link, which is not given to the second inviter', async () => {
    const [first, second] = [await createWorld(), await createWorld()];
    const email = anEmail();
    await first.invite({ email });
    const answer = await invite(second, { email, returnLink: true, sendEmail: false });
    expect(await linksOf(answer.body.id)).toHaveLength(1);
    expect(answer.text).not.toContain('setpassword');
  });

  test('a profile with that e-mail is reused; two of them: 412', async () => {
    const world = await createWorld();
    const email = anEmail();
    const telecom = [{ system: 'email', value: email.toUpperCase() }];
    const profile = await fhir(world, 'Practitioner', { telecom });
    expect((await world.invite({ email })).profile.reference).toBe(`Practitioner/${profile.id}`);
    const twice = anEmail();
    for (const _ of [1, 2]) await fhir(world, 'Practitioner', { telecom: [{ system: 'email', value: twice }] });
    expectOutcome(await invite(world, { email: twice }), 412, 'email');
  });

  test('membership.profile names one without an e-mail', async () => {
    const world = await createWorld();
    const profile = await fhir(world, 'Practitioner', { name: [{ family: 'Quiet' }] });
    const reference = `Practitioner/${profile.id}`;
    expect((await world.invite({ membership: { profile: { reference } } })).profile).toEqual({
      reference,
      display: 'Quiet',
    });
  });

  test('upsert merges the template and keeps id, user and profile', async () => {
    const world = await createWorld();
    const email = anEmail();
    const before = await world.invite({ email });
    const answer = await invite(world, { email, upsert: true, membership: { userName: 'ann' }, firstName: 'Else' });
    expect(answer.headers.get('x-invite-status')).toBe('upserted');
    expect(answer.body).toMatchObject({ id: before.id, user: before.user, profile: before.profile, userName: 'ann' });
  });

  test('upsert wakes an inactive member', async () => {
    const world = await createWorld();
    const email = anEmail();
    const before = await world.invite({ email, membership: { active: false } });
    const answer = await invite(world, { email, upsert: true });
    expect(answer.headers.get('x-invite-status')).toBe('reactivated');
    expect(answer.body).toMatchObject({ id: before.id });
    expect(answer.body.active).toBeUndefined();
  });

  test('upsert cannot demote the owner', async () => {
    const world = await createWorld();
    expectOutcome(await invite(world, { email: world.owner.email, upsert: true, admin: false }), 409);
  });

  test('upsert finds a member by externalId', async () => {
    const world = await createWorld();
    const fields = { email: undefined, externalId: 'mrn-7' };
    const before = await world.invite(fields);
    expect((await world.invite({ ...fields, upsert: true, membership: { userName: 'x' } })).id).toBe(before.id);
  });

  test('forceNewMembership makes another one for the same User and profile', async () => {
    const world = await createWorld();
    const email = anEmail();
    const one = await world.invite({ email });
    const two = await world.invite({ email, forceNewMembership: true });
    expect(two).toMatchObject({ user: one.user, profile: one.profile });
    expect(two.id).not.toBe(one.id);
  });
});

describe('400', () => {
  const required = ['resourceType', 'firstName', 'lastName', 'email'];
  test.each([
    ['no body', undefined, []],
    ['an empty body: every field at once', {}, required],
    ['the wrong types', { resourceType: 'Device', firstName: 1, lastName: ' ', email: 'x' }, required],
  ])('%s', async (_, body, expressions) => {
    const world = await createWorld();
    expectOutcome(await world.call('POST', '/invite', { body }), 400, ...expressions);
  });

  test.each([
    ['a bad e-mail', { email: 'not an address' }, 'email'],
    ['a scope that is none', { scope: 'galaxy' }, 'scope'],
    ['a short password', { password: 'short' }, 'password'],
    ['a common password', { password: 'password1' }, 'password'],
    ['a password of 73 bytes', { password: `${'é'.repeat(36)}xy` }, 'password'],
    ['admin as yes', { admin: 'yes' }, 'admin'],
    ['sendEmail as a number', { sendEmail: 1 }, 'sendEmail'],
    ['an unknown field', { acessPolicy: { reference: 'AccessPolicy/x' } }, 'acessPolicy'],
    ['an unknown field of membership', { membership: { admn: true } }, 'membership.admn'],
    ['access without a policy', { access: [{}] }, 'access[0].policy'],
    ['a related person without a patient', { resourceType: 'RelatedPerson' }, 'patient'],
    [
      'a patient that is not there',
      { resourceType: 'RelatedPerson', patient: { reference: 'Patient/none' } },
      'patient',
    ],
    [
      'a profile that is not there',
      { membership: { profile: { reference: 'Practitioner/none' } } },
      'membership.profile',
    ],
    ['a profile of another type', { membership: { profile: { reference: 'Patient/none' } } }, 'membership.profile'],
    ['a policy that is not there', { accessPolicy: { reference: 'AccessPolicy/none' } }, 'accessPolicy'],
    ['something else as a policy', { accessPolicy: { reference: 'Patient/none' } }, 'accessPolicy'],
    [
      'a policy in access',
      { membership: { access: [{ policy: { reference: 'AccessPolicy/none' } }] } },
      'access[0].policy',
    ],
  ])('%s names the field and leaves nothing behind', async (_, fields, expression) => {
    const world = await createWorld();
    const types = ['User', 'Practitioner', 'Patient', 'RelatedPerson', 'ProjectMembership'];
    const counts = () => Promise.all(types.map((type) => countOf(world.projectId, type)));
    const before = await counts();
    expectOutcome(await invite(world, fields), 400, expression);
    expect(await counts()).toEqual(before);
  });

  test('a profile or policy of another project, with the same text as for none', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const profile = await fhir(other, 'Practitioner', {});
    const policy = await fhir(other, 'AccessPolicy', {});
    const foreign = await invite(world, { membership: { profile: { reference: `Practitioner/${profile.id}` } } });
    expectOutcome(foreign, 400, 'membership.profile');
    expect(foreign.text).toContain('does not belong to this project');
    expectOutcome(
      await invite(world, { accessPolicy: { reference: `AccessPolicy/${policy.id}` } }),
      400,
      'accessPolicy',
    );
  });

  test('a failure after the writes have begun leaves nothing behind', async () => {
    const world = await createWorld();
    await world.invite({ email: undefined, externalId: 'taken' });
    const before = [await countOf(world.projectId, 'User'), await countOf(world.projectId, 'Practitioner')];
    expectOutcome(await invite(world, { externalId: 'taken' }), 409, 'externalId');
    expect([await countOf(world.projectId, 'User'), await countOf(world.projectId, 'Practitioner')]).toEqual(before);
  });
});

describe('401, 403, 404, 405, 415', () => {
  test('no credentials: 401', async () => {
    const world = await createWorld();
    expectOutcome(await world.call('POST', '/invite', { body: {}, bearer: null }), 401);
  });

  test('a member who is no administrator: 403, before validation', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await signIn(world.projectId, member.id, member.user.reference);
    expectOutcome(await world.call('POST', '/invite', { body: '{', bearer }), 403);
  });

  test('an administrator on the path of another project, of none, or of nonsense: 403, and nobody is invited anywhere', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    for (const id of [other.projectId, newId(), 'nonsense']) {
      const answer = await callApi(world.owner.bearer, 'POST', `/admin/projects/${id}/invite`, { body: invitation() });
      expectOutcome(answer, 403);
    }
    expect(await countOf(world.projectId, 'Practitioner')).toBe(1);
    expect(await countOf(other.projectId, 'Practitioner')).toBe(1);
  });

  test('a super-admin invites into any project; unknown or malformed ids are 404', async () => {
    const [root, world] = [await createSuperAdmin(), await createWorld()];
    const at = (id: string) => callApi(root, 'POST', `/admin/projects/${id}/invite`, { body: invitation() });
    expect((await at(world.projectId)).body.project.reference).toBe(`Project/${world.projectId}`);
    for (const id of [newId(), 'nonsense', "x'--"]) expectOutcome(await at(encodeURIComponent(id)), 404);
  });

  test('another method: 405; no JSON: 415', async () => {
    const world = await createWorld();
    expectOutcome(await world.call('GET', '/invite'), 405);
    const headers = { 'content-type': 'text/plain' };
    expectOutcome(await world.call('POST', '/invite', { body: 'hello', headers }), 415);
  });
});

describe('409', () => {
  test('a member of the same scope or of the other', async () => {
    const world = await createWorld();
    const email = anEmail();
    await world.invite({ email });
    expectOutcome(await invite(world, { email }), 409);
    expectOutcome(await invite(world, { email, resourceType: 'Patient' }), 409);
  });

  test('upsert with a different profile', async () => {
    const world = await createWorld();
    const email = anEmail();
    await world.invite({ email });
    const other = await fhir(world, 'Practitioner', {});
    const membership = { profile: { reference: `Practitioner/${other.id}` } };
    expectOutcome(await invite(world, { email, upsert: true, membership }), 409, 'membership.profile');
    expectOutcome(await invite(world, { email, upsert: true, resourceType: 'Patient' }), 409, 'resourceType');
  });
});

describe('Idempotency-Key', () => {
  test('the same request again gives the stored answer and does nothing', async () => {
    const world = await createWorld();
    const body = invitation({ sendEmail: false, returnLink: true });
    const send = () => world.call('POST', '/invite', { body, headers: { 'idempotency-key': 'k1' } });
    const [one, two] = [await send(), await send()];
    expect([two.status, two.text]).toEqual([200, one.text]);
    expect(two.headers.get('idempotent-replayed')).toBe('true');
    expect(two.headers.get('x-invite-status')).toBe('created');
    expect(await linksOf(one.body.id)).toHaveLength(1);
  });

  test('another body under the same key: 422; another caller does not see it', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const headers = { 'idempotency-key': 'k2' };
    expect((await invite(world, {}, headers)).status).toBe(200);
    expectOutcome(await invite(world, {}, headers), 422);
    expect((await invite(other, {}, headers)).status).toBe(200);
  });

  test('a failed request may be repeated under its key', async () => {
    const world = await createWorld();
    const headers = { 'idempotency-key': 'k3' };
    expectOutcome(await invite(world, { email: world.owner.email }, headers), 409);
    expect((await invite(world, {}, headers)).status).toBe(200);
  });

  test('ten at once: one is done, all get its answer', async () => {
    const world = await createWorld();
    const body = invitation();
    const send = () => world.call('POST', '/invite', { body, headers: { 'idempotency-key': 'k4' } });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  test('a key that is no key: 400', async () => {
    const world = await createWorld();
    expectOutcome(await invite(world, {}, { 'idempotency-key': 'a b' }), 400, 'Idempotency-Key');
  });
});

describe('races', () => {
  test('the same invite 50 times at once: one 200, 49 times 409, one of everything', async () => {
    const world = await createWorld();
    const body = invitation({ resourceType: 'Patient' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.call('POST', '/invite', { body })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(409)]);
    expect(await countOf(world.projectId, 'Patient')).toBe(1);
    expect(await countOf(world.projectId, 'User')).toBe(1);
  }, 30_000);

  test('50 different invites at once: all 200', async () => {
    const world = await createWorld();
    const answers = await Promise.all(Array.from({ length: 50 }, () => invite(world)));
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    expect(await keysOf(world.projectId)).toHaveLength(52);
  }, 30_000);

  test('an invite and the removal of the same person at once never leave a membership without its User', async () => {
    const world = await createWorld();
    for (const _ of Array(8).keys()) {
      const body = invitation({ resourceType: 'Patient', sendEmail: false });
      const first = await world.invite(body);
      const [removed, again] = await Promise.all([
        world.call('DELETE', `/members/${first.id}`),
        world.call('POST', '/invite', { body }),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 409]).toContain(again.status);
      if (again.status !== 200) continue;
      const [type, id] = again.body.user.reference.split('/');
      expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/${type}/${id}`)).status).toBe(200);
    }
  }, 30_000);
});
