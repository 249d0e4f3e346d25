import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db, type Queryable, runText, transaction } from '../client.ts';

test.each([
  ['more than the protocol counts', Array(65_534).fill(1), /65533/],
  ['a moment that is none', [new Date('x')], /no moment/],
  ['a symbol', [Symbol('a')], /symbol/],
  ['a function', [() => 1], /function/],
  ['an object that is no text', [Object.create(null)], /object/],
  ['what is missing', [undefined], /undefined/],
])('%s is refused before anybody waits behind it', async (_, params, why) => {
  const others = [1, 2, 3].map((n) => runText<{ n: number }>(db(), 'select $1::int as n, pg_sleep(0.01)', [n]));
  await expect(runText(db(), 'select $1', params)).rejects.toThrow(why);
  expect((await Promise.all(others)).map(([row]) => row!.n)).toEqual([1, 2, 3]);
});

// The second time on a connection its plan is known, and what fails then fails another.
test.each(['outside', 'within'])(
  'numbers are written as texts to types that Drizzle leaves alone, %s a transaction',
  async (where) => {
    const ask = async (q: Queryable) => {
      for (let times = 0; times < 3; times += 1) {
        const [row] = await runText<{ n: string }>(q, 'select $1::jsonb::text as n', [5]);
        expect(row).toEqual({ n: '5' });
      }
    };
    // Drizzle sets its own with each transaction.
    await transaction((tx) => tx.execute(sql`select 1`));
    await (where === 'outside' ? ask(db()) : transaction(ask));
  },
);
