import { and, desc, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { unseal } from '#lib/infra/crypto/seal.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { make } from '#lib/testing/invites.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, signIn, type World } from '#lib/testing/world.ts';

async function lastMail(membershipId: string): Promise<{ template: string; url: string }> {
  const [row] = await db()
    .select()
    .from(mail)
    .where(eq(mail.membershipId, membershipId))
    .orderBy(desc(mail.createdAt))
    .limit(1);
  return { template: row!.template, url: JSON.parse(unseal('mail', row!.paramsSealed!)).url };
}

function spend(url: string, password = 'correct horse battery') {
  const [, id, secret] = /setpassword\/([^#/]+)[#/](.+)$/.exec(url)!;
  return callApi(undefined, 'POST', '/auth/setpassword', { body: { id, secret, password } });
}

const post = (world: World, id: string, action: string, body?: unknown) =>
  world.call('POST', `/members/${id}/${action}`, { body });

describe.each(['resendinvite', 'resetpassword', 'repair', 'mfa/reset'])('POST %s', (action) => {
  test('401, 403 and 404 as everywhere', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const [member, foreign] = [await world.invite(), await other.invite()];
    expectOutcome(await world.call('POST', `/members/${member.id}/${action}`, { bearer: null }), 401);
    const bearer = await signIn(world.projectId, member.id, member.user.reference);
    expectOutcome(await world.call('POST', `/members/${member.id}/${action}`, { bearer }), 403);
    for (const id of [foreign.id, newId(), 'nonsense']) expectOutcome(await post(world, id, action), 404);
  });

  test('a client has none of it: 400', async () => {
    const world = await createWorld();
    const client = (await world.call('POST', '/client', { body: { name: 'Robot' } })).body;
    const found = await callApi(
      world.owner.bearer,
      'GET',
      `/fhir/R4/ProjectMembership?profile=ClientApplication/${client.id}`,
    );
    expectOutcome(await post(world, found.body.entry[0].resource.id, action), 400);
  });
});

describe('resend invite', () => {
  test('a new link by mail; the older one is dead; once accepted: 409', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const first = await lastMail(member.id);
    expect((await post(world, member.id, 'resendinvite')).status).toBe(200);
    const second = await lastMail(member.id);
    expect(second.template).toBe('invite');
    expectOutcome(await spend(first.url), 400);
    expect((await spend(second.url)).status).toBe(200);
    const refused = await post(world, member.id, 'resendinvite');
    expectOutcome(refused, 409);
    expect(refused.body.issue[0].details.coding[0].code).toBe('already-accepted');
  });

  test('an inactive member: 409', async () => {
    const world = await createWorld();
    const member = await world.invite({ membership: { active: false } });
    expectOutcome(await post(world, member.id, 'resendinvite'), 409);
  });

  test('two at once leave one open link', async () => {
    const world = await createWorld();
    const member = await world.invite();
    await Promise.all([post(world, member.id, 'resendinvite'), post(world, member.id, 'resendinvite')]);
    const links = await db()
      .select()
      .from(oneTimeLink)
      .where(and(eq(oneTimeLink.membershipId, member.id)));
    expect(links.filter((link) => !link.supersededAt)).toHaveLength(1);
  });
});

describe('reset password', () => {
  test('mails a link that sets a new password; without an address: 400', async () => {
    const world = await createWorld();
    const member = await world.invite({ password: 'correct horse battery' });
    expect((await post(world, member.id, 'resetpassword')).status).toBe(200);
    const { template, url } = await lastMail(member.id);
    expect(template).toBe('reset');
    expect((await spend(url, 'another horse battery')).status).toBe(200);
    const silent = await world.invite({ email: undefined, externalId: 'x1' });
    expectOutcome(await post(world, silent.id, 'resetpassword'), 400);
  });
});

test('how an invite stands: pending with its mail, then accepted; never the link itself', async () => {
  const world = await createWorld();
  const member = await world.invite();
  const read = () => world.call('GET', `/members/${member.id}/invite`);
  const pending = await read();
  expect(pending.body).toMatchObject({ state: 'pending', mail: [{ template: 'invite', attempts: 0 }] });
  expect(pending.text).not.toContain('setpassword');
  await spend((await lastMail(member.id)).url);
  expect((await read()).body.state).toBe('accepted');
});

test('removal kills the open link', async () => {
  const world = await createWorld();
  const member = await world.invite();
  const { url } = await lastMail(member.id);
  await world.call('DELETE', `/members/${member.id}`);
  expectOutcome(await spend(url), 400);
});

describe('repair', () => {
  /** A membership that was inactive while its profile went. */
  async function broken(world: World) {
    const member = await world.invite();
    const set = (active: boolean) => ({ body: [{ op: 'add', path: '/active', value: active }] });
    await world.call('PATCH', `/members/${member.id}`, set(false));
    const path = `/fhir/R4/${member.profile.reference}`;
    expect((await callApi(world.owner.bearer, 'DELETE', path)).status).toBeLessThan(300);
    expectOutcome(await world.call('PATCH', `/members/${member.id}`, set(true)), 400, 'ProjectMembership.profile');
    return { member, path };
  }

  test('a profile in use is not deleted: 409 naming the membership', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const answer = await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/${member.profile.reference}`);
    expectOutcome(answer, 409, `ProjectMembership/${member.id}`);
  });

  test('restores the profile as it last was', async () => {
    const world = await createWorld();
    const { member, path } = await broken(world);
    expect((await post(world, member.id, 'repair')).status).toBe(200);
    const profile = await callApi(world.owner.bearer, 'GET', path);
    expect(profile.body).toMatchObject({ name: [{ given: ['Ann'], family: 'Invited' }], meta: { versionId: '3' } });
    expectOutcome(await post(world, member.id, 'repair'), 409);
  });

  test('or links another one of the project', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const { member } = await broken(world);
    const foreign = { profile: { reference: `Practitioner/${(await make(other, 'Practitioner', {})).id}` } };
    expectOutcome(await post(world, member.id, 'repair', foreign), 400, 'profile');
    expectOutcome(await post(world, member.id, 'repair', { profile: {} }), 400, 'profile.reference');
    const reference = `Practitioner/${(await make(world, 'Practitioner', {})).id}`;
    expect((await post(world, member.id, 'repair', { profile: { reference } })).body.profile.reference).toBe(reference);
  });

  test('another type is 400, a profile that somebody else enters by is 409, and both name the field', async () => {
    const world = await createWorld();
    const { member } = await broken(world);
    const patient = await make(world, 'Patient', {});
    const link = (reference: string) => post(world, member.id, 'repair', { profile: { reference } });
    expectOutcome(await link(`Patient/${patient.id}`), 400, 'profile');
    const { profile } = await world.invite();
    expectOutcome(await link(profile.reference), 409, 'profile');
    expectOutcome(await link(member.profile.reference), 400, 'profile');
  });

  test('what something lost that went round the rules comes back from history, above every version it had', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const path = `/fhir/R4/${member.profile.reference}`;
    const [, id = ''] = member.profile.reference.split('/');
    await db().execute(sql`delete from resource where project_id = ${world.projectId} and id = ${id}`);
    expectOutcome(await callApi(world.owner.bearer, 'GET', path), 404);
    expect((await post(world, member.id, 'repair')).status).toBe(200);
    const profile = await callApi(world.owner.bearer, 'GET', path);
    expect(profile.body).toMatchObject({ name: [{ given: ['Ann'], family: 'Invited' }], meta: { versionId: '2' } });
    const found = await callApi(world.owner.bearer, 'GET', '/fhir/R4/Practitioner?name=Invited');
    expect(found.body.entry).toHaveLength(1);
    expect(await auditOf(world.projectId, member.profile.reference)).toContain('resource.restore');
  });

  test('mail that is sent again to one address is slowed down', async () => {
    const world = await createWorld();
    const member = await world.invite();
    for (let round = 0; round < 10; round++) {
      expect((await world.call('POST', `/members/${member.id}/resetpassword`, { body: {} })).status).toBe(200);
    }
    const { status, headers } = await world.call('POST', `/members/${member.id}/resetpassword`, { body: {} });
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  });

  test('where history is lost as well, restoring is a 409, and linking another profile works', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const [, id = ''] = member.profile.reference.split('/');
    for (const table of ['resource', 'resource_history']) {
      const rows = sql`${sql.identifier(table)} where project_id = ${world.projectId} and id = ${id}`;
      await db().execute(sql`delete from ${rows}`);
    }
    expectOutcome(await post(world, member.id, 'repair'), 409);
    const reference = `Practitioner/${(await make(world, 'Practitioner', {})).id}`;
    expect((await post(world, member.id, 'repair', { profile: { reference } })).status).toBe(200);
  });
});

describe('a second factor', () => {
  test('who has not enrolled: 400; a method that is none: 400', async () => {
    const world = await createWorld();
    const member = await world.invite();
    expectOutcome(await post(world, member.id, 'mfa/reset', {}), 400, 'method');
    expectOutcome(await post(world, member.id, 'mfa/reset', { method: 'sms' }), 400, 'method');
  });
});

describe('POST /admin/projects/setpassword', () => {
  const set = (bearer: string, body: object) => callApi(bearer, 'POST', '/admin/projects/setpassword', { body });

  test("sets the password of the project's own Users only", async () => {
    const world = await createWorld();
    const [own, global] = [anEmail(), anEmail()];
    await world.invite({ resourceType: 'Patient', email: own });
    await world.invite({ email: global });
    const password = 'correct horse battery';
    expect((await set(world.owner.bearer, { email: own, password })).status).toBe(200);
    const body = { email: own, password, projectId: world.projectId };
    expect((await callApi(undefined, 'POST', '/auth/login', { body })).status).toBe(200);
    expectOutcome(await set(world.owner.bearer, { email: global, password }), 400, 'email');
    expectOutcome(await set(world.owner.bearer, { email: own, password: 'short' }), 400, 'password');
  });

  test('403 for a member, and for anybody but a super-admin at /admin/super', async () => {
    const world = await createWorld();
    const member = await world.invite();
    const bearer = await signIn(world.projectId, member.id, member.user.reference);
    const body = { email: anEmail(), password: 'correct horse battery' };
    expectOutcome(await set(bearer, body), 403);
    expectOutcome(await callApi(world.owner.bearer, 'POST', '/admin/super/setpassword', { body }), 403);
  });
});
