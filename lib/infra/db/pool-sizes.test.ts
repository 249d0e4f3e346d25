import { expect, test } from 'vitest';
import { type PoolSizes, poolSizes, SINGLE } from './pool-sizes.ts';

const DEFAULTS = { TRANSACTION_CONNECTIONS: 16, JOB_CONNECTIONS: 2 };
const total = ({ statements, searches, transactions, jobs }: PoolSizes) =>
  statements + searches + transactions + jobs + SINGLE;

test.each([1, 2, 4, 16, 64, 512])('on %i cores two processes stay within what PostgreSQL has by default', (cores) => {
  expect(2 * total(poolSizes(cores, DEFAULTS))).toBeLessThan(97);
});

test('more cores have more connections, up to there', () => {
  expect([1, 2, 8, 64].map((cores) => poolSizes(cores, DEFAULTS).statements)).toEqual([4, 4, 12, 12]);
});

test('what is set is what is opened', () => {
  const given = { STATEMENT_CONNECTIONS: 100, TRANSACTION_CONNECTIONS: 50, JOB_CONNECTIONS: 4 };
  expect(poolSizes(2, given)).toEqual({ statements: 100, searches: 100, transactions: 50, jobs: 4 });
});
