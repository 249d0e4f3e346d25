import { expect, it } from 'vitest';
import { tasksOf } from './tasks-of.ts';

/** As EXPLAIN says it on Citus 13.2. */
const scan = (kind: string, count?: number) =>
  `Custom Scan (Citus ${kind})  (cost=0.00..0.00 rows=0 width=0)${count === undefined ? '' : `\n  Task Count: ${count}\n  Tasks Shown: All`}`;

it.each([
  ['the coordinator’s own', 'Index Scan using credential_pkey on credential', undefined],
  ['one task', scan('Adaptive', 1), undefined],
  ['no task, since nothing can be found', scan('Adaptive', 0), undefined],
  ['every shard', scan('Adaptive', 32), '32 tasks'],
  ['rows that the coordinator sends on', scan('INSERT ... SELECT'), 'rows by way of the coordinator'],
  [
    'a part whose rows the next one reads',
    `${scan('Adaptive', 1)}\n  ->  Distributed Subplan 3_1\n        ->  ${scan('Adaptive', 1)}`,
    '2 steps by way of the coordinator',
  ],
])('%s', (_, plan, expected) => {
  expect(tasksOf(plan)).toBe(expected);
});
