import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { env } from '#lib/base/env.ts';
import { pace } from '#lib/base/pace.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#lib/testing/servers/database-proxy.ts';
import { transaction } from './client.ts';
import { cacheIsLive, publishInvalidations, startInvalidation, stopInvalidation } from './invalidation.ts';
import { createLiveCache } from './live-cache.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const NOTIFICATION = 'A'.charCodeAt(0);
Object.assign(pace, { proofEveryMs: 50, proofLimitMs: 1000 });

let proxy: DatabaseProxy;
let isDeaf = false;
let changeBack: () => void;

beforeAll(async () => {
  await transaction((tx) => publishInvalidations(tx, ['x']));
  // As a pooler that hands each transaction to another connection: LISTEN is taken, and nothing is heard.
  const pass = (message: Buffer) => (isDeaf && message[0] === NOTIFICATION ? Buffer.alloc(0) : message);
  proxy = await startDatabaseProxy(env().DATABASE_URL, pass);
  // The pools are open by now: only the listener goes by way of the proxy.
  changeBack = changeSettings({ DATABASE_URL: proxy.url });
});

afterAll(async () => {
  await stopInvalidation();
  changeBack();
  await proxy.close();
});

test('who hears nothing does not start', async () => {
  isDeaf = true;
  await expect(startInvalidation()).rejects.toThrow('A notice to ourselves is not heard');
  expect(cacheIsLive()).toBe(false);
  isDeaf = false;
});

test('who would hear nothing of what is said by way of the pooler does not start', async () => {
  const elsewhere = Object.assign(new URL(proxy.url), { pathname: '/postgres' }).href;
  const changed = changeSettings({ DATABASE_URL: elsewhere, DATABASE_DIRECT_URL: proxy.url });
  await expect(startInvalidation()).rejects.toThrow('A notice to ourselves is not heard');
  expect(cacheIsLive()).toBe(false);
  changed();
});

test('a connection that goes deaf leaves nothing cached, and is listened on again when it hears', async () => {
  await startInvalidation();
  let loads = 0;
  const cache = createLiveCache<number>(10);
  const read = () => cache.get('session', async () => ({ value: ++loads, tags: ['login:1'] }));
  const first = await read();
  expect(await read()).toBe(first);
  isDeaf = true;
  await transaction((tx) => publishInvalidations(tx, ['login:1']));
  await vi.waitUntil(async () => (await read()) !== first, WAIT);
  expect(cacheIsLive()).toBe(false);
  isDeaf = false;
  await vi.waitUntil(cacheIsLive, WAIT);
  const next = await read();
  expect(await read()).toBe(next);
  await transaction((tx) => publishInvalidations(tx, ['login:1']));
  await vi.waitUntil(async () => (await read()) !== next, WAIT);
});
