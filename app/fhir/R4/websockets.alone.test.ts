import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { endForgotten } from '#lib/domain/subscriptions/end-forgotten.ts';
import { attachSockets, closeSockets, isForSockets } from '#lib/http/sockets/attach-sockets.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const WAIT = { timeout: 60_000, interval: 20 };
const CTX = { requestId: 'test', remoteAddress: '', userAgent: '' };

let project: FhirProject;
let admin: Caller;
let server: Server;

beforeAll(async () => {
  await startInvalidation();
  server = createServer({ shouldUpgradeCallback: isForSockets }, (_, response) => response.writeHead(404).end());
  attachSockets(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

beforeEach(async () => {
  project = await makeFhirProject();
  admin = await signedIn(project.admin);
});

afterAll(async () => {
  await closeSockets('goingAway');
  server.close();
  await stopInvalidation();
});

/** With a token: what is sent with each request opens no stream. */
async function signedIn(caller: Caller): Promise<Caller> {
  const { status, body } = await callApi(caller.authorization, 'POST', '/oauth2/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(status).toBe(200);
  return { ...caller, authorization: `Bearer ${body.access_token}` };
}

const limited = async (...rules: object[]) =>
  signedIn(await project.member([{ resourceType: 'Subscription' }, ...rules] as never));

async function subscribe(by: Caller, criteria = 'Patient', more: object = {}): Promise<string> {
  const body = {
    resourceType: 'Subscription',
    status: 'active',
    reason: 'x',
    criteria,
    channel: { type: 'websocket' },
  };
  const made = await callFhir(by, 'POST', 'Subscription', { body: { ...body, ...more } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function tokenFor(by: Caller, id: string): Promise<string> {
  const { status, body, text } = await callFhir(by, 'GET', `Subscription/${id}/$get-ws-binding-token`);
  expect(status, text).toBe(200);
  expect(body.parameter[2].valueUrl).toBe('ws://localhost:3999/ws/subscriptions-r4');
  return body.parameter[0].valueString;
}

// biome-ignore lint/suspicious/noExplicitAny: messages are JSON.
type Stream = { socket: WebSocket; got: any[]; closed: Promise<number>; say(message: unknown): void };

async function open(headers: Record<string, string> = {}): Promise<Stream> {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/subscriptions-r4`, { headers });
  onTestFinished(() => socket.terminate());
  const got: unknown[] = [];
  socket.on('message', (data) => got.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const say = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  return { socket, got, closed, say };
}

const typesOf = ({ got }: Stream) => got.map(({ entry, issue }) => entry?.[0].resource.type ?? issue?.[0].code);
const toldTo = ({ got }: Stream) =>
  got.flatMap(({ entry }) => entry?.[0].resource.notificationEvent?.[0].focus.reference ?? []);

async function listen(by: Caller, criteria?: string, more?: object) {
  const id = await subscribe(by, criteria, more);
  const token = await tokenFor(by, id);
  const stream = await open();
  stream.say({ type: 'bind-with-token', payload: { token } });
  await vi.waitFor(() => expect(typesOf(stream)).toEqual(['handshake']), WAIT);
  return { ...stream, id, token };
}

async function make(body: object = {}, by = project.admin): Promise<string> {
  const { body: made } = await callFhir(by, 'POST', 'Patient', { body: { resourceType: 'Patient', ...body } });
  return `Patient/${made.id}`;
}

test('each is told what they may read at that moment: a rule that goes, and what was never theirs, is not', async () => {
  const who = await limited({ resourceType: 'Patient', criteria: 'Patient?gender=male' });
  const [his, all] = [await listen(who), await listen(admin)];
  const hidden = await make({ gender: 'female' });
  const seen = await make({ gender: 'male' });
  await vi.waitFor(() => expect(toldTo(all)).toEqual([hidden, seen]), WAIT);
  await vi.waitFor(() => expect(toldTo(his)).toEqual([seen]), WAIT);
  const [{ id: policyId }] = (await callFhir(project.admin, 'GET', 'AccessPolicy')).body.entry.map(
    ({ resource }: { resource: { id: string } }) => resource,
  );
  const { body: policy } = await callFhir(project.admin, 'GET', `AccessPolicy/${policyId}`);
  const resource = [{ resourceType: 'Subscription' }, { resourceType: 'Patient', criteria: 'Patient?gender=other' }];
  await callFhir(project.admin, 'PUT', `AccessPolicy/${policyId}`, { body: { ...policy, resource } });
  await make({ gender: 'male' });
  const other = await make({ gender: 'other' });
  await vi.waitFor(() => expect(toldTo(his)).toEqual([seen, other]), WAIT);
});

test.each(['membership', 'login', 'Subscription', 'project'])('the stream ends with its %s', async (what) => {
  const who = await limited({ resourceType: 'Patient' });
  const stream = await listen(who);
  if (what === 'membership') {
    const path = `/admin/projects/${project.projectId}/members/${who.membershipId}`;
    expect((await callApi(project.admin.authorization, 'DELETE', path)).status).toBeLessThan(300);
  } else if (what === 'login') {
    expect((await callApi(who.authorization, 'POST', '/oauth2/logout')).status).toBeLessThan(300);
  } else if (what === 'Subscription') {
    await callFhir(project.admin, 'DELETE', `Subscription/${stream.id}`);
  } else {
    const above = await makeFhirProject(true);
    const { body } = await callFhir(above.admin, 'GET', `Project/${project.projectId}`);
    const closed = await callFhir(above.admin, 'PUT', `Project/${body.id}`, { body: { ...body, active: false } });
    expect(closed.status, closed.text).toBe(200);
  }
  expect(await stream.closed).toBe(1008);
  expect(toldTo(stream)).toEqual([]);
});

test('a token is good for its Subscription and as long as that; an access token, and one of nobody, is none', async () => {
  const stream = await open();
  for (const token of [admin.authorization.slice('Bearer '.length), 'x.y.z', 'nothing'])
    stream.say({ type: 'bind-with-token', payload: { token } });
  for (const junk of ['{', '[]', 'null', '{"type":"bind-with-token"}', '{"type":"other"}']) stream.say(junk);
  stream.say({ type: 'ping' });
  await vi.waitFor(() => expect(stream.got.at(-1)).toEqual({ type: 'pong' }), WAIT);
  expect(typesOf(stream)).toEqual([...Array(3).fill('login'), ...Array(5).fill('structure'), undefined]);
  const token = await tokenFor(admin, await subscribe(admin));
  expect((await callFhir({ ...admin, authorization: `Bearer ${token}` }, 'GET', 'Patient')).status).toBe(401);
});

test('who sends a secret with each request opens no stream, nor who may not read what it is about', async () => {
  const id = await subscribe(admin);
  const path = `Subscription/${id}/$get-ws-binding-token`;
  expectIssue(await callFhir(project.admin, 'GET', path), 403, 'forbidden');
  expectIssue(await callFhir(await limited(), 'GET', path), 403, 'forbidden');
  const other = await signedIn((await makeFhirProject()).admin);
  expect((await callFhir(other, 'GET', path)).status).toBe(404);
  const off = await subscribe(admin, 'Patient', { status: 'off' });
  expectIssue(await callFhir(admin, 'GET', `Subscription/${off}/$get-ws-binding-token`), 422, 'business-rule');
});

test('one socket listens to a Subscription: the last; what is let go of is not told', async () => {
  const first = await listen(admin);
  const second = await open();
  second.say({ type: 'bind-with-token', payload: { token: first.token } });
  await vi.waitFor(() => expect(typesOf(second)).toEqual(['handshake']), WAIT);
  expect(await first.closed).toBe(1008);
  const one = await make();
  await vi.waitFor(() => expect(toldTo(second)).toEqual([one]), WAIT);
  second.say({ type: 'unbind-from-token', payload: { token: first.token } });
  second.say({ type: 'ping' });
  await vi.waitFor(() => expect(second.got.at(-1)).toEqual({ type: 'pong' }), WAIT);
  await make();
  second.say({ type: 'bind-with-token', payload: { token: first.token } });
  await vi.waitFor(() => expect(typesOf(second).at(-1)).toBe('handshake'), WAIT);
  const three = await make();
  await vi.waitFor(() => expect(toldTo(second)).toEqual([one, three]), WAIT);
});

test('all of a large transaction is told, in order, and nothing of one that fails; a deletion where it is asked for', async () => {
  const url = 'https://medplum.com/fhir/StructureDefinition/subscription-supported-interaction';
  const stream = await listen(admin);
  const gone = await listen(admin, 'Patient', { extension: [{ url, valueCode: 'delete' }] });
  const entry = Array.from({ length: 500 }, () => ({
    request: { method: 'POST', url: 'Patient' },
    resource: { resourceType: 'Patient' } as object,
  }));
  const bundle = { resourceType: 'Bundle', type: 'transaction', entry };
  const failing = [
    ...entry,
    { request: { method: 'PUT', url: 'Patient/none' }, resource: { resourceType: 'Patient', id: 'none' } },
  ];
  expect((await callFhir(admin, 'POST', '', { body: { ...bundle, entry: failing } })).status).toBeGreaterThan(399);
  const { body } = await callFhir(admin, 'POST', '', { body: bundle });
  const made = body.entry.map(
    (one: { response: { location: string } }) => one.response.location.match(/Patient\/[^/]+/)?.[0],
  );
  await vi.waitFor(() => expect(toldTo(stream)).toHaveLength(500), WAIT);
  expect(toldTo(stream).sort()).toEqual(made.sort());
  await callFhir(admin, 'DELETE', made[0]);
  await vi.waitFor(() => expect(toldTo(gone)).toEqual([made[0]]), WAIT);
  expect(gone.got.at(-1).entry).toHaveLength(1);
}, 90_000);

test('what is too large, or binary, ends the socket; other paths and plain requests open none', async () => {
  const [large, binary] = [await open(), await open()];
  large.say('x'.repeat(20_000));
  expect(await large.closed).toBe(1009);
  binary.socket.send(Buffer.from([1, 2, 3]));
  expect(await binary.closed).toBe(1008);
  const { port } = server.address() as AddressInfo;
  const elsewhere = new WebSocket(`ws://127.0.0.1:${port}/ws/other`);
  const refused = await new Promise<Error>((resolve) => elsewhere.once('error', resolve));
  expect(refused.message).toContain('404');
});

test('who does not read is dropped, and nobody else waits for them', async () => {
  const [slow, other] = [await listen(admin), await listen(admin)];
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  const before = await connections();
  slow.socket.pause();
  const name = [{ text: 'x'.repeat(1024 * 1024) }];
  for (let count = 0; count < 30; count += 1) await make({ name });
  await vi.waitFor(() => expect(toldTo(other)).toHaveLength(30), WAIT);
  await vi.waitFor(async () => expect(await connections()).toBe(before - 1), WAIT);
}, 60_000);

test('one member has a hundred: the oldest to which nobody listens goes; what nobody listens to ends in an hour', async () => {
  const stream = await listen(admin);
  const ids = [stream.id];
  for (let count = 1; count < 102; count += 1) ids.push(await subscribe(admin, `Patient?name=${count}`));
  const status = async (id: string) => (await callFhir(admin, 'GET', `Subscription/${id}`)).status;
  expect(await Promise.all(ids.slice(0, 4).map(status))).toEqual([200, 410, 410, 200]);
  await db().execute(sql`
    update listening set seen_at = now() - interval '2 hours' where project_id = ${project.projectId} and holder is null`);
  await endForgotten(CTX);
  expect(await Promise.all([stream.id, ids[3]!, ids[101]!].map(status))).toEqual([200, 410, 410]);
  const one = await make();
  await vi.waitFor(() => expect(toldTo(stream)).toEqual([one]), WAIT);
}, 60_000);
