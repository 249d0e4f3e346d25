import { describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { countOf, invite, keysOf, linksOf, mailsOf, make } from '#lib/testing/invites.ts';
import { anEmail, createWorld, invitation } from '#lib/testing/world.ts';

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
    const patient = await make(world, 'Patient', { name: [{ family: 'Child' }] });
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
    const policy = await make(world, 'AccessPolicy', { resource: [{ resourceType: 'Patient', readonly: true }] });
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

  test('somebody who is to start inactive hears nothing yet', async () => {
    const world = await createWorld();
    const member = await world.invite({ membership: { active: false } });
    expect(await mailsOf(world.projectId, member.id)).toEqual([]);
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
