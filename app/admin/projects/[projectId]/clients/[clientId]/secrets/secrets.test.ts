import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { clientNamedSecret } from '#lib/infra/db/schema/clients.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
  await startInvalidation();
  return stopInvalidation;
});

const YEAR_MS = 365 * 86_400_000;
const inAYear = () => new Date(Date.now() + YEAR_MS).toISOString();
const pathOf = ({ id }: TestClient) => `/clients/${id}/secrets`;

async function add(client: TestClient, fields: Record<string, unknown> = {}) {
  const answer = await world.call('POST', pathOf(client), { body: { name: `s ${newId()}`, ...fields } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { id: string; name: string; secret: string; expiresAt: string | null };
}

function tokenStatus(client: TestClient, secret: string): Promise<number> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, client_secret: secret });
  return callApi(undefined, 'POST', '/oauth2/token', { body }).then(({ status }) => status);
}

function basicStatus(client: TestClient, secret: string): Promise<number> {
  const basic = `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`;
  return callApi(basic, 'GET', '/fhir/R4/Patient').then(({ status }) => status);
}

test('a client has several secrets by name, each shown once and good for tokens and Basic, until it is taken out', async () => {
  const client = await makeClient(world.projectId);
  const [night, day] = [await add(client, { name: 'Night', expiresAt: inAYear() }), await add(client, { name: 'Day' })];
  expect(night).toEqual({ id: night.id, name: 'Night', secret: expect.any(String), expiresAt: expect.any(String) });
  for (const secret of [client.secret, night.secret, day.secret]) {
    expect([await tokenStatus(client, secret), await basicStatus(client, secret)]).toEqual([200, 200]);
  }
  const { body, text } = await world.call('GET', pathOf(client));
  expect(body.rows).toMatchObject([
    { id: night.id, name: 'Night', hint: night.secret.slice(-4), expiresAt: night.expiresAt },
    { id: day.id, name: 'Day', hint: day.secret.slice(-4), expiresAt: null },
  ]);
  for (const { secret } of [night, day]) expect(text).not.toContain(secret);
  const kept = await db().select().from(clientNamedSecret).where(eq(clientNamedSecret.clientId, client.id));
  expect(JSON.stringify(kept)).not.toContain(day.secret.slice(0, -4));
  await expect
    .poll(async () => {
      const { rows } = (await world.call('GET', pathOf(client))).body;
      return rows.map((row: { lastUsedAt: unknown }) => row.lastUsedAt);
    })
    .toEqual([expect.any(String), expect.any(String)]);
  expect((await world.call('DELETE', `${pathOf(client)}/${night.id}`)).status).toBe(200);
  expect([await tokenStatus(client, night.secret), await basicStatus(client, night.secret)]).toEqual([400, 401]);
  expect(await tokenStatus(client, day.secret)).toBe(200);
  expect(await auditOf(world.projectId, `ClientApplication/${client.id}`)).toEqual(
    expect.arrayContaining(['client.secret.add', 'client.secret.remove']),
  );
});

test('one that has expired is refused at every door, also by who had it in use', async () => {
  const client = await makeClient(world.projectId);
  const soon = await add(client, { expiresAt: inAYear() });
  expect([await tokenStatus(client, soon.secret), await basicStatus(client, soon.secret)]).toEqual([200, 200]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + YEAR_MS + 1000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await basicStatus(client, soon.secret)).toBe(401);
  expect(await tokenStatus(client, soon.secret)).toBe(400);
  expect(await basicStatus(client, client.secret)).toBe(200);
});

test('turning, rotating and deleting a client is about all of its secrets, or its first alone', async () => {
  const client = await makeClient(world.projectId);
  const { secret } = await add(client);
  await callApi(world.owner.bearer, 'POST', `/fhir/R4/ClientApplication/${client.id}/$rotate-secret`, {
    body: { resourceType: 'Parameters' },
  });
  expect(await basicStatus(client, secret)).toBe(200);
  await world.call('POST', `/clients/${client.id}/disable`);
  expect(await basicStatus(client, secret)).toBe(401);
  await world.call('POST', `/clients/${client.id}/enable`);
  expect(await basicStatus(client, secret)).toBe(200);
  expect((await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/ClientApplication/${client.id}`)).status).toBe(200);
  expect(await basicStatus(client, secret)).toBe(401);
  expect(await db().select().from(clientNamedSecret).where(eq(clientNamedSecret.clientId, client.id))).toEqual([]);
});

describe('what is refused', () => {
  test('a body that is none, a name that is taken, an end that is none, and one too many', async () => {
    const client = await makeClient(world.projectId);
    const send = (body: unknown) => world.call('POST', pathOf(client), { body });
    expectOutcome(await send({}), 400, 'name');
    expectOutcome(await send({ name: 'a\u0000b' }), 400);
    expectOutcome(await send({ name: 'x', more: 1 }), 400, 'more');
    for (const expiresAt of ['soon', '2020-01-01T00:00:00Z', '9999-01-01T00:00:00Z', '+012026-01-01T00:00:00Z', 7]) {
      expectOutcome(await send({ name: 'x', expiresAt }), 400, 'expiresAt');
    }
    const { name } = await add(client, { name: 'Once' });
    expectOutcome(await send({ name: name.toUpperCase() }), 409, 'name');
    const rest = await Promise.all(Array.from({ length: 12 }, (_, n) => send({ name: `n ${n}` })));
    expect(rest.filter(({ status }) => status === 201)).toHaveLength(9);
    expectOutcome(await send({ name: 'One more' }), 409);
  });

  test('who is no administrator, another project, and a directory’s client', async () => {
    const client = await makeClient(world.projectId);
    const { id, secret } = await add(client);
    expectOutcome(await world.call('GET', pathOf(client), { bearer: client.basic }), 403);
    expectOutcome(await world.call('POST', pathOf(client), { bearer: client.basic, body: { name: 'x' } }), 403);
    const other = await createWorld();
    expectOutcome(await other.call('GET', pathOf(client)), 404);
    expectOutcome(await other.call('POST', pathOf(client), { body: { name: 'x' } }), 404);
    expectOutcome(await other.call('DELETE', `${pathOf(client)}/${id}`), 404);
    expectOutcome(await world.call('DELETE', `${pathOf(client)}/${newId()}`), 404);
    expectOutcome(await world.call('DELETE', `${pathOf(client)}/x`), 404);
    expectOutcome(await world.call('DELETE', `${pathOf(await makeClient(world.projectId))}/${id}`), 404);
    expect(await basicStatus(client, secret)).toBe(200);
    await world.call('POST', '/scim', { body: { name: 'Okta' } });
    const { rows } = (await world.call('GET', '/clients')).body;
    const directory = rows.find((row: { name: string }) => row.name === 'Okta');
    expectOutcome(await world.call('POST', `/clients/${directory.id}/secrets`, { body: { name: 'x' } }), 404);
  });
});
