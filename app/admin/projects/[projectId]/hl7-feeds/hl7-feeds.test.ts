import { readFileSync } from 'node:fs';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { hl7Feed, hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { admission, FEED_PORTS } from '#lib/testing/hl7.ts';
import { makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let bot: string;
const { MLLP_PORTS, MLLP_TLS_PORT, MLLP_TLS_CERT } = env();

beforeAll(async () => {
  Object.assign(env(), { MLLP_PORTS: FEED_PORTS, MLLP_TLS_PORT: 2600, MLLP_TLS_CERT: '/nowhere' });
  world = await createWorld();
  bot = await deployedBot(world, 'exports.handler = async () => null');
});
afterAll(() => void Object.assign(env(), { MLLP_PORTS, MLLP_TLS_PORT, MLLP_TLS_CERT }));

let ports = FEED_PORTS.from;
const wanted = (more: object = {}) => {
  ports += 1;
  return { name: 'Admissions', bot: { reference: `Bot/${bot}` }, port: ports, ...more };
};

async function add(more: object = {}) {
  const answer = await world.call('POST', '/hl7-feeds', { body: wanted(more) });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function keep(feedId: string, fields: Partial<typeof hl7Message.$inferInsert> = {}): Promise<string> {
  const id = newId();
  const row = { projectId: world.projectId, id, feedId, seq: 1, controlId: '7', type: 'ADT^A01', fingerprint: id };
  const text = admission('7');
  await db()
    .insert(hl7Message)
    .values({ ...row, state: 'failed', receivedAt: new Date(), size: text.length, text, patients: ['P1'], ...fields });
  return id;
}

const PRINT = 'AB'.repeat(32);
const COLONS = PRINT.match(/../g)!.join(':');

describe('200', () => {
  test('a feed is made, listed with its state and what the server offers, changed and taken out, all of it audited', async () => {
    const made = await add({ allowedAddress: ['10.0.0.0/8'] });
    expect(made).toMatchObject({
      name: 'Admissions',
      bot: { reference: `Bot/${bot}`, display: 'Test bot' },
      tls: false,
      clientCertificate: null,
      allowedAddress: ['10.0.0.0/8'],
      answer: 'stored',
      active: true,
      state: { listening: false, connections: 0, lastMessageAt: null, waiting: 0, failed: 0, fault: null },
    });
    const { body } = await world.call('GET', '/hl7-feeds');
    expect(body.server).toMatchObject({ ports: FEED_PORTS, tlsPort: 2600, tls: true });
    expect(body.rows).toContainEqual(made);
    const changed = await world.call('PUT', `/hl7-feeds/${made.id}`, {
      body: wanted({ port: null, tls: true, clientCertificate: `SHA256 Fingerprint=${COLONS}`, answer: 'bot' }),
    });
    expect(changed.body).toMatchObject({ id: made.id, port: null, clientCertificate: COLONS, answer: 'bot' });
    expect((await world.call('GET', `/hl7-feeds/${made.id}`)).body).toEqual(changed.body);
    expect((await world.call('DELETE', `/hl7-feeds/${made.id}`)).status).toBe(200);
    expect((await world.call('GET', `/hl7-feeds/${made.id}`)).status).toBe(404);
    expect(await auditOf(world.projectId, `Bot/${bot}`)).toEqual(
      expect.arrayContaining(['hl7.feed.create', 'hl7.feed.update', 'hl7.feed.delete']),
    );
  });

  test('a feed whose bot is gone, at a port that is offered no more, may be turned off, and no more', async () => {
    const { body: gone } = await world.call('POST', '/bot', { body: { name: 'Gone' } });
    const mine = { bot: { reference: `Bot/${gone.id}` } };
    const made = await add(mine);
    await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${gone.id}`);
    Object.assign(env(), { MLLP_PORTS: undefined });
    onTestFinished(() => void Object.assign(env(), { MLLP_PORTS: FEED_PORTS }));
    const put = (more: object) =>
      world.call('PUT', `/hl7-feeds/${made.id}`, { body: wanted({ ...mine, port: made.port, ...more }) });
    expectOutcome(await put({ name: 'On' }), 400, 'port');
    expect((await put({ active: false })).body).toMatchObject({ active: false, port: made.port });
    expectOutcome(await put({ active: false, port: made.port + 1 }), 400, 'port');
    Object.assign(env(), { MLLP_PORTS: FEED_PORTS });
    expectOutcome(await put({}), 400, 'bot');
  });

  test('what was changed meanwhile is not changed back unseen', async () => {
    const made = await add();
    const put = (over: string, more: object) =>
      world.call('PUT', `/hl7-feeds/${made.id}`, { body: { ...wanted({ port: made.port, ...more }), over } });
    const { body: narrowed } = await put(made.version, { allowedAddress: ['10.0.0.0/8'] });
    expectOutcome(await put(made.version, { name: 'Of before' }), 412, 'over');
    expect((await world.call('GET', `/hl7-feeds/${made.id}`)).body).toEqual(narrowed);
    const again = await put(narrowed.version, { allowedAddress: ['10.0.0.0/8'], name: 'Now' });
    expect(again.body).toMatchObject({ name: 'Now', allowedAddress: ['10.0.0.0/8'] });
  });

  test('messages are listed page by page without what they say; one is read with it, which is audited', async () => {
    const feed = await add();
    const [first, second] = [
      await keep(feed.id, { state: 'done' }),
      await keep(feed.id, { seq: 2, failure: 'no bed' }),
    ];
    const page = await world.call('GET', `/hl7-feeds/${feed.id}/messages?_count=1`);
    expect(page.body.rows).toMatchObject([{ id: second, controlId: '7', type: 'ADT^A01', state: 'failed' }]);
    expect(page.text).not.toMatch(/EVERYMAN|no bed/);
    const next = await world.call('GET', `/hl7-feeds/${feed.id}/messages?cursor=${page.body.next}`);
    expect(next.body).toMatchObject({ rows: [{ id: first }], next: null });
    const failed = await world.call('GET', `/hl7-feeds/${feed.id}/messages?state=failed`);
    expect(failed.body.rows).toHaveLength(1);
    const why = { reason: 'It has failed' };
    const one = await world.call('POST', `/hl7-feeds/${feed.id}/messages/${second}/reveal`, { body: why });
    expect(one.body).toMatchObject({ text: admission('7'), failure: 'no bed', answer: null });
    expect(await auditOf(world.projectId, `Bot/${bot}`)).toContain('hl7.message.read');
    expect((await world.call('GET', `/hl7-feeds/${feed.id}`)).body.state).toMatchObject({ failed: 1, waiting: 0 });
  });

  test('what has failed waits again, one or all, and a feed with messages that wait is not taken out', async () => {
    const feed = await add();
    const [one, two] = [await keep(feed.id), await keep(feed.id, { seq: 2 })];
    expect((await world.call('POST', `/hl7-feeds/${feed.id}/messages/${one}/replay`)).status).toBe(202);
    expectOutcome(await world.call('POST', `/hl7-feeds/${feed.id}/messages/${one}/replay`), 409);
    expect((await world.call('POST', `/hl7-feeds/${feed.id}/replay`)).body).toEqual({ messages: 1 });
    expect((await world.call('POST', `/hl7-feeds/${feed.id}/replay`)).body).toEqual({ messages: 0 });
    const here = and(eq(hl7Message.projectId, world.projectId), eq(hl7Message.feedId, feed.id));
    const rows = await db().select({ id: hl7Message.id, state: hl7Message.state }).from(hl7Message).where(here);
    expect(rows).toEqual(expect.arrayContaining([one, two].map((id) => ({ id, state: 'waiting' }))));
    const [woken] = await db().select().from(hl7Feed).where(eq(hl7Feed.id, feed.id));
    expect(woken?.wokenAt).toBeInstanceOf(Date);
    expectOutcome(await world.call('DELETE', `/hl7-feeds/${feed.id}`), 409);
  });
});

test('the request that docs/bots.md shows makes a feed', async () => {
  const page = readFileSync(`${import.meta.dirname}/../../../../../docs/bots.md`, 'utf8');
  const [, shown = ''] = /POST \/admin\/projects\/\{project\}\/hl7-feeds\n(\{[\s\S]*?\n\})/.exec(page) ?? [];
  const ours = wanted();
  const body = { ...JSON.parse(shown.replace('{bot}', bot)), port: ours.port };
  expect((await world.call('POST', '/hl7-feeds', { body })).status).toBe(201);
});

describe('400', () => {
  test.each([
    ['name', { name: ' ' }],
    ['bot.reference', { bot: { reference: 'Patient/1' } }],
    ['bot', { bot: { reference: `Bot/${newId()}` } }],
    ['port', { port: FEED_PORTS.to + 1 }],
    ['port', { port: null }],
    ['tls', { clientCertificate: PRINT }],
    ['clientCertificate', { tls: true, clientCertificate: 'no' }],
    ['allowedAddress[0]', { allowedAddress: ['here'] }],
    ['answer', { answer: 'never' }],
  ])('%s: %j', async (field, more) => {
    const answer = await world.call('POST', '/hl7-feeds', { body: wanted(more) });
    expectOutcome(answer, 400, field);
  });

  test('a server that does not listen has no feeds', async () => {
    Object.assign(env(), { MLLP_PORTS: undefined, MLLP_TLS_PORT: undefined });
    try {
      expectOutcome(await world.call('POST', '/hl7-feeds', { body: wanted() }), 400, 'port');
    } finally {
      Object.assign(env(), { MLLP_PORTS: FEED_PORTS, MLLP_TLS_PORT: 2600 });
    }
  });

  test('a state or cursor that there is not', async () => {
    const feed = await add();
    for (const query of ['state=lost', 'cursor=x', '_count=0', 'what=1'])
      expect((await world.call('GET', `/hl7-feeds/${feed.id}/messages?${query}`)).status).toBe(400);
  });
});

test('a message is shown without what identifies somebody, and nobody is said to have read it', async () => {
  const feed = await add();
  const text = 'MSH|^~\\&|A|B|C|D|20260101||ADT^A01|7|P|2.5\rPID|1||4711^^^H||Okonjo^Ada\r';
  const message = await keep(feed.id, { text, failure: 'no bed for Okonjo', answer: 'MSH|^~\\&|A\rMSA|AE|7|Okonjo' });
  const path = `/hl7-feeds/${feed.id}/messages/${message}`;
  const readers = async () =>
    (await auditOf(world.projectId, `Bot/${bot}`)).filter((action) => action === 'hl7.message.read').length;
  const before = await readers();
  const { status, body, text: raw } = await world.call('GET', path);
  expect([status, body.failure]).toEqual([200, 'no bed for •••']);
  expect(body.text).toContain('PID|1||•••');
  expect(raw).not.toMatch(/Okonjo|4711/);
  expect(await readers()).toBe(before);
  expectOutcome(await world.call('POST', `${path}/reveal`, { body: { reason: ' ' } }), 400, 'reason');
  const revealed = await world.call('POST', `${path}/reveal`, { body: { reason: 'A bed is missing' } });
  expect([revealed.status, revealed.body.text]).toEqual([200, text]);
  expect(await readers()).toBe(before + 1);
});

test('401 without a token, 403 for who is no administrator', async () => {
  const { basic } = await makeClient(world.projectId);
  expect((await world.call('GET', '/hl7-feeds', { bearer: null })).status).toBe(401);
  for (const [method, path] of [
    ['GET', '/hl7-feeds'],
    ['POST', '/hl7-feeds'],
    ['GET', `/hl7-feeds/${newId()}/messages`],
    ['POST', `/hl7-feeds/${newId()}/replay`],
  ] as const)
    expectOutcome(await world.call(method, path, { bearer: basic }), 403);
});

test('403: whom a policy limits to a part of the project is not told what a message says of anybody', async () => {
  const policy = { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Organization' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const { membershipId, basic } = await makeClient(world.projectId, {}, { admin: true });
  const body = [{ op: 'add', path: '/accessPolicy', value: { reference: `AccessPolicy/${made.body.id}` } }];
  const limited = await world.call('PATCH', `/members/${membershipId}`, { body });
  expect(limited.status, limited.text).toBe(200);
  const feed = await add();
  const message = await keep(feed.id);
  expect((await world.call('GET', `/hl7-feeds/${feed.id}/messages`, { bearer: basic })).status).toBe(200);
  const asOwner = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
  const reveal = (given: object) =>
    world.call('POST', `/hl7-feeds/${feed.id}/messages/${message}/reveal`, { body: { reason: 'x' }, ...given });
  for (const headers of [{}, asOwner]) expectOutcome(await reveal({ bearer: basic, headers }), 403);
  const { basic: whole } = await makeClient(world.projectId, {}, { admin: true });
  expectOutcome(await reveal({ bearer: whole, headers: asOwner }), 403);
});

describe('404', () => {
  test('a feed or a message that is not there, or of another feed', async () => {
    const [feed, other] = [await add(), await add()];
    const message = await keep(other.id);
    for (const [method, path] of [
      ['GET', `/hl7-feeds/${newId()}`],
      ['PUT', `/hl7-feeds/${newId()}`],
      ['DELETE', '/hl7-feeds/x'],
      ['GET', `/hl7-feeds/${feed.id}/messages/${message}`],
      ['POST', `/hl7-feeds/${feed.id}/messages/${message}/reveal`],
      ['POST', `/hl7-feeds/${feed.id}/messages/${message}/replay`],
    ] as const)
      expectOutcome(
        await world.call(
          method,
          path,
          method === 'PUT' ? { body: wanted() } : path.endsWith('/reveal') ? { body: { reason: 'x' } } : {},
        ),
        404,
      );
  });
});

describe('409', () => {
  test('a port or certificate that another feed has, also of another project', async () => {
    const elsewhere = await createWorld();
    const theirs = await deployedBot(elsewhere, 'exports.handler = async () => null');
    const { port } = await add();
    const body = { ...wanted({ port }), bot: { reference: `Bot/${theirs}` } };
    expectOutcome(await elsewhere.call('POST', '/hl7-feeds', { body }), 409, 'port');
    const named = { port: null, tls: true, clientCertificate: 'CD'.repeat(32) };
    await add(named);
    const again = await world.call('POST', '/hl7-feeds', { body: wanted(named) });
    expectOutcome(again, 409, 'clientCertificate');
  });

  test('more than twenty', async () => {
    const full = await createWorld();
    const theirs = { reference: `Bot/${await deployedBot(full, 'exports.handler = async () => null')}` };
    for (let n = 0; n < 20; n += 1)
      expect((await full.call('POST', '/hl7-feeds', { body: { ...wanted(), bot: theirs } })).status).toBe(201);
    expectOutcome(await full.call('POST', '/hl7-feeds', { body: { ...wanted(), bot: theirs } }), 409);
  });
});
