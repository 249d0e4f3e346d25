import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { db } from '#lib/testing/set-up/own-db.ts';
import { transaction } from './client.ts';
import { uniqueViolation } from './errors.ts';
import { together } from './together.ts';

test('what fails is told, not what failed after it; nothing is sent when the transaction is over', async () => {
  const sent: string[] = [];
  await db().execute(sql`create table once (n int constraint once_n unique)`);
  await db().execute(sql`grant insert on once to public`);
  onTestFinished(async () => {
    await db().execute(sql`drop table once`);
  });
  const running = transaction(async (tx) => {
    const insert = async (name: string, ...numbers: number[]) => {
      for (const n of numbers) {
        await tx.execute(sql`insert into once values (${n})`);
        sent.push(`${name} ${n}`);
      }
      return name;
    };
    expect(await together(insert('a', 1), insert('b', 2))).toEqual(['a', 'b']);
    await together(insert('c', 3, 4, 5), insert('d', 1), insert('e', 6));
  });
  const error = await running.catch((reason: unknown) => reason);
  expect(uniqueViolation(error)).toBe('once_n');
  expect(sent).toEqual(['a 1', 'b 2', 'c 3']);
});
