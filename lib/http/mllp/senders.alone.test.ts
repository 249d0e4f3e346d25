import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asc, eq } from 'drizzle-orm';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { ackOf, admission, FEED_PORTS, openSender } from '#lib/testing/hl7.ts';
import { makeFeed, stateOfFeed, waitLong } from '#lib/testing/hl7-feed.ts';
import { makeCertificate } from '#lib/testing/servers/certificate.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { startMllp } from './start-mllp.ts';

const files = { cert: join(tmpdir(), `${newId()}.pem`), key: join(tmpdir(), `${newId()}.pem`) };
let world: World;
const QUIET = 'exports.handler = async () => undefined;';

beforeAll(async () => {
  const { cert, key } = makeCertificate('mllp.example');
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const tls = { MLLP_TLS_CERT: files.cert, MLLP_TLS_KEY: files.key };
  Object.assign(env(), { MLLP_PORTS: FEED_PORTS, MAX_BODY_MIB: 1, ...tls });
  Object.assign(pace, { hl7WatchMs: 20, hl7RetryMs: 1, mllpHandshakeMs: 2000 });
  await startInvalidation();
  world = await createWorld();
  const stop = await startMllp();
  return async () => {
    await stop();
    await stopInvalidation();
    for (const file of Object.values(files)) rmSync(file, { force: true });
  };
});

/** All that is said to who sends this and then that there is no more. */
async function askAndEnd(port: number, text: string, endAfterMs: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let said = '';
  socket.setEncoding('utf8').on('data', (part) => {
    said += part;
  });
  socket.write(text);
  await pause(endAfterMs);
  const closed = once(socket, 'end');
  socket.end();
  await closed;
  socket.destroy();
  return said;
}

async function kept(feedId: string) {
  const rows = await db().select().from(hl7Message).where(eq(hl7Message.feedId, feedId)).orderBy(asc(hl7Message.seq));
  return rows.map(({ controlId, patients }) => ({ controlId, patients }));
}

test('a character that cannot be kept, said by its escape sequence, keeps no message from being taken', async () => {
  const { id, port } = await makeFeed(world, QUIET);
  const sender = await openSender(port);
  expect(ackOf(await sender.send(admission('1', { patient: 'P1\\X00\\' })))).toEqual(['AA', '1']);
  const long = admission('2').replace('ADT^A01^ADT_A01', `${'A'.repeat(99)}😀`);
  expect(ackOf(await sender.send(long))).toEqual(['AA', '2']);
  expect(await kept(id)).toEqual([
    { controlId: '1', patients: [] },
    { controlId: '2', patients: ['P1'] },
  ]);
});

test('who says that there is no more still hears what became of it', async () => {
  const stored = await makeFeed(world, QUIET);
  const two = [admission('1'), admission('2')].map((text) => `\v${text}\u001C\r`).join('');
  const said = await askAndEnd(stored.port, two, 0);
  expect(said.split('\u001C\r').slice(0, -1).map(ackOf)).toEqual([
    ['AA', '1'],
    ['AA', '2'],
  ]);
  const slow = 'exports.handler = async () => { await new Promise((done) => setTimeout(done, 600)); };';
  const waited = await makeFeed(world, slow, { answer: 'bot' });
  expect(ackOf(await askAndEnd(waited.port, `\v${admission('3')}\u001C\r`, 100))).toEqual(['AA', '3']);
  // And nothing is left open of who said nothing.
  expect(await askAndEnd(stored.port, '\vMSH|', 50)).toBe('');
  await waitLong(async () => expect(await stateOfFeed(world, stored.id)).toMatchObject({ connections: 0 }));
});

test('who says that there is no more has its place only so long, whatever its bot takes', async () => {
  const { mllpLeavingMs } = pace;
  onTestFinished(() => void Object.assign(pace, { mllpLeavingMs }));
  pace.mllpLeavingMs = 100;
  const slow = 'exports.handler = async () => { await new Promise((done) => setTimeout(done, 3000)); };';
  const { id, port } = await makeFeed(world, slow, { answer: 'bot' });
  expect(await askAndEnd(port, `\v${admission('1')}\u001C\r`, 100)).toBe('');
  expect((await kept(id)).map(({ controlId }) => controlId)).toEqual(['1']);
});

test('a failure is told to a message that has no escape character, in words that need none', async () => {
  const code = `exports.handler = async () => { throw new Error('no ^ bed | for ~ them'); };`;
  const { port } = await makeFeed(world, code, { answer: 'bot' });
  const sender = await openSender(port);
  const answer = await sender.send(admission('1').replace('MSH|^~\\&|', 'MSH|^~|'));
  expect(ackOf(answer)).toEqual(['AE', '1']);
  expect(answer).toMatch(/MSA\|AE\|1\|.*no {3}bed {3}for {3}them/);
});

test('the frame of what a bot returns is not sent in another', async () => {
  const code = `exports.handler = async (_, { input }) => {
    const ack = input.buildAck().toString();
    return input.header.getComponent(10, 1) === '1' ? '\\u000b' + ack + '\\u001c\\r' : ack + '\\u001c\\r\\u000b' + ack;
  };`;
  const { port } = await makeFeed(world, code, { answer: 'bot' });
  for (const id of ['1', '2']) {
    const said = await askAndEnd(port, `\v${admission(id)}\u001C\r`, 0);
    expect(said.startsWith('\vMSH') && said.endsWith('\u001C\r'), said).toBe(true);
    expect(said.slice(1, -2)).not.toContain('\v');
    expect(said.slice(1, -2)).not.toContain('\u001C');
    expect(ackOf(said)).toEqual(['AA', id]);
  }
});

test('MSH-15 and MSH-16 that say nothing (two quotes) ask for one answer', async () => {
  const { port } = await makeFeed(world, QUIET);
  const said = await askAndEnd(port, `\v${admission('1', { rest: '2.5.1|||""|""' })}\u001C\r`, 0);
  expect(said.match(/MSA\|[^\r]*/g)).toEqual([expect.stringMatching(/^MSA\|AA\|1/)]);
});

test('a port that another program has is told, and listened to when it is free', async () => {
  const { id, port, botId } = await makeFeed(world, QUIET);
  const change = async (active: boolean) => {
    const body = { name: 'Feed', bot: { reference: `Bot/${botId}` }, port, active };
    expect((await world.call('PUT', `/hl7-feeds/${id}`, { body })).status).toBe(200);
  };
  await change(false);
  await waitLong(async () => expect(await stateOfFeed(world, id)).toMatchObject({ listening: false }));
  const other = createServer();
  await waitLong(async () => {
    other.listen(port, env().MLLP_HOST);
    await once(other, 'listening');
  });
  await change(true);
  const fault = 'The port is taken by another program';
  await waitLong(async () => expect(await stateOfFeed(world, id)).toMatchObject({ listening: false, fault }));
  other.close();
  await waitLong(async () => expect(await stateOfFeed(world, id)).toMatchObject({ listening: true }));
});

test('who calls a port of TLS and leaves without a word is forgotten', async () => {
  const { port } = await makeFeed(world, QUIET, { tls: true });
  const callers = Array.from({ length: 510 }, () =>
    connect({ port, host: '127.0.0.1' })
      .on('error', () => {})
      .end(),
  );
  await Promise.all(callers.map((caller) => new Promise((resolve) => caller.once('close', resolve))));
  await waitLong(async () =>
    expect(ackOf(await (await openSender(port, {})).send(admission('1')))).toEqual(['AA', '1']),
  );
});

test('a feed that has just been made has no fault', async () => {
  const { id } = await makeFeed(world, QUIET);
  expect(await stateOfFeed(world, id)).toMatchObject({ listening: true, fault: null });
});
