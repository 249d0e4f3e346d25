import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db as ownDb } from '#lib/testing/set-up/own-db.ts';
import { db, transaction } from './client.ts';
import { isConnectionLoss, isRetryable, uniqueViolation } from './errors.ts';

test('an index is known by its name, whichever shard of a cluster it stands on', async () => {
  const lost = ownDb().transaction(async (tx) => {
    await tx.execute(sql`create temporary table on_a_shard (of text) on commit drop`);
    await tx.execute(sql`create unique index membership_key_external_102008 on on_a_shard (of)`);
    await tx.execute(sql`insert into on_a_shard values ('one'), ('one')`);
  });
  expect(uniqueViolation(await lost.catch((error: unknown) => error))).toBe('membership_key_external');
});

test('and where the coordinator passes on no more than the message', async () => {
  const raise = sql.raw(`do $$ begin raise exception using errcode = '23505',
    message = 'duplicate key value violates unique constraint "membership_key_external_102008"'; end $$`);
  const lost = await db()
    .execute(raise)
    .catch((error: unknown) => error);
  expect(uniqueViolation(lost)).toBe('membership_key_external');
});

test('a node of a cluster that goes in the middle is a connection that is lost; another fault is not', async () => {
  const raise = (message: string) =>
    db()
      .execute(sql.raw(`do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`))
      .catch((error: unknown) => error);
  expect(isConnectionLoss(await raise('failure on connection marked as essential: 10.0.0.7:5432'))).toBe(true);
  expect(isConnectionLoss(await raise('cache lookup failed for type 7'))).toBe(false);
});

test.each([
  ['40001', 'shard for the given value does not exist'],
  ['XX000', 'could not find valid entry for shard 102979'],
])(
  'what was planned for a shard that was split meanwhile is asked again (%s); a transaction is left to whoever began it',
  async (code, message) => {
    const asked = `asked_${newId().replaceAll('-', '')}`;
    await ownDb().execute(sql.raw(`create sequence ${asked}; grant all on sequence ${asked} to public`));
    const split = sql.raw(`do $$ begin
    if nextval('${asked}') < 3 then raise exception using errcode = '${code}', message = '${message}'; end if;
  end $$`);
    await expect(transaction((tx) => tx.execute(split))).rejects.toSatisfy(isRetryable);
    await db().execute(split);
    expect(await db().execute(sql.raw(`select last_value::int as times from ${asked}`))).toEqual([{ times: 3 }]);
    await ownDb().execute(sql.raw(`drop sequence ${asked}`));
  },
);
