import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { startDatabaseProxy } from '#lib/testing/servers/database-proxy.ts';
import { transaction } from './client.ts';
import { cacheGeneration, publishInvalidations, startInvalidation, stopInvalidation } from './invalidation.ts';
import { createLiveCache } from './live-cache.ts';
import { listenProven } from './proven-listener.ts';

let other: postgres.Sql;
let heard: string[] = [];

beforeAll(async () => {
  other = postgres(env().DATABASE_URL, { max: 1 });
  await other.listen('gatehouse_invalidate', (message) => heard.push(message));
  await startInvalidation();
});

beforeEach(() => {
  heard = [];
});

afterAll(async () => {
  await stopInvalidation();
  await other.end();
});

async function publish(tags: string[]): Promise<void> {
  const known = await transaction((tx) => publishInvalidations(tx, tags));
  await known();
}

function loginTags(count: number): string[] {
  return Array.from({ length: count }, () => `login:${newId()}`);
}

describe('what is published', () => {
  test('nothing, when the transaction does not commit', async () => {
    const failing = transaction(async (tx) => {
      await publishInvalidations(tx, ['login:lost']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await publish(['login:kept']);
    await expect.poll(() => heard).toEqual(['login:kept']);
  });

  test('a thousand sessions that end at once, in messages that NOTIFY takes', async () => {
    const tags = loginTags(1000);
    await publish(tags);
    await expect.poll(() => heard.join(' ').split(' ').length).toBe(1000);
    expect(new Set(heard.join(' ').split(' '))).toEqual(new Set(tags));
    expect(Math.max(...heard.map((message) => message.length))).toBeLessThan(8000);
  });

  test('beyond some thousands: everything', async () => {
    await publish(loginTags(20_000));
    await expect.poll(() => heard).toEqual(['*']);
  });

  test('nothing for no tags', async () => {
    await publish([]);
    await publish(['login:end']);
    await expect.poll(() => heard).toEqual(['login:end']);
  });
});

describe('what was published is known when its caller goes on', () => {
  test('each of a hundred, one after another: it does not go on before its notice came round', async () => {
    for (let at = 0; at < 100; at++) {
      const before = cacheGeneration();
      const known = await transaction((tx) => publishInvalidations(tx, [`login:${at}`]));
      await known();
      expect(cacheGeneration()).toBeGreaterThan(before);
    }
  });

  test('another that hears late has heard, too', async () => {
    const late = await startDatabaseProxy(env().DATABASE_URL, (message) => message, 60);
    const changeBack = changeSettings({ DATABASE_URL: late.url });
    const told: string[] = [];
    const listener = await listenProven({
      channels: { gatehouse_invalidate: (message) => told.push(message) },
      onChange: () => undefined,
    });
    changeBack();
    for (const tag of loginTags(5)) {
      await publish([tag]);
      expect(told).toContain(tag);
    }
    const tags = loginTags(30);
    await Promise.all(tags.map(async (tag) => publish([tag]).then(() => expect(told).toContain(tag))));
    await listener.stop();
    await late.close();
  });

  test('many at once', async () => {
    const before = cacheGeneration();
    await Promise.all(loginTags(50).map((tag) => publish([tag])));
    expect(cacheGeneration()).toBeGreaterThanOrEqual(before + 50);
  });

  test('of what was rolled back nobody waits for ever, and nobody waits where nobody listens', async () => {
    let known: () => Promise<void> = async () => undefined;
    const failing = transaction(async (tx) => {
      known = await publishInvalidations(tx, ['login:lost']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await known();
    await stopInvalidation();
    await publish(['login:alone']);
    await startInvalidation();
    await publish(['login:heard']);
  });
});

describe('a live cache', () => {
  let loads = 0;
  const cache = createLiveCache<number>(100);
  const read = (id: string, tags: [string, ...string[]]) => cache.get(id, async () => ({ value: ++loads, tags }));

  test('loads once, until another connection names one of its tags', async () => {
    const first = await read('a', ['k1', 'k2']);
    expect(await read('a', ['k1', 'k2'])).toBe(first);
    await other`select pg_notify('gatehouse_invalidate', 'x k2 y')`;
    await expect.poll(() => read('a', ['k1', 'k2'])).not.toBe(first);
  });

  test('keeps what other tags stand on', async () => {
    const [kept, dropped] = [await read('b', ['k3']), await read('c', ['k4'])];
    await other`select pg_notify('gatehouse_invalidate', 'k4')`;
    await expect.poll(() => read('c', ['k4'])).not.toBe(dropped);
    expect(await read('b', ['k3'])).toBe(kept);
  });

  test('forgets everything on the message that says so', async () => {
    const before = await read('d', ['k5']);
    await other`select pg_notify('gatehouse_invalidate', '*')`;
    await expect.poll(() => read('d', ['k5'])).not.toBe(before);
  });

  test('does not keep what was loaded while a change went by', async () => {
    const first = await cache.get('e', async () => {
      // Until our own listener has heard it; `other` may hear it sooner.
      const before = cacheGeneration();
      await other`select pg_notify('gatehouse_invalidate', 'k6')`;
      await expect.poll(cacheGeneration).not.toBe(before);
      return { value: ++loads, tags: ['k6'] };
    });
    expect(await read('e', ['k6'])).not.toBe(first);
  });

  test('a load that fails is asked for again', async () => {
    await expect(cache.get('f', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await read('f', ['k7'])).toBe(loads);
  });

  test('trusts nothing when nobody listens', async () => {
    const before = await read('g', ['k8']);
    await stopInvalidation();
    expect(await read('g', ['k8'])).not.toBe(before);
    await startInvalidation();
  });
});
