import postgres from 'postgres';
import { expect, inject, test } from 'vitest';
import { cloneDatabase } from '#lib/testing/set-up/database.ts';
import { migrate } from './migrate.ts';

const BOOK = 'drizzle.__drizzle_migrations';
const TURN = 7_310_002;

/** Two of a server that goes on while another migrates: one that works, one that looks on. */
async function serving() {
  const url = await cloneDatabase(inject('templateUrl'));
  const [works, looks] = [postgres(url, { max: 1 }), postgres(url, { max: 1 })];
  const waits = () => looks`select from pg_stat_activity where application_name = 'gatehouse-migrate'
    and wait_event = 'relation' and datname = current_database()`;
  return { url, works, waits: () => expect.poll(async () => (await waits()).length).toBe(1) };
}

test('a deadlock with who serves meanwhile is no end: it is tried again', async () => {
  const { url, works, waits } = await serving();
  let migrated: Promise<unknown> | undefined;
  await works
    .begin(async (tx) => {
      await tx.unsafe(`lock table ${BOOK} in access exclusive mode`);
      migrated = migrate(url);
      await waits();
      // The one that began to wait first is the first to look for a circle, and the one that gives way.
      await tx`select set_config('lock_timeout', '2s', true)`;
      await tx`select pg_advisory_lock(${TURN})`;
    })
    .catch((error: postgres.PostgresError) => expect(error.code).toBe('55P03'));
  expect(await migrated).toEqual({ distributed: [] });
});

test('nobody waits long behind it for a table that it does not get', { timeout: 60_000 }, async () => {
  const { url, works, waits } = await serving();
  let migrated: Promise<unknown> | undefined;
  await works.begin(async (tx) => {
    await tx.unsafe(`lock table ${BOOK} in access exclusive mode`);
    migrated = migrate(url);
    await waits();
    const gaveUp = `select from pg_stat_activity where application_name = 'gatehouse-migrate'
      and datname = current_database() and wait_event_type is distinct from 'Lock'`;
    await expect.poll(async () => (await tx.unsafe(gaveUp)).length, { timeout: 20_000, interval: 20 }).toBe(1);
  });
  expect(await migrated).toEqual({ distributed: [] });
});
