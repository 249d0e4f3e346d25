import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { fetchOutside } from './fetch-outside.ts';

let server: Server;
let port: number;
let asked = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/keys` });
    if (request.url === '/upgrade') response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' });
    response.end(request.url === '/large' ? Buffer.alloc(300 * 1024) : 'here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

function get(url: string) {
  return fetchOutside(url, { signal: AbortSignal.timeout(10_000), accept: 'application/json' });
}

test('what stands on this machine or in our networks is not asked, by whatever name', async () => {
  const before = asked;
  for (const host of [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '169.254.169.254',
  ]) {
    await expect(get(`https://${host}:${port}/keys`)).rejects.toThrow('is no public address');
  }
  expect(asked).toBe(before);
});

test('nothing but https', async () => {
  for (const url of [`http://127.0.0.1:${port}/keys`, 'file:///etc/passwd', 'data:,x'])
    await expect(get(url)).rejects.toThrow('is not https:');
});

test('where it is allowed: what is there, a redirect as it is, and not more than is sensible', async () => {
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
  const answer = await get(`http://localhost:${port}/keys`);
  expect([answer.status, await answer.text()]).toEqual([200, 'here']);
  const before = asked;
  expect((await get(`http://127.0.0.1:${port}/away`)).status).toBe(302);
  expect(asked).toBe(before + 1);
  await expect(get(`http://127.0.0.1:${port}/large`)).rejects.toThrow('more than 262144 bytes');
});

test('who switches to another protocol has not answered', async () => {
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
  await expect(get(`http://127.0.0.1:${port}/upgrade`)).rejects.toThrow('closed without an answer');
});
