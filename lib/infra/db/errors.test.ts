import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db, transaction } from './client.ts';
import { isConnectionLoss, uniqueViolation } from './errors.ts';

test('an index is known by its name, whichever shard of a cluster it stands on', async () => {
  const lost = transaction(async (tx) => {
    await tx.execute(sql`create temporary table on_a_shard (of text) on commit drop`);
    await tx.execute(sql`create unique index membership_key_external_102008 on on_a_shard (of)`);
    await tx.execute(sql`insert into on_a_shard values ('one'), ('one')`);
  });
  expect(uniqueViolation(await lost.catch((error: unknown) => error))).toBe('membership_key_external');
});

test('a node of a cluster that goes in the middle is a connection that is lost; another fault is not', async () => {
  const raise = (message: string) =>
    db()
      .execute(sql.raw(`do $$ begin raise exception using errcode = 'XX000', message = '${message}'; end $$`))
      .catch((error: unknown) => error);
  expect(isConnectionLoss(await raise('failure on connection marked as essential: 10.0.0.7:5432'))).toBe(true);
  expect(isConnectionLoss(await raise('cache lookup failed for type 7'))).toBe(false);
});
