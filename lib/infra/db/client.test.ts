import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable, transaction } from './client.ts';
import { isConnectionLoss } from './errors.ts';

async function processOf(tx: Queryable): Promise<number> {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return row!.pid;
}

async function kill(pid: number): Promise<void> {
  await db().execute(sql`select pg_terminate_backend(${pid}, 5000)`);
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

test('a statement has its limit, a transaction takes what it needs', async () => {
  const show = sql`show statement_timeout`;
  expect(await db().execute(show)).toEqual([{ statement_timeout: '30s' }]);
  expect(await transaction((tx) => tx.execute(show))).toEqual([{ statement_timeout: '0' }]);
});
