import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { askToken, makeClient, makeOwner } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

test('a token whose statement gives way to a migration is given all the same', async () => {
  const client = await makeClient((await makeOwner()).projectId);
  const ask = () => askToken({ grant_type: 'client_credentials' }, { authorization: client.basic });
  expect((await ask()).status).toBe(200);
  let asked: ReturnType<typeof ask> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`lock table login in access exclusive mode`);
    asked = ask();
    const waits = sql`select from pg_locks where not granted and relation = 'login'::regclass`;
    await expect.poll(async () => (await tx.execute(waits)).length).toBe(1);
    // It has begun to wait first, and so is the first to see that they wait for each other.
    await tx.execute(sql`lock table audit_event in access exclusive mode`);
  });
  expect((await asked)?.status).toBe(200);
});
