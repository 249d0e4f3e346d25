import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchBodies } from './watch-bodies.ts';

let server: Server;
let look: () => void;
/** The request that is in, from when its head is. */
let incoming: Promise<IncomingMessage>;
let read: (incoming: IncomingMessage) => Promise<string>;

beforeEach(async () => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  incoming = arrived.promise;
  read = text;
  server = createServer((request, answer) => {
    arrived.resolve(request);
    read(request).then(
      (body) => answer.end(`got ${body.length}`),
      () => undefined,
    );
  });
  look = watchBodies(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function post(length: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, answer: text(socket) };
}

async function hasCome(bytes: number): Promise<void> {
  const { socket } = await incoming;
  await expect.poll(() => socket.bytesRead).toBeGreaterThanOrEqual(bytes);
}

test('a body that does not come on is 408, and its connection is closed', async () => {
  const { socket, answer } = post(100_000);
  socket.write('x'.repeat(20_000));
  await hasCome(20_000);
  look();
  look();
  expect(await answer).toMatch(/^HTTP\/1.1 408 /);
});

test('a body that comes, however long it takes, is read', async () => {
  const { socket, answer } = post(200_000);
  for (let sent = 20_000; sent <= 200_000; sent += 20_000) {
    socket.write('x'.repeat(20_000));
    await hasCome(sent);
    look();
  }
  expect(await answer).toContain('got 200000');
});

test('a body that is not asked for yet is no slow one', async () => {
  const asked = Promise.withResolvers<void>();
  read = async (request) => {
    await asked.promise;
    return text(request);
  };
  const { socket, answer } = post(1_000_000);
  socket.write('x'.repeat(1_000_000));
  const request = await incoming;
  await expect.poll(() => request.readableLength).toBeGreaterThan(0);
  for (let looks = 0; looks < 3; looks += 1) look();
  asked.resolve();
  expect(await answer).toContain('got 1000000');
});
