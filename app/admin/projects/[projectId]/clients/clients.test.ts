import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient, makeOwner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

async function askToken(basic: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-gatehouse-remote': '10.1.2.3' };
  return callApi(basic, 'POST', '/oauth2/token', { body: 'grant_type=client_credentials', headers });
}

async function rows(world: World) {
  const answer = await world.call('GET', '/clients');
  expect(answer.status, answer.text).toBe(200);
  return answer.body.rows as { id: string; name: string; [key: string]: unknown }[];
}

test('clients are listed with their rights, the age of their secret and their last use, and without the secret', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId, { name: 'Nightly', description: 'Reports' });
  const before = (await rows(world)).find((row) => row.id === client.id);
  expect(before).toMatchObject({
    name: 'Nightly',
    description: 'Reports',
    status: 'active',
    membershipId: client.membershipId,
    admin: false,
    policies: [],
    secret: { retiring: false },
    lastUsedAt: null,
  });
  expect((await askToken(client.basic)).status).toBe(200);
  const after = (await rows(world)).find((row) => row.id === client.id);
  expect(after).toMatchObject({ lastUsedFrom: '10.1.2.3' });
  expect(Date.parse(String(after?.lastUsedAt))).toBeGreaterThan(Date.now() - 60_000);
  await callApi(world.owner.bearer, 'POST', `/fhir/R4/ClientApplication/${client.id}/$rotate-secret`);
  expect((await rows(world)).find((row) => row.id === client.id)).toMatchObject({ secret: { retiring: true } });
  expect(JSON.stringify(await rows(world))).not.toContain(client.secret);
});

test('the secret before the last rotation is ended by an administrator who never saw it; its successor keeps its age', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId);
  const drop = () => world.call('POST', `/clients/${client.id}/dropsecret`);
  expectOutcome(await drop(), 409);
  await callApi(world.owner.bearer, 'POST', `/fhir/R4/ClientApplication/${client.id}/$rotate-secret`);
  const secretOf = async () => (await rows(world)).find((row) => row.id === client.id)?.secret;
  const before = (await secretOf()) as { rotatedAt: string };
  expect((await askToken(client.basic)).status).toBe(200);
  expect(await drop()).toMatchObject({ status: 200, body: { id: client.id } });
  expect((await askToken(client.basic)).status).toBe(401);
  expect(await secretOf()).toEqual({ retiring: false, rotatedAt: before.rotatedAt });
  const other = await createWorld();
  expectOutcome(await other.call('POST', `/clients/${client.id}/dropsecret`), 404);
});

test('a client that is switched off is out at once: Basic, new tokens and old ones; switched on it comes back', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId);
  const bearer = `Bearer ${(await askToken(client.basic)).body.access_token}`;
  const read = (auth: string) => callApi(auth, 'GET', '/fhir/R4/Patient');
  expect((await read(bearer)).status).toBe(200);
  expect((await read(client.basic)).status).toBe(200);
  const off = await world.call('POST', `/clients/${client.id}/disable`);
  expect(off).toMatchObject({ status: 200, body: { id: client.id, status: 'off' } });
  expect((await read(bearer)).status).toBe(401);
  expect((await read(client.basic)).status).toBe(401);
  expect((await askToken(client.basic)).status).toBe(401);
  expect((await rows(world)).find((row) => row.id === client.id)).toMatchObject({ status: 'off' });
  await world.call('POST', `/clients/${client.id}/enable`);
  expect((await read(client.basic)).status).toBe(200);
  // What was ended stays so.
  expect((await read(bearer)).status).toBe(401);
});

test('all tokens of a client end by one mark, also with its membership; those that it gets afterwards live', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId);
  const tokens = await Promise.all(Array.from({ length: 5 }, () => askToken(client.basic)));
  const statuses = (answers: typeof tokens) =>
    Promise.all(
      answers.map(async ({ body }) => (await callApi(`Bearer ${body.access_token}`, 'GET', '/fhir/R4/Patient')).status),
    );
  expect(new Set(await statuses(tokens))).toEqual(new Set([200]));
  const change = (active: boolean) =>
    world.call('PATCH', `/members/${client.membershipId}`, { body: [{ op: 'add', path: '/active', value: active }] });
  expect((await change(false)).status).toBe(200);
  expect(new Set(await statuses(tokens))).toEqual(new Set([401]));
  expect((await change(true)).status).toBe(200);
  expect(new Set(await statuses(tokens))).toEqual(new Set([401]));
  const marked = await db().select().from(login).where(eq(login.clientId, client.id));
  expect(marked.filter(({ revoked }) => revoked)).toEqual([]);
  expect(await statuses([await askToken(client.basic)])).toEqual([200]);
});

test('logins of a client go with their tokens; the newest stays, and tells when it was last here', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId);
  for (let count = 0; count < 3; count += 1) await askToken(client.basic);
  const kept = () => db().select().from(login).where(eq(login.clientId, client.id));
  await dropOver();
  expect((await kept()).length).toBe(3);
  const long = new Date(Date.now() - 3 * 3600_000);
  await db().update(login).set({ authTime: long, lastUsedAt: long }).where(eq(login.clientId, client.id));
  await dropOver();
  expect((await kept()).length).toBe(1);
  expect((await rows(world)).find(({ id }) => id === client.id)?.lastUsedAt).toBe(long.toISOString());
});

test('people who signed in through a client lose those sessions with it, and no others', async () => {
  const owner = await makeOwner();
  const admin = await makeClient(owner.projectId, {}, { admin: true });
  const app = await makeClient(owner.projectId, { name: 'App' });
  const through = await signIn(owner, { clientId: app.id });
  const direct = await signIn(owner);
  const me = (token: string) => callApi(`Bearer ${token}`, 'GET', '/auth/me');
  expect((await me(through.access)).status).toBe(200);
  await callApi(admin.basic, 'POST', `/admin/projects/${owner.projectId}/clients/${app.id}/disable`);
  expect((await me(through.access)).status).toBe(401);
  expect((await me(direct.access)).status).toBe(200);
});

test('switching off by FHIR update ends its tokens as well', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId);
  const bearer = `Bearer ${(await askToken(client.basic)).body.access_token}`;
  const path = `/fhir/R4/ClientApplication/${client.id}`;
  const { body } = await callApi(world.owner.bearer, 'GET', path);
  expect((await callApi(world.owner.bearer, 'PUT', path, { body: { ...body, status: 'off' } })).status).toBe(200);
  expect((await callApi(bearer, 'GET', '/fhir/R4/Patient')).status).toBe(401);
});

test('only administrators of the project, and only its own clients', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const client = await makeClient(world.projectId);
  for (const action of ['disable', 'enable']) {
    expectOutcome(await world.call('POST', `/clients/${client.id}/${action}`, { bearer: null }), 401);
    expectOutcome(await world.call('POST', `/clients/${client.id}/${action}`, { bearer: other.owner.bearer }), 403);
    expectOutcome(await other.call('POST', `/clients/${client.id}/${action}`), 404);
    expectOutcome(await other.call('POST', `/clients/nonsense/${action}`), 404);
  }
  expectOutcome(await world.call('GET', '/clients', { bearer: other.owner.bearer }), 403);
});
