import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db, transaction } from '#lib/infra/db/client.ts';
import { poolSizes } from '#lib/infra/db/pool/pool-sizes.ts';
import { callAuth } from '#lib/testing/call-auth.ts';

test('is answered while nothing comes from the database: 503, and 200 as soon as something does', async () => {
  const key = 7_000_001;
  let waiting: Promise<unknown>[] = [];
  await transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${key})`);
    waiting = Array.from({ length: poolSizes().statements }, () =>
      db().execute(sql`select pg_advisory_lock_shared(${key}), pg_advisory_unlock_shared(${key})`).execute(),
    );
    const { status, headers } = await callAuth('GET', '/healthcheck');
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });
  await Promise.all(waiting);
  expect((await callAuth('GET', '/healthcheck')).status).toBe(200);
});
