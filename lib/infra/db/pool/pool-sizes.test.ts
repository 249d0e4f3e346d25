import { expect, test } from 'vitest';
import { type PoolSizes, poolSizes, SINGLE, shareOf } from './pool-sizes.ts';

const defaults = (processes = 1) => ({ SERVER_PROCESSES: processes, JOB_CONNECTIONS: 2 });
const total = ({ statements, searches, transactions, jobs }: PoolSizes) =>
  statements + searches + transactions + jobs + SINGLE;

test.each([1, 2, 4, 16, 64, 512])(
  'on %i cores all processes, and one that takes over from another, stay within what PostgreSQL has by default',
  (cores) => {
    for (const processes of [1, 2, 3, 4])
      expect((processes + 1) * total(poolSizes(cores, defaults(processes)))).toBeLessThan(97);
  },
);

test('more cores have more connections, up to there', () => {
  expect([1, 2, 8, 64].map((cores) => poolSizes(cores, defaults()).statements)).toEqual([4, 4, 12, 12]);
  expect([1, 2, 3, 4, 64].map((processes) => poolSizes(64, defaults(processes)).transactions)).toEqual([
    16, 10, 6, 4, 4,
  ]);
});

test('what is set is what is opened', () => {
  const given = { SERVER_PROCESSES: 4, STATEMENT_CONNECTIONS: 100, TRANSACTION_CONNECTIONS: 50, JOB_CONNECTIONS: 4 };
  expect(poolSizes(2, given)).toEqual({ statements: 100, searches: 100, transactions: 50, rehearsals: 1, jobs: 4 });
});

test.each([
  [4, 1, 4],
  [4, 2, 4],
  [16, 8, 4],
  [4, 16, 2],
  [1, 16, 1],
])('of a pool of %i, one of %i nodes has %i', (size, nodes, expected) => {
  expect(shareOf(size, nodes)).toBe(expected);
});
