import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { transaction } from './client.ts';
import { uniqueViolation } from './errors.ts';

test('an index is known by its name, whichever shard of a cluster it stands on', async () => {
  const lost = transaction(async (tx) => {
    await tx.execute(sql`create temporary table on_a_shard (of text) on commit drop`);
    await tx.execute(sql`create unique index membership_key_external_102008 on on_a_shard (of)`);
    await tx.execute(sql`insert into on_a_shard values ('one'), ('one')`);
  });
  expect(uniqueViolation(await lost.catch((error: unknown) => error))).toBe('membership_key_external');
});
