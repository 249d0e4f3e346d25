import { promises } from 'node:dns';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { lookUp } from '../look-up.ts';
import { OutsideFailed } from './outside-failed.ts';
import { requestOutside } from './request-outside.ts';

/** Public by what it is, and assigned to nobody. */
const PUBLIC = '2000::1';

let server: Server;
let handler: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('secret');
let asked = 0;
/** What each name resolves to, the first time, the second and so on; the last for ever. */
let names: Record<string, string[][]> = {};
let lookups: string[] = [];
let attempts: string[] = [];
let giving = new AbortController();

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

beforeEach(() => {
  [asked, names, lookups, attempts, giving] = [0, {}, [], [], new AbortController()];
  const answerOf = (host: string) => {
    lookups.push(host);
    const answers = names[host] ?? [[]];
    return answers.length > 1 ? answers.shift()! : answers[0]!;
  };
  const isSix = (address: string) => address.includes(':');
  const { Resolver } = promises;
  let told: string[] = [];
  vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation((async (host: string) => {
    told = answerOf(host);
    return told.filter((address) => !isSix(address));
  }) as never);
  vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation((async () => told.filter(isSix)) as never);
  vi.spyOn(promises, 'lookup').mockImplementation((async (host: string) =>
    answerOf(host).map((address) => ({ address, family: isSix(address) ? 6 : 4 }))) as never);
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: [never]) {
    // Nothing leaves this machine: where it would go is known by then.
    this.on('connectionAttempt', (address) => {
      attempts.push(address);
      if (address === PUBLIC) giving.abort();
    });
    return connect.apply(this, args);
  } as never);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const codeOf = (url: string) =>
  requestOutside(
    { method: 'GET', url: new URL(url), headers: [], body: undefined },
    {
      ...{ signal: giving.signal, redirect: 'follow', totalMs: 20_000, mostBytes: 1000 },
      ...{ allow: () => {}, hold: () => {} },
    },
  ).then(
    () => 'answered',
    (error) => (error instanceof OutsideFailed ? error.code : `not ours: ${error}`),
  );

test('a name that nobody answers for is told as what it is', async () => {
  vi.spyOn(promises.Resolver.prototype, 'resolve4').mockRejectedValue(Object.assign(new Error(), { code: 'ETIMEOUT' }));
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockRejectedValue(Object.assign(new Error(), { code: 'ENODATA' }));
  expect(await codeOf('https://slow.example/')).toBe('ETIMEOUT');
});

test('those of IPv4 are waited for', async () => {
  vi.spyOn(promises.Resolver.prototype, 'resolve4').mockImplementation((async () => {
    await new Promise((done) => setTimeout(done, 400));
    return ['127.0.0.1'];
  }) as never);
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockResolvedValue([PUBLIC] as never);
  expect(await lookUp('rebind.example')).toEqual([
    { address: PUBLIC, family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]);
});

test('one kind of address is enough, when the other is late', async () => {
  vi.spyOn(promises.Resolver.prototype, 'resolve6').mockReturnValue(new Promise(() => {}) as never);
  names = { 'rebind.example': [['127.0.0.1']] };
  expect(await codeOf('https://rebind.example/')).toBe('ADDRESS');
});

const port = () => (server.address() as AddressInfo).port;

test.each([
  ['this machine', ['127.0.0.1']],
  ['this machine by IPv6', ['::1']],
  ['this machine in other clothes', ['::ffff:127.0.0.1']],
  ['metadata of a cloud', ['169.254.169.254']],
  ['the open internet, and a network of ours as well', [PUBLIC, '10.0.0.1']],
])('a name of %s is not asked', async (_, addresses) => {
  names = { 'rebind.example': [addresses] };
  expect(await codeOf(`https://rebind.example:${port()}/`)).toBe('ADDRESS');
  expect([attempts, asked]).toEqual([[], 0]);
});

test('a name that is public when it is judged and ours the next time is asked where it was judged, and looked up once', async () => {
  names = { 'rebind.example': [[PUBLIC], ['127.0.0.1']] };
  expect(await codeOf(`https://rebind.example:${port()}/`)).toBe('ABORTED');
  expect([lookups, attempts, asked]).toEqual([['rebind.example'], [PUBLIC], 0]);
});

test('the next request to it is judged anew', async () => {
  names = { 'rebind.example': [[PUBLIC], ['127.0.0.1']] };
  await codeOf(`https://rebind.example:${port()}/`);
  giving = new AbortController();
  expect(await codeOf(`https://rebind.example:${port()}/`)).toBe('ADDRESS');
  expect([attempts, asked]).toEqual([[PUBLIC], 0]);
});

test('and so is each redirect', async () => {
  const restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  onTestFinished(restore);
  names = { 'first.example': [['127.0.0.1']], 'rebind.example': [['127.0.0.1']] };
  handler = (_, response) => {
    // From here on, only the open internet.
    restore();
    response.writeHead(302, { location: `https://rebind.example:${port()}/` }).end();
  };
  expect(await codeOf(`http://first.example:${port()}/`)).toBe('ADDRESS');
  expect([lookups, attempts, asked]).toEqual([['first.example', 'rebind.example'], ['127.0.0.1'], 1]);
});

test.each(['93.184.216.34', PUBLIC])('a public address that is this machine’s own, %s, is not asked', async (own) => {
  const isSix = own.includes(':');
  const found = { address: own, family: isSix ? 'IPv6' : 'IPv4', netmask: '', mac: '', internal: false, cidr: null };
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [found as never] });
  syncBuiltinESMExports();
  names = { 'rebind.example': [[own]] };
  for (const host of ['rebind.example', isSix ? `[${own}]` : own])
    expect(await codeOf(`https://${host}/`)).toBe('ADDRESS');
  expect(attempts).toEqual([]);
});
