import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterEach, expect, test, vi } from 'vitest';
import { databaseAddress, forPostgres } from '../address.ts';
import { closeDb, db, runWrite, searches, transaction } from '../client.ts';
import { keepQueuesShort } from './short-queues.ts';

const TIMES = 500;

afterEach(() => vi.restoreAllMocks());

/** The most places that the driver looked through for one of its connections while this ran. */
async function mostLookedThrough(run: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const { indexOf } = Array.prototype;
  vi.spyOn(Array.prototype, 'indexOf').mockImplementation(function (this: unknown[], ...args) {
    const [item] = args as [unknown];
    if (typeof item === 'object' && item !== null && 'idleTimer' in item) most = Math.max(most, this.length);
    return indexOf.apply(this, args);
  });
  await run();
  vi.restoreAllMocks();
  return most;
}

/** Two at a time, so often: a pool has connections to spare, once it has opened some. */
async function often(ask: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, ask));
  await Promise.all(
    [1, 2].map(async () => {
      for (let done = 0; done < TIMES; done++) await ask();
    }),
  );
}

const WAYS: [string, () => Promise<unknown>][] = [
  ['statements', () => db().execute(sql`select ${1}::int`)],
  ['searches', () => searches().execute(sql`select ${1}::int`)],
  ['transactions', () => transaction((tx) => tx.execute(sql`select ${1}::int`))],
  ['transactions that do nothing', () => transaction(async () => undefined)],
  ['writes by themselves', () => runWrite('select $1::int', [1], true)],
];

test.each(WAYS)('the driver looks through as few connections after many %s as after few', async (_name, ask) => {
  await closeDb();
  expect(await mostLookedThrough(() => often(ask))).toBeLessThanOrEqual(20);
});

test('by itself it looks through more with each statement: when that is mended there, this is not needed', async () => {
  const client = postgres({ ...forPostgres(databaseAddress()), max: 4, fetch_types: false });
  const ask = () => client.unsafe('select 1');
  expect(await mostLookedThrough(() => often(ask))).toBeGreaterThan(TIMES);
  await keepQueuesShort(client);
  await mostLookedThrough(() => often(ask));
  expect(await mostLookedThrough(() => often(ask))).toBeLessThanOrEqual(4);
  await client.end();
});

test('a database that is away at first is asked again, and a pool that was closed is not', async () => {
  const asked: string[] = [];
  const answers = [{ code: 'ECONNREFUSED' }, { code: 'CONNECTION_ENDED' }];
  const client = { unsafe: (text: string) => Promise.reject(answers[asked.push(text) - 1]) };
  vi.useFakeTimers();
  await keepQueuesShort(client as unknown as postgres.Sql);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(asked).toHaveLength(2);
});
