import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, test, vi } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable, runSql, runText, runWrite, searches, transaction } from './client.ts';
import { isConnectionLoss } from './errors.ts';
import { poolSizes } from './pool/pool-sizes.ts';
import { userLogin } from './schema/identity.ts';

async function processOf(tx: Queryable): Promise<number> {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row!.pid;
}

async function kill(pid: number): Promise<void> {
  await db().execute(sql`select pg_terminate_backend(${pid}::int, 5000)`);
}

test('the loss of another connection inside a transaction rolls this one back', async () => {
  const name = newId();
  const lost = Object.assign(new Error('another one'), { code: 'ECONNRESET' });
  const running = transaction(async (tx) => {
    await tx.execute(sql`select set_config('gatehouse.test', ${name}, false)`);
    throw lost;
  });
  await expect(running).rejects.toBe(lost);
  const seen = await Promise.all(
    Array.from({ length: 16 }, () =>
      transaction((tx) => tx.execute(sql`select current_setting('gatehouse.test', true) as name`)),
    ),
  );
  expect(seen.flat().some((row) => row.name === name)).toBe(false);
});

// What these want beside their rejections: that nothing is thrown where nobody can catch it, which Vitest reports and a server dies of.

test('a transaction whose connection is lost during a statement rejects, and the next one works', async () => {
  const failure = await transaction(async (tx) => {
    const pid = await processOf(tx);
    const sleeping = tx.execute(sql`select pg_sleep(20)`).then(
      () => undefined,
      (error: unknown) => error,
    );
    await kill(pid);
    throw await sleeping;
  }).catch((error: unknown) => error);
  expect(isConnectionLoss(failure)).toBe(true);
  expect(await transaction(processOf)).toBeGreaterThan(0);
});

test('a transaction whose connection is lost between statements rejects, whatever it does next', async () => {
  const next: ((tx: Queryable) => Promise<unknown>)[] = [
    (tx) => tx.execute(sql`select 1`),
    () => Promise.resolve('done'),
    () => Promise.reject(new Error('refused')),
    (tx) => tx.execute(sql`select 1`).catch(() => tx.execute(sql`select 2`)),
  ];
  for (const go of next) {
    const failure = await transaction(async (tx) => {
      await kill(await processOf(tx));
      // Long enough that the driver has seen the end of its socket.
      await db().execute(sql`select pg_sleep(0.05)`);
      return go(tx);
    }).catch((error: unknown) => error);
    expect(isConnectionLoss(failure)).toBe(true);
    expect(await transaction(processOf)).toBeGreaterThan(0);
  }
});

test('what comes after on a connection that was ended is not told of its end', async () => {
  let ended = 0;
  const failed = (error: unknown) => {
    ended += 1;
    return error;
  };
  const asleep = Array.from({ length: poolSizes().statements }, () =>
    db().execute(sql`select pg_sleep(100)`).catch(failed),
  );
  asleep.push(transaction((tx) => tx.execute(sql`select pg_sleep(100)`)).catch(failed) as (typeof asleep)[number]);
  const other = postgres(env().DATABASE_URL, { max: 1 });
  // Until each has failed: on a busy machine some fall asleep late.
  await vi.waitUntil(
    async () => {
      await other`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and query like '%pg_sleep(100)%' and state = 'active' and pid <> pg_backend_pid()`;
      return ended === asleep.length;
    },
    { timeout: 30_000 },
  );
  for (const failure of await Promise.all(asleep)) expect(isConnectionLoss(failure)).toBe(true);
  for (let round = 0; round < 2; round++) {
    const asked = Array.from({ length: 8 }, (_, n) => db().execute(sql`select ${n}::int as n`));
    expect((await Promise.all(asked)).flat().map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const began = Array.from({ length: poolSizes().transactions }, () => transaction(processOf));
    for (const pid of await Promise.all(began)) expect(pid).toBeGreaterThan(0);
  }
  await other.end();
});

test('a search is planned for its values, however often one of its text was asked before', async () => {
  const show = sql`show plan_cache_mode`;
  expect(await searches().execute(show)).toEqual([{ plan_cache_mode: 'force_custom_plan' }]);
  expect(await db().execute(show)).toEqual([{ plan_cache_mode: 'auto' }]);
});

test('a statement has its limit, a transaction takes what it needs', async () => {
  const show = sql`show statement_timeout`;
  expect(await db().execute(show)).toEqual([{ statement_timeout: '30s' }]);
  expect(await transaction((tx) => tx.execute(show))).toEqual([{ statement_timeout: '0' }]);
});

test('what comes again is prepared, of Drizzle and of ours; what callers compose only by its own measure', async () => {
  const mark = newId().slice(-12);
  const known = await transaction(async (tx) => {
    for (let time = 0; time < 4; time++) {
      await tx.execute(sql`select ${time}::int as n ${sql.raw(`-- built ${mark}`)}`);
      await tx
        .select({ id: userLogin.userId })
        .from(userLogin)
        .where(sql`${userLogin.userId} = ${newId()} ${sql.raw(`/* selected ${mark} */`)}`);
      await runText(tx, `select $1::int as n -- text ${mark}`, [time]);
    }
    await runSql(tx, sql`select 1 as n ${sql.raw(`-- composed ${mark}`)}`);
    return tx.execute<{ statement: string }>(
      sql`select statement from pg_prepared_statements where statement like ${`%${mark}%`} and statement not like '%pg_prepared%'`,
    );
  });
  expect(known.map(({ statement }) => /built|selected|text|composed/.exec(statement)?.[0]).sort()).toEqual([
    'built',
    'selected',
    'text',
  ]);
});

test('what would be sent behind the end of a transaction is not done by itself', async () => {
  let late: Promise<unknown> | undefined;
  const failing = transaction(async (tx) => {
    const first = runText(tx, 'select $1::int as n', [1]);
    const behind = async () => {
      await first;
      // While ROLLBACK is on its way: its answer takes a turn of the event loop.
      for (let turn = 0; turn < 100; turn++) await undefined;
      await runText(tx, 'select 1 as n', []);
    };
    late = behind();
    late.catch(() => undefined);
    await first;
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  await expect(late).rejects.toThrow('The transaction is over');
});

test('a transaction that comes while writes wait on every connection is one of its own, and leaves none open', async () => {
  const { transactions } = poolSizes();
  const write = () => runWrite('select pg_sleep(0.02)', []);
  await Promise.all(Array.from({ length: transactions }, write));
  const writes = Array.from({ length: transactions * 8 }, write);
  await setImmediate();
  expect(await transaction(processOf)).toBeGreaterThan(0);
  await Promise.all(writes);
  const open = sql`select pid from pg_stat_activity where datname = current_database() and state like 'idle in tr%'`;
  expect(await db().execute(open)).toEqual([]);
});
