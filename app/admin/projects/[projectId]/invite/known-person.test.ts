import { describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { invite, linksOf, make } from '#lib/testing/invites.ts';
import { anEmail, createWorld, signIn } from '#lib/testing/world.ts';

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
    const profile = await make(world, 'Practitioner', { telecom });
    expect((await world.invite({ email })).profile.reference).toBe(`Practitioner/${profile.id}`);
    const twice = anEmail();
    for (const _ of [1, 2]) await make(world, 'Practitioner', { telecom: [{ system: 'email', value: twice }] });
    expectOutcome(await invite(world, { email: twice }), 412, 'email');
  });

  test('a record whose owner wrote somebody else’s address into it is not that somebody’s', async () => {
    const world = await createWorld();
    const mallory = await world.invite();
    const bearer = await signIn(world.projectId, mallory.id, mallory.user.reference);
    const email = anEmail();
    const body = {
      resourceType: 'Practitioner',
      id: mallory.profile.reference.split('/')[1],
      telecom: [{ system: 'email', value: email }],
    };
    const written = await callApi(bearer, 'PUT', `/fhir/R4/${mallory.profile.reference}`, { body });
    expect(written.status, written.text).toBe(200);
    const refused = await invite(world, { email, admin: true });
    expectOutcome(refused, 409, 'email');
    expect(refused.text).toContain(`ProjectMembership/${mallory.id}`);
    expect((await world.call('POST', `/members/${mallory.id}`, { body: { ...mallory, active: false } })).status).toBe(
      200,
    );
    expect((await world.invite({ email })).profile.reference).toBe(mallory.profile.reference);
  });

  test('membership.profile names one without an e-mail', async () => {
    const world = await createWorld();
    const profile = await make(world, 'Practitioner', { name: [{ family: 'Quiet' }] });
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
    const other = await make(world, 'Practitioner', {});
    const membership = { profile: { reference: `Practitioner/${other.id}` } };
    expectOutcome(await invite(world, { email, upsert: true, membership }), 409, 'membership.profile');
    expectOutcome(await invite(world, { email, upsert: true, resourceType: 'Patient' }), 409, 'resourceType');
  });
});
