import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Listener } from './fast-lane.ts';
import { pagesElsewhere } from './pages-elsewhere.ts';
import { askSibling, listenToSiblings, OWN_METRICS } from './siblings.ts';

const NEVER = new AbortController().signal;
let folder: string;
let front: Server;
let base: string;
let others: Server[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  others = [];
  front = createServer(pagesElsewhere({ place: 2, places: 2, folder }));
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});

afterEach(() => {
  for (const server of [front, ...others]) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The process that has the pages. */
async function startPages(pages: Listener): Promise<Server> {
  const server = await listenToSiblings({ place: 1, places: 2, folder }, pages);
  others.push(server);
  return server;
}

test('a page comes as the process that has it gives it: what was asked, its status, its headers, its body', async () => {
  await startPages((incoming, outgoing) => {
    outgoing.writeHead(418, 'Teapot', ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-id', 'of the page']);
    outgoing.write(`${incoming.method} ${incoming.url} ${incoming.headers['x-a']} `);
    incoming.pipe(outgoing);
  });
  const answer = await fetch(`${base}/p/1?x=%20y`, { method: 'POST', body: 'a form', headers: { 'x-a': 'b' } });
  expect([answer.status, answer.statusText, answer.headers.get('x-id')]).toEqual([418, 'Teapot', 'of the page']);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await answer.text()).toBe('POST /p/1?x=%20y b a form');
});

test('a process that is being started again is waited for', async () => {
  const page = fetch(`${base}/signin`);
  const other = await startPages((_, outgoing) => outgoing.end('from the one before'));
  expect(await (await page).text()).toBe('from the one before');
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
  const next = fetch(`${base}/signin`);
  await startPages((_, outgoing) => outgoing.end('from the next'));
  expect(await (await next).text()).toBe('from the next');
});

test('its successor is asked as soon as it listens, while the one before answers what it was asked', async () => {
  const asked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const before = await startPages(async (_, outgoing) => {
    asked.resolve();
    await mayAnswer.promise;
    outgoing.end('before');
  });
  const slow = fetch(base);
  await asked.promise;
  await startPages((_, outgoing) => outgoing.end('after'));
  before.close();
  expect(await (await fetch(base)).text()).toBe('after');
  mayAnswer.resolve();
  expect(await (await slow).text()).toBe('before');
});

test('who goes away is waited for no longer', async () => {
  const left = Promise.withResolvers<void>();
  await startPages((incoming, outgoing) => {
    outgoing.once('close', left.resolve);
    socket.destroy();
    incoming.resume();
  });
  const socket = connect((front.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await left.promise;
  expect(await text(socket).catch(() => '')).toBe('');
});

test('what a process knows of itself is told to its siblings, and is no page', async () => {
  await startPages((_, outgoing) => outgoing.end('a page'));
  const own = JSON.parse(await askSibling({ place: 2, places: 2, folder }, 1, OWN_METRICS, NEVER));
  expect(own.map(({ name }: { name: string }) => name)).toContain('process_resident_memory_bytes');
  expect(await (await fetch(`${base}${OWN_METRICS}`)).text()).toBe('a page');
});
