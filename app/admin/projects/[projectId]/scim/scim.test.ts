import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import { scimMember, scimToken } from '#lib/infra/db/schema/scim.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient } from '#lib/testing/people.ts';
import { aUser, expectScimError, makeDirectory, patchOp } from '#lib/testing/scim.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

async function connect(of = world, fields: Record<string, unknown> = {}) {
  const made = await of.call('POST', '/scim', { body: { name: 'Okta', ...fields } });
  expect(made.status, made.text).toBe(201);
  return { ...made.body, scim: makeDirectory(`Bearer ${made.body.token}`) } as {
    id: string;
    tokenId: string;
    token: string;
    scim: ReturnType<typeof makeDirectory>;
  };
}

async function rowOf(id: string, of = world) {
  const { body } = await of.call('GET', '/scim');
  return body.rows.find((row: { id: string }) => row.id === id);
}

test('a connection has a token that is shown once, kept as a hash, and good for SCIM alone', async () => {
  const { id, token, tokenId, scim } = await connect();
  expect(await rowOf(id)).toEqual({
    id,
    name: 'Okta',
    sendEmail: false,
    createdAt: expect.any(String),
    lastUsedAt: null,
    requests: 0,
    members: 0,
    tokens: [{ id: tokenId, hint: token.slice(-4), createdAt: expect.any(String), lastUsedAt: null }],
  });
  const [kept] = await db().select().from(scimToken).where(eq(scimToken.id, tokenId));
  expect(JSON.stringify(kept)).not.toContain(token.slice(6, -4));
  expect((await scim('GET', '/Users')).status).toBe(200);
  for (const path of ['/fhir/R4/Patient', '/auth/me', `/admin/projects/${world.projectId}`]) {
    expectOutcome(await callApi(`Bearer ${token}`, 'GET', path), 401);
  }
});

test('what it does is told with its name', async () => {
  const { id, scim } = await connect(world, { name: 'Entra' });
  const user = await scim('POST', '/Users', aUser());
  expect(user.status, user.text).toBe(201);
  const target = `ProjectMembership/${user.body.id}`;
  const [made] = await db()
    .select()
    .from(auditEvent)
    .where(and(eq(auditEvent.projectId, world.projectId), eq(auditEvent.target, target)));
  expect(made).toMatchObject({ action: 'membership.create', actor: expect.stringMatching(/^ClientApplication\//) });
  const { body } = await world.call('GET', `/members/${user.body.id}`);
  expect(body.invitedBy).toEqual({ reference: made!.actor, display: 'Entra' });
  expect((await rowOf(id)).members).toBe(1);
  expect(await db().select().from(mail).where(eq(mail.membershipId, user.body.id))).toEqual([]);
});

test('whom it adds is invited by mail where the connection says so, from the next request on', async () => {
  const { id, scim } = await connect();
  expect((await world.call('PATCH', `/scim/${id}`, { body: { sendEmail: true, name: 'Okta 2' } })).status).toBe(200);
  const { body } = await scim('POST', '/Users', aUser());
  expect(await db().select().from(mail).where(eq(mail.membershipId, body.id))).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ name: 'Okta 2', sendEmail: true });
});

test('tokens are changed without a gap, and one that is taken back is none at once', async () => {
  const { id, tokenId, scim } = await connect();
  const added = await world.call('POST', `/scim/${id}/tokens`);
  expect(added.status, added.text).toBe(201);
  const next = makeDirectory(`Bearer ${added.body.token}`);
  expect([(await scim('GET', '/Users')).status, (await next('GET', '/Users')).status]).toEqual([200, 200]);
  expect((await world.call('DELETE', `/scim/${id}/tokens/${tokenId}`)).status).toBe(200);
  expectScimError(await scim('GET', '/Users'), 401);
  expect((await next('GET', '/Users')).status).toBe(200);
  expectOutcome(await world.call('DELETE', `/scim/${id}/tokens/${tokenId}`), 404);
  for (let n = 1; n < 5; n++) expect((await world.call('POST', `/scim/${id}/tokens`)).status).toBe(201);
  expectOutcome(await world.call('POST', `/scim/${id}/tokens`), 409);
});

test('the last requests are told, without what they said', async () => {
  const { id, scim } = await connect();
  await scim('GET', '/Users?filter=userName%20eq%20%22secret.name%22');
  await scim('GET', '/Users?filter=nonsense');
  const path = `/Users/${newId()}`;
  await scim('PATCH', path, patchOp({ op: 'replace', path: 'active', value: false }));
  const log = () => world.call('GET', `/scim/${id}/requests`);
  await expect.poll(async () => (await log()).body.rows).toHaveLength(3);
  const { body, text } = await log();
  const told = { at: expect.any(String) };
  expect(body.rows).toEqual(
    expect.arrayContaining([
      { ...told, method: 'GET', path: '/scim/v2/Users', status: 200, error: null },
      { ...told, method: 'GET', path: '/scim/v2/Users', status: 400, error: 'invalidFilter' },
      { ...told, method: 'PATCH', path: `/scim/v2${path}`, status: 404, error: 'not-found' },
    ]),
  );
  expect(text).not.toContain('secret.name');
  await expect
    .poll(() => rowOf(id))
    .toMatchObject({
      requests: 3,
      lastUsedAt: expect.any(String),
      tokens: [expect.objectContaining({ lastUsedAt: expect.any(String) })],
    });
});

test('two hundred requests are kept, and the count goes on', async () => {
  const { id, scim } = await connect();
  await Promise.all(Array.from({ length: 205 }, () => scim('GET', '/ServiceProviderConfig')));
  await expect.poll(async () => (await rowOf(id)).requests).toBe(205);
  await expect.poll(async () => (await world.call('GET', `/scim/${id}/requests`)).body.rows).toHaveLength(200);
});

test('who is disconnected is out at once; the members stay, and nobody manages them', async () => {
  const { id, scim } = await connect();
  const user = await scim('POST', '/Users', aUser());
  expect((await world.call('DELETE', `/scim/${id}`)).status).toBe(200);
  expectScimError(await scim('GET', '/Users'), 401);
  expect(await rowOf(id)).toBeUndefined();
  expect((await world.call('GET', `/members/${user.body.id}`)).status).toBe(200);
  expect(await db().select().from(scimMember).where(eq(scimMember.membershipId, user.body.id))).toEqual([]);
  for (const [method, path] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['GET', '/requests'],
    ['POST', '/tokens'],
  ] as const) {
    expectOutcome(await world.call(method, `/scim/${id}${path}`, { body: method === 'PATCH' ? {} : undefined }), 404);
  }
  const clients = await world.call('GET', '/clients');
  expect(clients.text).not.toContain(user.body.meta.location);
});

test('who was removed is no longer managed', async () => {
  const { scim } = await connect();
  const { body } = await scim('POST', '/Users', aUser());
  await scim('DELETE', `/Users/${body.id}`);
  await dropOver();
  expect(await db().select().from(scimMember).where(eq(scimMember.membershipId, body.id))).toEqual([]);
});

test('its client cannot be given a secret, and deleted it ends the connection', async () => {
  const own = await createWorld();
  const { scim } = await connect(own, { name: 'Alone' });
  const clients = await own.call('GET', '/clients');
  const client = clients.body.rows.find((row: { name: string }) => row.name === 'Alone');
  expect(client).toMatchObject({ secret: null, admin: true });
  const rotate = await callApi(own.owner.bearer, 'POST', `/fhir/R4/ClientApplication/${client.id}/$rotate-secret`, {
    body: { resourceType: 'Parameters' },
  });
  expectOutcome(rotate, 404);
  expect((await callApi(own.owner.bearer, 'DELETE', `/fhir/R4/ClientApplication/${client.id}`)).status).toBe(200);
  expectScimError(await scim('GET', '/Users'), 401);
});

describe('what is refused', () => {
  test('a token that was made up, or changed, or of another project’s making', async () => {
    const { token } = await connect();
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of [`${token.slice(0, -3)}${last}AA`, 'gscim_', 'gscim_x', `${token}x`, `gscim_${token}`]) {
      expectScimError(await makeDirectory(`Bearer ${wrong}`)('GET', '/Users'), 401);
    }
  });

  test('a token sees only its own project', async () => {
    const other = await createWorld();
    const { scim } = await connect(other);
    expect((await scim('GET', '/Users')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: other.owner.membershipId }],
    });
    expectScimError(await scim('GET', `/Users/${world.owner.membershipId}`), 404);
    expectScimError(await scim('DELETE', `/Users/${world.owner.membershipId}`), 404);
  });

  test('a body that is none, one connection too many, and whoever is no administrator', async () => {
    const own = await createWorld();
    expectOutcome(await own.call('POST', '/scim', { body: {} }), 400, 'name');
    expectOutcome(await own.call('POST', '/scim', { body: { name: 'x', more: 1 } }), 400, 'more');
    for (let n = 0; n < 10; n++) await connect(own, { name: `Directory ${n}` });
    expectOutcome(await own.call('POST', '/scim', { body: { name: 'One more' } }), 409);
    const plain = (await makeClient(own.projectId)).basic;
    expectOutcome(await own.call('GET', '/scim', { bearer: plain }), 403);
    expectOutcome(await own.call('POST', '/scim', { bearer: plain, body: { name: 'x' } }), 403);
  });
});
