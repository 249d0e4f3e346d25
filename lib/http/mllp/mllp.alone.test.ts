import { X509Certificate } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { findListened } from '#lib/domain/hl7-feeds/listened.ts';
import { failInterrupted, INTERRUPTED } from '#lib/domain/hl7-feeds/message-rows.ts';
import { takeMessage } from '#lib/domain/hl7-feeds/take-messages.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { ackOf, admission, FEED_PORTS, freeFeedPort, openSender } from '#lib/testing/hl7.ts';
import {
  type TestFeed as Feed,
  makeFeed as makeFeedOf,
  stateOfFeed,
  waitLong as waitFor,
} from '#lib/testing/hl7-feed.ts';
import { makeCertificate } from '#lib/testing/servers/certificate.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { startMllp } from './start-mllp.ts';

const server = makeCertificate('mllp.example');
const files = { cert: join(tmpdir(), `${newId()}.pem`), key: join(tmpdir(), `${newId()}.pem`) };
let world: World;
let tlsPort: number;
/** Says each message's control ID in its log, fails for those that it does not like, and answers for itself where it is asked to. */
const BOT = `
  exports.handler = async (medplum, { input }) => {
    const id = input.header.getComponent(10, 1);
    console.log('saw ' + id);
    if (id.startsWith('bad')) throw new Error('no bed for ' + id);
    if (id.startsWith('nak')) return input.buildAck({ ackCode: 'AE', text: 'LIS is down' });
    if (id.startsWith('own')) return input.buildAck({ ackCode: 'AA', text: 'seen by the bot' });
  };`;

beforeAll(async () => {
  writeFileSync(files.cert, server.cert);
  writeFileSync(files.key, server.key);
  tlsPort = await freeFeedPort();
  const tls = { MLLP_TLS_PORT: tlsPort, MLLP_TLS_CERT: files.cert, MLLP_TLS_KEY: files.key };
  Object.assign(env(), { MLLP_PORTS: FEED_PORTS, MAX_BODY_MIB: 1, ...tls });
  Object.assign(pace, { hl7WatchMs: 20, hl7RetryMs: 1 });
  await startInvalidation();
  world = await createWorld();
  const stop = await startMllp();
  return async () => {
    await stop();
    await stopInvalidation();
  };
});
afterAll(() => {
  for (const file of Object.values(files)) rmSync(file, { force: true });
});

const makeFeed = (more: object = {}, code = BOT) => makeFeedOf(world, code, more);
const stateOf = (id: string) => stateOfFeed(world, id);

/** What became of the messages, in the order in which they came. */
async function ended({ id }: Feed, count: number) {
  const here = and(eq(hl7Message.projectId, world.projectId), eq(hl7Message.feedId, id));
  return waitFor(async () => {
    const rows = await db().select().from(hl7Message).where(here).orderBy(asc(hl7Message.seq));
    expect(rows.map(({ state }) => state).filter((state) => state === 'done' || state === 'failed')).toHaveLength(
      count,
    );
    return rows;
  });
}

/** What the bot has logged, run by run. */
/** An answer does not wait until the record of its run is in the database. */
async function seen({ botId }: Feed): Promise<string[]> {
  await flushRuns();
  const here = and(eq(botRun.projectId, world.projectId), eq(botRun.botId, botId));
  const rows = await db().select().from(botRun).where(here).orderBy(asc(botRun.startedAt));
  return rows.flatMap(({ logs }) => (logs as { text: string }[]).map(({ text }) => text));
}

test('a message is acknowledged when it is stored, and run once, under the bot’s rights, with the trigger hl7', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
  expect(await ended(feed, 1)).toMatchObject([
    { controlId: '1', type: 'ADT^A01^ADT_A01', state: 'done', tries: 1, patients: ['P1'], text: admission('1') },
  ]);
  const [run] = await db().select().from(botRun).where(eq(botRun.botId, feed.botId));
  expect(run).toMatchObject({ trigger: 'hl7', status: 'ok', requester: `Bot/${feed.botId}` });
  await waitFor(async () =>
    expect(await stateOf(feed.id)).toMatchObject({ connections: 1, received: 1, repeated: 0, refused: 0, waiting: 0 }),
  );
});

test('messages of a feed run in the order in which they came, however they are cut and joined', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  const ids = Array.from({ length: 20 }, (_, n) => `m${n}`);
  const stream = Buffer.from(ids.map((id) => `\v${admission(id)}\u001C\r`).join(''));
  for (let at = 0; at < stream.length; at += 700) sender.socket.write(stream.subarray(at, at + 700));
  const answers: unknown[] = [];
  for (const _ of ids) answers.push(ackOf(await sender.next()));
  expect(answers).toEqual(ids.map((id) => ['AA', id]));
  expect((await ended(feed, 20)).map(({ controlId }) => controlId)).toEqual(ids);
  expect(await seen(feed)).toEqual(ids.map((id) => `saw ${id}`));
});

test('of a project that keeps nothing what went well is gone when it has ended, and the sender has its answer', async () => {
  const setting = (valueBoolean: boolean) =>
    world.call('POST', '/settings', { body: [{ name: 'botRunContents', valueBoolean }] });
  expect((await setting(false)).status).toBe(200);
  onTestFinished(async () => void (await setting(true)));
  const feed = await makeFeed({ answer: 'bot' });
  const sender = await openSender(feed.port);
  expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
  await sender.send(admission('bad'));
  await sender.send(admission('nak'));
  expect(await ended(feed, 3)).toMatchObject([
    { state: 'done', text: null, answer: null, patients: [] },
    { state: 'failed', text: admission('bad') },
    { state: 'failed', text: admission('nak') },
  ]);
  expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
  expect(ackOf(await sender.send(admission('nak')))).toEqual(['AE', 'nak']);
});

test('what waits runs by the bot that a feed is changed to, though nothing more comes', async () => {
  const feed = await makeFeed({}, `export const handler = () => { throw new Error('broken'); };`);
  const sender = await openSender(feed.port);
  await sender.send(admission('1'));
  await ended(feed, 1);
  const repaired = await deployedBot(world, BOT);
  await db().execute(sql`update hl7_message set state = 'waiting', tries = 0 where feed_id = ${feed.id}::uuid`);
  const body = { name: 'Feed', bot: { reference: `Bot/${repaired}` }, port: feed.port };
  expect((await world.call('PUT', `/hl7-feeds/${feed.id}`, { body })).status).toBe(200);
  expect(await ended(feed, 1)).toMatchObject([{ state: 'done' }]);
  expect(await seen({ ...feed, botId: repaired })).toEqual(['saw 1']);
});

test('nothing is acknowledged for a feed that was removed a moment ago', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  const [listened] = (await findListened()).filter(({ id }) => id === feed.id);
  expect((await world.call('DELETE', `/hl7-feeds/${feed.id}`)).status).toBe(200);
  const message = Hl7Message.parse(admission('1'));
  const taken = takeMessage({ feed: listened!, message, text: admission('1'), again: false });
  await expect(taken).rejects.toMatchObject({ code: 'not-found' });
  const here = eq(hl7Message.feedId, feed.id);
  expect(await db().select().from(hl7Message).where(here)).toEqual([]);
  sender.socket.destroy();
});

describe('what is sent again', () => {
  test('is acknowledged again and not run twice, also with a new date, on another connection and at the same moment', async () => {
    const feed = await makeFeed();
    const [one, two] = [await openSender(feed.port), await openSender(feed.port)];
    const again = admission('1').replace('20260101120000', '20260101120500');
    const answers = await Promise.all([one.send(admission('1')), two.send(admission('1'))]);
    answers.push(await one.send(again));
    expect(answers.map(ackOf)).toEqual(Array(3).fill(['AA', '1']));
    expect(await ended(feed, 1)).toHaveLength(1);
    await waitFor(async () => expect(await stateOf(feed.id)).toMatchObject({ received: 1, repeated: 2 }));
  });

  test('with the control ID of another is a message of its own', async () => {
    const feed = await makeFeed();
    const sender = await openSender(feed.port);
    await sender.send(admission('1'));
    expect(ackOf(await sender.send(admission('1', { patient: 'P2' })))).toEqual(['AA', '1']);
    expect((await ended(feed, 2)).map(({ patients }) => patients)).toEqual([['P1'], ['P2']]);
  });
});

describe('a feed that is answered by its bot', () => {
  test('gives the sender what the bot has said, or AA; AE with the reason where it failed, and runs that again when it is sent again', async () => {
    const feed = await makeFeed({ answer: 'bot' });
    const sender = await openSender(feed.port);
    expect(await sender.send(admission('own1'))).toContain('MSA|AA|own1|seen by the bot');
    expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
    const refused = await sender.send(admission('bad'));
    expect(refused).toContain('MSA|AE|bad|no bed for bad');
    expect(refused).toMatch(/\rERR\|\|\|207\^Application internal error\^HL70357\|E\|/);
    expect(ackOf(await sender.send(admission('bad')))).toEqual(['AE', 'bad']);
    expect(await sender.send(admission('own1'))).toContain('MSA|AA|own1|seen by the bot');
    expect(await seen(feed)).toEqual(['saw own1', 'saw 1', 'saw bad', 'saw bad']);
  });
});

test('a message that its bot refuses has failed: its sender hears the bot’s word, and sends it again to have it run again', async () => {
  const feed = await makeFeed({ answer: 'bot' });
  const sender = await openSender(feed.port);
  for (let count = 0; count < 2; count += 1)
    expect(await sender.send(admission('nak'))).toContain('MSA|AE|nak|LIS is down');
  expect(await ended(feed, 1)).toMatchObject([{ state: 'failed', failure: 'The bot answered AE: LIS is down' }]);
  expect(await seen(feed)).toEqual(['saw nak', 'saw nak']);
  expect(await sender.send(admission('nak2', { rest: '2.5.1||||ER' }))).toContain('MSA|AE|nak2|LIS is down');
  sender.socket.write(`\v${admission('nak3', { rest: '2.5.1||||SU' })}\u001C\r`);
  expect(await sender.send(admission('own4', { rest: '2.5.1||||SU' }))).toContain('MSA|AA|own4|');
});

test('a bot that refuses what was acknowledged is asked once, and the next one has its tries', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  for (const id of ['nak', 'bad']) await sender.send(admission(id));
  expect((await ended(feed, 2)).map(({ state, tries }) => [state, tries])).toEqual([
    ['failed', 1],
    ['failed', 3],
  ]);
});

test('what waits for a bot that was turned off waits until it is turned on, and runs in its order', async () => {
  const feed = await makeFeed(
    {},
    `exports.handler = async (medplum, { input }) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    console.log('saw ' + input.header.getComponent(10, 1));
  };`,
  );
  const sender = await openSender(feed.port);
  const ids = ['1', '2', '3', '4', '5', '6'];
  for (const id of ids) expect(ackOf(await sender.send(admission(id)))).toEqual(['AA', id]);
  await turnBot(feed.botId, false);
  await waitFor(async () => expect(await statesOf(feed)).not.toContain('running'));
  await new Promise((done) => setTimeout(done, 300));
  expect(await statesOf(feed)).toContain('waiting');
  await turnBot(feed.botId, true);
  expect((await ended(feed, 6)).map(({ state }) => state)).toEqual(ids.map(() => 'done'));
  expect(await seen(feed)).toEqual(ids.map((id) => `saw ${id}`));
});

test('what waits for a bot that stays off has failed after a while, and what its sender waits for at once', async () => {
  const before = pace.hl7OffMs;
  pace.hl7OffMs = 50;
  onTestFinished(() => {
    pace.hl7OffMs = before;
  });
  const slow = `exports.handler = () => new Promise((resolve) => setTimeout(resolve, 300));`;
  const feed = await makeFeed({}, slow);
  const sender = await openSender(feed.port);
  for (const id of ['1', '2', '3']) await sender.send(admission(id));
  await turnBot(feed.botId, false);
  expect((await ended(feed, 3)).at(-1)).toMatchObject({
    state: 'failed',
    failure: 'The bot of this feed cannot run just now',
  });
  await turnBot(feed.botId, true);
  await world.call('POST', `/hl7-feeds/${feed.id}/replay`);
  expect((await ended(feed, 3)).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
});

async function turnBot(botId: string, active: boolean): Promise<void> {
  const { callApi } = await import('#lib/testing/call-api.ts');
  const found = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile=Bot/${botId}`);
  const [{ resource }] = found.body.entry;
  const body = [{ op: 'add', path: '/active', value: active }];
  expect((await world.call('PATCH', `/members/${resource.id}`, { body })).status).toBe(200);
}

test('one that was cut off in the middle of its run is not run again because it is sent again: its sender hears why', async () => {
  const feed = await makeFeed({ answer: 'bot' });
  const sender = await openSender(feed.port);
  expect(ackOf(await sender.send(admission('cut')))).toEqual(['AA', 'cut']);
  // As the process that listens next leaves it.
  await db()
    .update(hl7Message)
    .set({ state: 'failed', failure: INTERRUPTED })
    .where(and(eq(hl7Message.projectId, world.projectId), eq(hl7Message.feedId, feed.id)));
  expect(await sender.send(admission('cut'))).toMatch(/MSA\|AE\|cut\|The server was stopped while the bot ran/);
  // Nor is what the bot had said before.
  expect(await sender.send(admission('nak'))).toContain('MSA|AE|nak|LIS is down');
  const nak = and(
    eq(hl7Message.projectId, world.projectId),
    eq(hl7Message.controlId, 'nak'),
    eq(hl7Message.feedId, feed.id),
  );
  await db().update(hl7Message).set({ state: 'running' }).where(nak);
  const { id, projectId } = (await findListened()).find(({ id }) => id === feed.id)!;
  await failInterrupted({ id, projectId });
  expect(await sender.send(admission('nak'))).toMatch(/MSA\|AE\|nak\|The server was stopped while the bot ran/);
  expect(await seen(feed)).toEqual(['saw cut', 'saw nak']);
});

test('a message that could not be said to run waits on, and runs once', async () => {
  const feed = await makeFeed();
  await db().execute(sql`
    create function blink() returns trigger language plpgsql as $$
    begin raise exception 'away' using errcode = '57014'; end $$`);
  await db().execute(sql`
    create trigger blinks before update on hl7_message for each row when (new.state = 'running' and new.control_id = 'blink') execute function blink()`);
  const sender = await openSender(feed.port);
  expect(ackOf(await sender.send(admission('blink')))).toEqual(['AA', 'blink']);
  await new Promise((done) => setTimeout(done, 200));
  expect(await statesOf(feed)).toEqual(['waiting']);
  await db().execute(sql`drop function blink cascade`);
  expect(await ended(feed, 1)).toMatchObject([{ state: 'done', tries: 1 }]);
  expect(await seen(feed)).toEqual(['saw blink']);
});

test('who waits for the end of a message that ends otherwise than by its run hears of it', async () => {
  const usual = pace.hl7LookMs;
  pace.hl7LookMs = 100;
  onTestFinished(() => {
    pace.hl7LookMs = usual;
  });
  const feed = await makeFeed(
    { answer: 'bot' },
    'exports.handler = () => new Promise((done) => setTimeout(done, 8000))',
  );
  const [first, second] = [await openSender(feed.port), await openSender(feed.port)];
  const before = first.send(admission('first'));
  await waitFor(async () => expect(await statesOf(feed)).toEqual(['running']));
  const waiting = second.send(admission('second'));
  await waitFor(async () => expect(await statesOf(feed)).toEqual(['running', 'waiting']));
  await db()
    .update(hl7Message)
    .set({ state: 'failed', text: null, failure: 'What it said was erased' })
    .where(and(eq(hl7Message.feedId, feed.id), eq(hl7Message.state, 'waiting')));
  expect(await waiting).toMatch(/MSA\|AE\|second\|What it said was erased/);
  expect(await statesOf(feed)).toEqual(['running', 'failed']);
  expect(ackOf(await before)).toEqual(['AA', 'first']);
});

async function statesOf({ id }: Feed): Promise<string[]> {
  const rows = await db().select().from(hl7Message).where(eq(hl7Message.feedId, id)).orderBy(asc(hl7Message.seq));
  return rows.map(({ state }) => state);
}

describe('enhanced mode', () => {
  test('CA when it is stored and AA when it is done, as MSH-15 and MSH-16 ask for', async () => {
    const feed = await makeFeed();
    const sender = await openSender(feed.port);
    expect(ackOf(await sender.send(admission('both', { rest: '2.5.1|||AL|AL' })))).toEqual(['CA', 'both']);
    expect(ackOf(await sender.next())).toEqual(['AA', 'both']);
    expect(ackOf(await sender.send(admission('accept', { rest: '2.5.1|||AL|NE' })))).toEqual(['CA', 'accept']);
    sender.socket.write(`\v${admission('none', { rest: '2.5.1|||NE|NE' })}\u001C\r`);
    sender.socket.write(`\v${admission('errors', { rest: '2.5.1|||ER|NE' })}\u001C\r`);
    expect(ackOf(await sender.send(admission('last', { rest: '2.5.1|||SU' })))).toEqual(['CA', 'last']);
    expect(ackOf(await sender.send(admission('', { rest: '2.5.1|||ER' })))).toEqual(['CR', '']);
    expect(await ended(feed, 5)).toHaveLength(5);
  });
});

describe('what is refused', () => {
  test('is told why, with AR, and nothing of it is kept', async () => {
    const feed = await makeFeed();
    const sender = await openSender(feed.port);
    expect(ackOf(await sender.send(admission('')))).toEqual(['AR', '']);
    expect(await sender.send(admission('1', { rest: '2.5.1||||||KLINGON' }))).toContain('Unknown character set');
    expect(ackOf(await sender.send(admission('2')))).toEqual(['AA', '2']);
    expect(await ended(feed, 1)).toHaveLength(1);
    await waitFor(async () =>
      expect(await stateOf(feed.id)).toMatchObject({
        refused: 2,
        fault: 'A message was not taken: its sender was told why',
      }),
    );
  });

  test('three times no message at all, or bytes outside of one, and the connection is closed', async () => {
    const { port } = await makeFeed();
    const sender = await openSender(port);
    for (let n = 0; n < 3; n += 1) expect(ackOf(await sender.send('hello'))).toEqual(['AR', '']);
    await sender.closed;
    const browser = await openSender(port);
    browser.socket.write('GET / HTTP/1.1\r\n\r\n');
    await browser.closed;
    expect(ackOf(await (await openSender(port)).send(admission('1')))).toEqual(['AA', '1']);
  });

  test('one that is too large, before it has ended, with its control ID', async () => {
    const { port } = await makeFeed();
    const sender = await openSender(port);
    sender.socket.write(`\v${admission('huge')}NTE|1||${'x'.repeat(2 * 1024 * 1024)}`);
    expect(ackOf(await sender.next())).toEqual(['AR', 'huge']);
    await sender.closed;
  });

  test('one that does not end in time', async () => {
    const before = pace.mllpMessageMs;
    pace.mllpMessageMs = 20;
    onTestFinished(() => void Object.assign(pace, { mllpMessageMs: before }));
    const { id, port } = await makeFeed();
    const sender = await openSender(port);
    sender.socket.write('\vMSH|');
    await sender.closed;
    await waitFor(async () => expect(await stateOf(id)).toMatchObject({ fault: 'A message did not end in time' }));
  });

  test('callers from elsewhere, and the fifty-first', async () => {
    const elsewhere = await makeFeed({ allowedAddress: ['10.0.0.0/8'] });
    await (await openSender(elsewhere.port)).closed;
    const { id, port } = await makeFeed({ allowedAddress: ['127.0.0.0/8'] });
    const senders = await Promise.all(Array.from({ length: 50 }, () => openSender(port)));
    await waitFor(async () => expect(await stateOf(id)).toMatchObject({ connections: 50 }));
    await (await openSender(port)).closed;
    senders[0]?.socket.destroy();
    await waitFor(async () => expect(ackOf(await (await openSender(port)).send(admission('1')))).toEqual(['AA', '1']));
    for (const { socket } of senders) socket.destroy();
  });
});

describe('later', () => {
  test('while the bot cannot run, and while ten thousand messages of the project wait: AE or CE, and nothing is kept', async () => {
    const { body } = await world.call('POST', '/bot', { body: { name: 'Nothing deployed' } });
    const idle = await makeFeed({ bot: { reference: `Bot/${body.id}` } });
    const sender = await openSender(idle.port);
    expect(await sender.send(admission('1'))).toContain(
      'MSA|AE|1|The bot of this feed cannot run just now: send it again later',
    );
    expect(ackOf(await sender.send(admission('2', { rest: '2.5.1|||AL|NE' })))).toEqual(['CE', '2']);
    expect(await ended(idle, 0)).toEqual([]);
    // Of a feed that nobody listens for any more.
    await db().execute(sql`
      insert into hl7_message (project_id, id, feed_id, seq, control_id, type, fingerprint, state, received_at, size, text, patients)
      select ${world.projectId}::uuid, gen_random_uuid(), ${newId()}::uuid, n, n::text, 'ADT', n::text, 'waiting', now(), 1, 'x', '{}'
      from generate_series(1, 10000) n`);
    const feed = await makeFeed();
    const busy = await openSender(feed.port);
    expect(await busy.send(admission('3'))).toContain('MSA|AE|3|Too many messages');
    await db().execute(sql`delete from hl7_message where project_id = ${world.projectId}::uuid and text = 'x'`);
    expect(ackOf(await busy.send(admission('3')))).toEqual(['AA', '3']);
    expect(await ended(feed, 1)).toHaveLength(1);
  });
});

test('a bot that fails gets its message three times, then it stands among the failures; the next ones are not held up; replayed, it runs in its turn', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  for (const id of ['bad1', 'bad2', '3']) await sender.send(admission(id));
  const rows = await ended(feed, 3);
  expect(rows.map(({ controlId, state, tries }) => [controlId, state, tries])).toEqual([
    ['bad1', 'failed', 3],
    ['bad2', 'failed', 1],
    ['3', 'done', 1],
  ]);
  expect(rows[0]?.failure).toContain('no bed for bad1');
  await deploy(feed.botId, "exports.handler = async () => { console.log('mended'); }");
  expect((await world.call('POST', `/hl7-feeds/${feed.id}/replay`)).body).toEqual({ messages: 2 });
  await waitFor(async () => expect(await stateOf(feed.id)).toMatchObject({ failed: 0, waiting: 0 }));
  expect((await seen(feed)).slice(-2)).toEqual(['mended', 'mended']);
});

async function deploy(botId: string, code: string): Promise<void> {
  const { callApi } = await import('#lib/testing/call-api.ts');
  const body = { code, filename: 'index.js' };
  expect((await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body })).status).toBe(200);
}

test('a message in another character set is read, and answered, in it', async () => {
  const feed = await makeFeed(
    { answer: 'bot' },
    "exports.handler = async (_, { input }) => input.buildAck('AA', input.getSegment('PID').getComponent(5, 1))",
  );
  const sender = await openSender(feed.port);
  const text = admission('1', { rest: '2.5.1||||||8859/2' }).replace('EVERYMAN', 'XX');
  sender.socket.write(
    Buffer.concat(
      [Buffer.from(`\v${text}\u001C\r`, 'latin1')].map((all) => {
        const at = all.indexOf('XX');
        return Buffer.concat([all.subarray(0, at), Buffer.from([0xa3, 0xf3]), all.subarray(at + 2)]);
      }),
    ),
  );
  // `next` reads UTF-8, in which these are no characters.
  expect(await sender.next()).toMatch(/MSA\|AA\|1\|\uFFFD+/);
  expect((await ended(feed, 1))[0]?.text).toContain('PID|1||P1^^^GHH^MR||Łó^ADAM');
});

test('Japanese is read where ASCII is said first, and refused where its set is unknown', async () => {
  const feed = await makeFeed();
  const sender = await openSender(feed.port);
  const name = Buffer.from([0x1b, 0x24, 0x42, 0x3b, 0x33, 0x45, 0x44, 0x1b, 0x28, 0x42]);
  const send = async (id: string, charset: string) => {
    const text = Buffer.from(
      `\v${admission(id, { rest: `2.5.1||||||${charset}` })}\u001C\r`.replace('EVERYMAN', 'XX'),
      'latin1',
    );
    const at = text.indexOf('XX');
    sender.socket.write(Buffer.concat([text.subarray(0, at), name, text.subarray(at + 2)]));
    return ackOf(await sender.next());
  };
  expect(await send('1', '~ISO IR87')).toEqual(['AA', '1']);
  expect(await send('2', 'ASCII~ISO IR87')).toEqual(['AA', '2']);
  expect(await send('3', 'ASCII~ISO IR1234')).toEqual(['AR', '3']);
  const rows = await ended(feed, 2);
  for (const { text } of rows) expect(text).toContain('||山田^ADAM');
});

describe('by certificate', () => {
  const print = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;

  test('one port serves several feeds; who shows none, or another’s, is sent away', async () => {
    const [lab, ward, nobody] = [makeCertificate('lab'), makeCertificate('ward'), makeCertificate('nobody')];
    const shared = (one: { cert: string }) => ({ port: null, tls: true, clientCertificate: print(one) });
    const [one, two] = [await makeFeed(shared(lab)), await makeFeed(shared(ward))];
    const senders = [await openSender(tlsPort, lab), await openSender(tlsPort, ward)];
    for (const sender of senders) expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
    expect([await ended(one, 1), await ended(two, 1)]).toMatchObject([[{ controlId: '1' }], [{ controlId: '1' }]]);
    await (await openSender(tlsPort, nobody)).closed;
    await (await openSender(tlsPort, {})).closed;
  });

  test('of one project a hundred connections, however many feeds it has there, and the next is said', async () => {
    const [lab, ward, desk] = [makeCertificate('lab2'), makeCertificate('ward2'), makeCertificate('desk')];
    const shared = (one: { cert: string }) => ({ port: null, tls: true, clientCertificate: print(one) });
    await makeFeed(shared(lab));
    await makeFeed(shared(ward));
    const last = await makeFeed(shared(desk));
    const open = (one: typeof lab, count: number) =>
      Promise.all(Array.from({ length: count }, () => openSender(tlsPort, one)));
    const senders = [...(await open(lab, 49)), ...(await open(ward, 49)), ...(await open(desk, 2))];
    await waitFor(async () => expect(await stateOf(last.id)).toMatchObject({ connections: 2 }));
    await (await openSender(tlsPort, desk)).closed;
    await waitFor(async () =>
      expect((await stateOf(last.id)).fault).toBe(
        'More than 100 connections of this project to the port that projects share',
      ),
    );
    senders[0]?.socket.destroy();
    await waitFor(async () =>
      expect(ackOf(await (await openSender(tlsPort, desk)).send(admission('1')))).toEqual(['AA', '1']),
    );
    for (const { socket } of senders) socket.destroy();
  });

  test('a port of its own may ask for TLS, and for a certificate besides', async () => {
    const lab = makeCertificate('lab');
    const open = await makeFeed({ tls: true });
    const sender = await openSender(open.port, {});
    expect(ackOf(await sender.send(admission('1')))).toEqual(['AA', '1']);
    const plain = await openSender(open.port);
    plain.socket.write(`\v${admission('2')}\u001C\r`);
    await plain.closed;
    const pinned = await makeFeed({ tls: true, clientCertificate: print(lab) });
    await (await openSender(pinned.port, {})).closed;
    expect(ackOf(await (await openSender(pinned.port, lab)).send(admission('1')))).toEqual(['AA', '1']);
    await waitFor(async () =>
      expect(await stateOf(pinned.id)).toMatchObject({ fault: 'Somebody called without the certificate of the feed' }),
    );
  });
});

test('a feed that is turned off is no longer listened for, and its connections are closed', async () => {
  const { id, port, botId } = await makeFeed();
  const sender = await openSender(port);
  await sender.send(admission('1'));
  const body = { name: 'Feed', bot: { reference: `Bot/${botId}` }, port, active: false };
  expect((await world.call('PUT', `/hl7-feeds/${id}`, { body })).status).toBe(200);
  await sender.closed;
  await waitFor(async () => expect(await stateOf(id)).toMatchObject({ listening: false, connections: 0 }));
  await expect(openSender(port)).rejects.toThrow();
});
