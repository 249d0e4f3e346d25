import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { countOf, invite, make } from '#lib/testing/invites.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, invitation, signIn } from '#lib/testing/world.ts';

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
    ['a password of 73 characters', { password: 'é'.repeat(73) }, 'password'],
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
    ['a character that no name has', { firstName: 'A\u0001b' }, 'firstName'],
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
    const profile = await make(other, 'Practitioner', {});
    const policy = await make(other, 'AccessPolicy', {});
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

test('429 for the invitation past ten thousand in a day; without mail it goes on, a rehearsal counts nothing', async () => {
  const world = await createWorld();
  const counter = eq(rateCounter.key, hashSecret(`invites:${world.projectId}`));
  const count = async () => (await db().select().from(rateCounter).where(counter))[0]?.count;
  await world.invite();
  await expect.poll(count).toBe(1);
  await world.call('POST', '/invite/batch?dryRun=true', { body: [invitation(), invitation()] });
  await db().update(rateCounter).set({ count: 10_000 }).where(counter);
  const refused = await world.call('POST', '/invite', { body: invitation() });
  expectOutcome(refused, 429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  expect((await world.call('POST', '/invite', { body: invitation({ sendEmail: false }) })).status).toBe(200);
  expect(await count()).toBe(10_000);
});
