import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterEach, expect, type Mock, test, vi } from 'vitest';
import { lose as loseSocket, watchSockets } from '#lib/testing/servers/sockets.ts';
import { databaseAddress, forPostgres } from '../address.ts';
import { closeDb, db, runWrite, searches, transaction } from '../client.ts';
import { isConnectionLoss } from '../errors.ts';
import { mendConnections } from './mended-connections.ts';
import { poolSizes } from './pool-sizes.ts';

const TIMES = 500;
const ONE_MOMENT_MS = 30_000;

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
  expect(await mostLookedThrough(() => often(ask))).toBeLessThan(100);
});

test('by itself it looks through more with each statement: when that is mended there, this is not needed', async () => {
  const client = postgres({ ...forPostgres(databaseAddress()), max: 4, fetch_types: false });
  const ask = () => client.unsafe('select 1');
  expect(await mostLookedThrough(() => often(ask))).toBeGreaterThan(TIMES);
  await mendConnections(client, () => undefined);
  await mostLookedThrough(() => often(ask));
  expect(await mostLookedThrough(() => often(ask))).toBeLessThan(100);
  await client.end();
});

type Lossy = {
  ask: (n: number, seconds?: number) => Promise<string>;
  lose: (code?: string) => Promise<void>;
  client: postgres.Sql;
  broken: Mock;
};

/** With one connection, whose socket is lost on demand: `lose` resolves when that is told, before it has ended. */
async function openLossy({ isMended = true }: { isMended?: boolean } = {}): Promise<Lossy> {
  const { host, port, path } = forPostgres(databaseAddress());
  let socket: Socket;
  const opened = async () => {
    socket = path ? connectTo(path) : connectTo(Number(port), String(host));
    await once(socket, 'connect');
    return socket;
  };
  const options = { max: 1, max_pipeline: 8, fetch_types: false, backoff: () => 0.01, socket: opened };
  const client = postgres({ ...forPostgres(databaseAddress()), ...(options as object) });
  const ask = async (n: number, seconds = 0) => {
    const [row] = await client.unsafe('select $1::int as n, pg_sleep($2)', [n, seconds], { prepare: true });
    return row ? `ok ${row.n}` : 'nothing';
  };
  const lose = (code = 'ECONNRESET') =>
    new Promise<void>((told) => {
      socket.once('error', () => told());
      loseSocket(socket, code);
    });
  await ask(0);
  const broken = vi.fn();
  if (isMended) await mendConnections(client, broken);
  await ask(0);
  return { ask, lose, client, broken };
}

async function told(asked: Promise<string>, patienceMs = ONE_MOMENT_MS): Promise<string> {
  const never = new Promise<string>((resolve) => setTimeout(resolve, patienceMs, 'never').unref());
  return Promise.race([asked.catch((error: { code: string }) => error.code), never]);
}

async function end(client: postgres.Sql): Promise<void> {
  await client.end({ timeout: 0 }).catch(() => undefined);
}

test.each(['ECONNRESET', 'EHOSTUNREACH', 'ERR_SSL_BAD'])(
  'what is asked between the loss of a connection (%s) and its end waits for the next one, and is answered',
  async (code) => {
    const { ask, lose, client } = await openLossy();
    const next = ask(1, 10).catch(() => ask(2));
    setTimeout(() => void lose(code), 50);
    expect(await told(next)).toBe('ok 2');
    for (const n of [3, 4, 5]) expect(await told(ask(n))).toBe(`ok ${n}`);
    await end(client);
  },
);

test('by itself the driver leaves that without an answer: when it is mended there, this is not needed', async () => {
  const { ask, lose, client } = await openLossy({ isMended: false });
  const answers = [ask(1, 10).catch(() => ask(2))];
  setTimeout(() => void lose(), 50);
  await told(answers[0]!, 500);
  for (const n of [3, 4, 5]) answers.push(ask(n));
  const all = await Promise.all(answers.map((answer) => told(answer, 500)));
  expect(all).toContain('never');
  await end(client);
});

test('what is asked of a connection that was idle when it was lost is told so: it is none any more, and nothing is answered with nothing', async () => {
  const { ask, lose, client, broken } = await openLossy();
  await lose();
  const answers = await Promise.all([ask(1), ask(2), ask(3)].map((one) => told(one)));
  expect(answers).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED', 'CONNECTION_CLOSED']);
  expect(broken).toHaveBeenCalledOnce();
  await end(client);
});

test('what cannot be sent fails by itself, and nobody on its connection has the answer of another', async () => {
  const { ask, client, broken } = await openLossy();
  const before = [ask(1, 0.2), ask(2)];
  // They are on their way.
  await setImmediate();
  const bad = client.unsafe('select 1', Array(65_534).fill(1) as never[]).then(() => 'sent');
  const after = [ask(3), ask(4)];
  expect(await told(bad)).toBe('MAX_PARAMETERS_EXCEEDED');
  const answers = await Promise.all([...before, ...after].map((one) => told(one)));
  for (const [at, answer] of answers.entries()) expect(['CONNECTION_DESTROYED', `ok ${at + 1}`]).toContain(answer);
  expect(broken).toHaveBeenCalledOnce();
  await end(client);
});

test('what is asked after a statement that failed with rows underway has its own rows alone', async () => {
  const client = postgres({ ...forPostgres(databaseAddress()), max: 1, fetch_types: false });
  const ask = () => client.unsafe('select 7 as n', [], { prepare: true });
  const fail = () =>
    client
      .unsafe('select 1 / (3 - n) as n from generate_series(1, 5) as n', [], { prepare: true })
      .catch((error) => error.code);
  await ask();
  expect(await fail()).toBe('22012');
  expect(await ask()).toHaveLength(3);
  await mendConnections(client, () => undefined);
  expect(await fail()).toBe('22012');
  expect([...(await ask())]).toEqual([{ n: 7 }]);
  await client.end();
});

test('after its connections were ended under load every statement was answered, with what it asked, and the pool has all of them', async () => {
  await closeDb();
  const admin = postgres({ ...forPostgres(databaseAddress()), max: 1, fetch_types: false });
  const ours = `application_name = 'gatehouse' and datname = current_database() and pid <> pg_backend_pid()`;
  let isOver = false;
  const answered: string[] = [];
  const work = async (at: number) => {
    while (!isOver) {
      const asked = db().execute<{ n: number }>(sql`select ${at}::int as n, pg_sleep(0.002)`);
      answered.push(
        await asked.then(
          ([row]) => (row!.n === at ? 'ok' : 'of another'),
          (error) => (isConnectionLoss(error) ? 'lost' : String(error)),
        ),
      );
    }
  };
  const workers = Array.from({ length: 16 }, (_, at) => work(at));
  for (let times = 0; times < 6; times += 1) {
    const before = answered.length;
    await vi.waitUntil(() => answered.slice(before).filter((one) => one === 'ok').length > 100, {
      timeout: ONE_MOMENT_MS,
    });
    await admin.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${ours}`);
  }
  const before = answered.length;
  await vi.waitUntil(() => answered.slice(before).filter((one) => one === 'ok').length > 100, {
    timeout: ONE_MOMENT_MS,
  });
  isOver = true;
  await Promise.all(workers);
  expect([...new Set(answered)].sort()).toEqual(['lost', 'ok']);
  // Each of the pool's connections answers.
  const asleep = await Promise.all(
    Array.from({ length: poolSizes().statements }, () =>
      db().execute(sql`select pg_backend_pid() as pid, pg_sleep(0.2)`),
    ),
  );
  expect(new Set(asleep.map(([row]) => row!.pid)).size).toBe(poolSizes().statements);
  await admin.end();
});

test('a pool one of whose connections ended with answers owed is replaced by one that has all of its', async () => {
  await closeDb();
  const connected = watchSockets();
  const ask = (n: number, seconds = 0) =>
    db()
      .execute<{ n: number; pid: number }>(sql`select ${n}::int as n, pg_backend_pid() as pid, pg_sleep(${seconds})`)
      .then(
        ([row]) => row ?? 'nothing',
        (error) => (isConnectionLoss(error) ? 'lost' : String(error)),
      );
  const all = () => Promise.all(Array.from({ length: poolSizes().statements }, (_, n) => ask(n, 0.2)));
  await all();
  const before = db();
  vi.restoreAllMocks();
  for (const socket of connected) loseSocket(socket);
  // By then each has told its error, and none its end.
  await new Promise<void>((later) => process.nextTick(later));
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));
  for (const [n, answer] of answers.entries())
    expect(answer === 'lost' || answer).toEqual(answer === 'lost' || expect.objectContaining({ n }));
  expect(db()).not.toBe(before);
  const pids = (await all()).map((row) => (row as { pid: number }).pid);
  expect(new Set(pids).size).toBe(poolSizes().statements);
});
