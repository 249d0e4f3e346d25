import { availableParallelism } from 'node:os';
import { type Env, env } from '#lib/base/env.ts';

export type PoolSizes = {
  /** Outside transactions. */
  statements: number;
  /** The same for searches, which are planned anew each time. */
  searches: number;
  /** Transactions, and what commits by itself. */
  transactions: number;
  /** pg-boss, beside the one that it listens on. */
  jobs: number;
};

type Given = Pick<Env, 'STATEMENT_CONNECTIONS' | 'TRANSACTION_CONNECTIONS' | 'JOB_CONNECTIONS'>;

/** Two processes (one that comes and one that goes, at the least) fit into the 97 that PostgreSQL leaves of its 100 by default. */
const MOST = 48;
/** Those that listen (ours, pg-boss's), that which proves ours, that of leases, that of records. */
export const SINGLE = 5;

/**
 * Statements of their own keep a core of PostgreSQL's busy, so more connections than cores can carry only take turns (a fifth of the
 * rate of a search). Transactions wait for the disk and want many; and with a pool of theirs, what is read within one cannot wait for it.
 */
export function poolSizes(cores = availableParallelism(), given: Given = env()): PoolSizes {
  const { TRANSACTION_CONNECTIONS: transactions, JOB_CONNECTIONS: jobs } = given;
  const left = MOST - SINGLE - transactions - jobs;
  const each = given.STATEMENT_CONNECTIONS ?? Math.max(4, Math.min(2 * cores, Math.floor(left / 2)));
  return { statements: each, searches: each, transactions, jobs };
}
