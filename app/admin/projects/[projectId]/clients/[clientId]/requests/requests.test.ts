import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import {
  flushClientRequests,
  KEPT_OF_EACH,
  noteClientRequest,
} from '#lib/domain/client-requests/note-client-request.ts';
import { apiRoute } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { clientRequest, clientTraffic } from '#lib/infra/db/schema/clients.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeClient, type TestClient, toBasic } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const list = async (client: TestClient, query = '') => {
  await flushClientRequests();
  return world.call('GET', `/clients/${client.id}/requests${query}`);
};
const rowsOf = async (client: TestClient, query?: string) =>
  (await list(client, query)).body.rows.map(
    ({ method, route, status }: Record<string, unknown>) => `${status} ${method} ${route}`,
  );

/** As the fast lane asks, which knows the route. */
async function asked(authorization: string, path: string, route: string): Promise<number> {
  const handler = apiRoute({ run: async () => json({}) });
  const headers = { authorization, 'x-gatehouse-remote': '203.0.113.9' };
  const request = new Request(`http://localhost:3999${path}`, { headers });
  return (await handler(request, { params: Promise.resolve({}), route })).status;
}

describe('what is kept', () => {
  test('method, route, status, address and time: neither ids nor what was searched for', async () => {
    const client = await makeClient(world.projectId);
    const id = newId();
    await asked(client.basic, `/fhir/R4/Patient/${id}`, '/fhir/R4/[type]/[id]');
    await asked(client.basic, '/fhir/R4/Observation?patient=Smith', '/fhir/R4/[type]');
    await asked(client.basic, '/fhir/R4/Smith', '/fhir/R4/[type]');
    const { body, text } = await list(client);
    expect(body).toMatchObject({ total: 3, failed: 0 });
    expect(body.rows[0]).toEqual({
      ...{ method: 'GET', route: '/fhir/R4/[type]', status: 200, remoteAddress: '203.0.113.9' },
      at: expect.stringMatching(/^20.*Z$/),
    });
    expect((await rowsOf(client)).sort()).toEqual([
      '200 GET /fhir/R4/Observation',
      '200 GET /fhir/R4/Patient/[id]',
      '200 GET /fhir/R4/[type]',
    ]);
    expect(text).not.toContain('Smith');
    expect(text).not.toContain(id);
  });

  test('a wrong secret is told with the client that it was meant for; of nobody’s there is nothing', async () => {
    const client = await makeClient(world.projectId);
    expect(await asked(toBasic(client.id, 'wrong'), '/fhir/R4/Patient', '/fhir/R4/[type]')).toBe(401);
    expect(await asked(toBasic(newId(), 'wrong'), '/fhir/R4/Patient', '/fhir/R4/[type]')).toBe(401);
    expect(await rowsOf(client)).toEqual(['401 GET /fhir/R4/Patient']);
  });

  test('of any number the last hundred that were answered and the last hundred that failed; all are counted, also those of several processes', async () => {
    const client = await makeClient(world.projectId);
    const of = { projectId: world.projectId, clientId: client.id };
    const note = (status: number, method: string) =>
      noteClientRequest(of, { method, route: '/x', status, remote_address: '' });
    for (let n = 0; n < 5; n++) note(403, 'PUT');
    for (let n = 0; n < 1000; n++) note(200, n < 990 ? 'GET' : 'POST');
    await flushClientRequests();
    for (let n = 0; n < 150; n++) note(200, 'PATCH');
    const { body } = await list(client);
    expect([body.total, body.failed, body.rows.length]).toEqual([1155, 5, KEPT_OF_EACH + 5]);
    const methods = Map.groupBy(body.rows, (row: { method: string }) => row.method);
    expect([...methods].map(([name, rows]) => [name, rows.length])).toEqual([
      ['PATCH', 100],
      ['PUT', 5],
    ]);
    expect(await rowsOf(client, '?status=failed')).toEqual(Array(5).fill('403 PUT /x'));
  });

  test('with the client they go', async () => {
    const client = await makeClient(world.projectId);
    await asked(client.basic, '/fhir/R4/Patient', '/fhir/R4/[type]');
    await flushClientRequests();
    expect((await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/ClientApplication/${client.id}`)).status).toBe(200);
    expectOutcome(await list(client), 410);
    await dropOver();
    expect(await db().select().from(clientRequest).where(eq(clientRequest.clientId, client.id))).toEqual([]);
    expect(await db().select().from(clientTraffic).where(eq(clientTraffic.clientId, client.id))).toEqual([]);
  });
});

test('403 for a member, 404 for another project’s and for none, 400 for another status', async () => {
  const client = await makeClient(world.projectId);
  const other = await createWorld();
  expectOutcome(await other.call('GET', `/clients/${client.id}/requests`), 404);
  expectOutcome(await world.call('GET', `/clients/${newId()}/requests`), 404);
  expectOutcome(await world.call('GET', `/clients/${client.id}/requests?status=good`), 400, 'status');
  expectOutcome(
    await callApi(client.basic, 'GET', `/admin/projects/${world.projectId}/clients/${client.id}/requests`),
    403,
  );
});

describe('who is responsible', () => {
  const patch = (id: string, owner: unknown) =>
    callApi(world.owner.bearer, 'PATCH', `/fhir/R4/ClientApplication/${id}`, {
      body: [{ op: 'add', path: '/owner', value: owner }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
  const ownerOf = async (id: string) => {
    const { body } = await world.call('GET', '/clients');
    return body.rows.find((row: { id: string }) => row.id === id).owner;
  };

  test('whoever makes it; another member, with who changed it in the log; one who has left is told as such', async () => {
    const made = await world.call('POST', '/client', { body: { name: 'Lab feed' } });
    const { id } = made.body;
    expect(made.body.owner).toEqual({
      reference: `ProjectMembership/${world.owner.membershipId}`,
      display: 'Olga Owner',
    });
    const member = await world.invite({ firstName: 'Ben', lastName: 'Next' });
    const saved = await patch(id, { reference: `ProjectMembership/${member.id}`, display: 'Somebody else' });
    expect(saved.body.owner.display).toBe('Ben Next');
    expect(await ownerOf(id)).toEqual({ membershipId: member.id, name: 'Ben Next', hasLeft: false });
    const log = await world.call('GET', `/audit?target=ClientApplication/${id}&action=client.update`);
    expect(log.text).toContain(member.id);
    expect((await world.call('DELETE', `/members/${member.id}`)).status).toBe(200);
    expect(await ownerOf(id)).toEqual({ membershipId: member.id, name: 'Ben Next', hasLeft: true });
    // What else is changed of the client does not ask who that was.
    const again = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/ClientApplication/${id}`, {
      body: [{ op: 'add', path: '/description', value: 'x' }],
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect(again.status).toBe(200);
  });

  test('no program, nobody of another project, nothing else: 400', async () => {
    const client = await makeClient(world.projectId);
    const other = await createWorld();
    for (const reference of [
      `ProjectMembership/${client.membershipId}`,
      `ProjectMembership/${other.owner.membershipId}`,
      `ProjectMembership/${newId()}`,
      'ProjectMembership/x',
    ])
      expectOutcome(await patch(client.id, { reference }), 400, 'ClientApplication.owner');
  });
});
