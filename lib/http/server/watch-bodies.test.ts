import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { watchBodies } from './watch-bodies.ts';

const usual = pace.bodyWatchMs;
let read: (incoming: IncomingMessage) => Promise<unknown>;
const server = createServer((incoming, outgoing) => {
  read(incoming).then(
    (body) => outgoing.end(`got ${body}`),
    () => undefined,
  );
});

beforeEach(async () => {
  pace.bodyWatchMs = 50;
  watchBodies(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  read = text;
});

afterEach(async () => {
  pace.bodyWatchMs = usual;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function post(length: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, answer: text(socket) };
}

test('a body that does not come is 408, and its connection is closed', async () => {
  const { socket, answer } = post(1000);
  socket.write('{');
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
});

test('a body that comes, however long, is read', async () => {
  const { socket, answer } = post(200_000);
  // One part for every look that is taken, each enough for it.
  for (let sent = 0; sent < 10; sent += 1) {
    socket.write('x'.repeat(20_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toContain('got xxx');
});

test('a body that waits until it is asked for is no slow one', async () => {
  let go = () => {};
  const asked = new Promise<void>((resolve) => {
    go = resolve;
  });
  read = async (incoming) => {
    await asked;
    return text(incoming);
  };
  const length = 4_000_000;
  const { socket, answer } = post(length);
  socket.write('x'.repeat(length));
  const other = post(10);
  // By the time that another is ended, this one has been looked at as often.
  expect(await other.answer).toMatch(/^HTTP\/1.1 408 |^$/);
  go();
  expect((await answer).length).toBeGreaterThan(length);
  await once(socket, 'close').catch(() => undefined);
});
